"""A small mail-order shop. Money is in pence throughout."""
