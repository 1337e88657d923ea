"""Imported only when it is needed."""

NAMES = {"eur": "Euro"}
