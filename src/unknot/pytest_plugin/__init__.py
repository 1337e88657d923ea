"""unknot inside the user's own pytest: a safe order, safe lanes for pytest-xdist, and what chosen tests need."""
