"""What happens to a suite that uses a plugin of pytest."""
