"""How good the plans are: makers against bounds, and real runs against plain pytest."""
