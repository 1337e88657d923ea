"""Candidates from what browsers send and show."""
