"""Everything about web applications: what test code says, what browsers send, and what follows from it."""
