"""Runs of the whole suite in its own order that are recorded: shared state, browser traffic, coverage."""
