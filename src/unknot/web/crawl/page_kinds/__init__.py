"""Which observations are of the same kind of page: the parts of our rule, and those of the literature."""
