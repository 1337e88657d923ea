"""Candidates from strings, test names, traffic and browser storage."""
