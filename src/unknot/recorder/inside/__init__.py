"""The recorder itself: runs in the process under test, on the standard library and pytest alone."""
