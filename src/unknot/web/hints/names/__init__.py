"""What the names of tests say: whether one reads or writes, and what it is about."""
