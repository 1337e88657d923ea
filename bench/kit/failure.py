"""What keeps one measurement from being taken, but not the others."""


class BenchFailure(Exception):
    """Something outside the benchmark did not work; the message says what, in one line."""
