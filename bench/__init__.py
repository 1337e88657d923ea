"""Measurements of unknot: against one plain run of pytest, and against its peers."""
