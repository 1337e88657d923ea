"""Exploring a web application: page kinds, actions, inputs, and which step to take next."""
