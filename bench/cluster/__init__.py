"""How busy workers are kept."""
