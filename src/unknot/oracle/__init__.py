"""Oracles: run these tests, in this order, from a clean state, and report the outcome of each."""
