"""The recorder: runs inside the process under test, on the standard library and pytest alone."""
