"""A shop that keeps its state wherever a Python program can keep any."""
