"""Reads test code without running it: which texts each test submits, and which it mentions."""
