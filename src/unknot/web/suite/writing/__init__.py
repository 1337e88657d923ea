"""Writing a suite of tests in Python, from drafts and page objects."""
