"""What makes plans; `registry` has the makers by name."""
