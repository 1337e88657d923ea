"""The default detector: isolation, conjecture and refute, setters, polluters, conflict search."""
