"""What to enter into fields."""
