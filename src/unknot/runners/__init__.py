"""Real runs: whatever can run the tests of a suite in a given order from a clean state."""
