"""Beside desk.py, so that every version of pytest can import it."""
