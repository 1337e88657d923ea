"""Telling flaky tests from dependent ones."""
