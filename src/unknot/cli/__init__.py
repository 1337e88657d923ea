"""Thin doors: one file per verb."""
