"""The SQLite journal: every run ever asked is kept, so that it is never paid for twice."""
