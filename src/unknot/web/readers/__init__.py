"""What test code says, read and not run: which texts a test submits, and which it mentions."""
