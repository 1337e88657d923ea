"""The default detector: isolation, group exclusion, setters, polluters, conflict search."""
