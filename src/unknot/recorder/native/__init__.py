"""The compiled parts of the recorder (C)."""
