"""What tests leave in memory, and which test reads it."""
