"""The cheapest part of a suite that covers the same and can run by itself."""
