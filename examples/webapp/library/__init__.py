"""A lending library: people with roles, books in categories, loans, settings, and reading lists in the browser."""
