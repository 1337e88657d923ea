"""The live lines of what takes long."""
