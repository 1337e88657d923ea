"""Functions of a suite and an oracle: they ask, conclude and never know who answers."""
