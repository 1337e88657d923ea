"""What `unknot generate` does, without a terminal: explore, draft tests, replay them, write and prove them."""
