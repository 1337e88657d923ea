"""Finds what one test depends on, without a detection of the whole suite."""
