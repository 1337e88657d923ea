"""Planted suites whose dependencies are known: what a detection of each costs, and whether it is right."""
