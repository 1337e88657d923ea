"""Flaky tests: a sequential test that finds them, and retries of the runs that they spoil."""
