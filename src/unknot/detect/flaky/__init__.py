"""Flaky tests: a sequential test that finds them, retries, and the needs of tests that depend on them."""
