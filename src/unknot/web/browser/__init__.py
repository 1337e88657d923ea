"""A real browser behind the protocol of all applications. Nothing else touches one."""
