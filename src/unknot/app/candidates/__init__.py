"""Candidates for dependencies: what the test code, test names and browser traffic of a web suite suggest."""
