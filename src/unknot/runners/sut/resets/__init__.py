"""Ways back to a clean state: one file for each kind, `kinds` has them by name."""
