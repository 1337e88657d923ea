"""Python test suites: a front end of the interpreter."""
