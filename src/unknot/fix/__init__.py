"""Changes of test files that would cut a dependency: what to write, not whether it helps."""
