"""What runs inside the process under test: the standard library and pytest only, and as little of it as possible."""
