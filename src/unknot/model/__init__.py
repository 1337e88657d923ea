"""The nouns. Imports nothing of ours, does no I/O."""
