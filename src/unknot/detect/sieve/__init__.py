"""The default detector: every order is a verdict on all tests in it at once."""
