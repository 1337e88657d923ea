"""Reads the results that a command reports, and matches them with the order."""
