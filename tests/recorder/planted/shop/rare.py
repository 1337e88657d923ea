"""Imported by a test function."""

VALUE = 11
