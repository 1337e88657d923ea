"""Copies of the system under test: started, watched, put back to a clean state, stopped whatever happens."""
