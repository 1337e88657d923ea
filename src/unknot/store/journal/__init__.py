"""The SQLite journal: every run is kept, so that it is never repeated."""
