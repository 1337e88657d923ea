"""Filled by a fixture that tests share."""

LOADED = {}
