"""Answers from the real world."""
