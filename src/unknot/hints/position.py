"""Candidates that need no knowledge of the suite: every test, or every earlier one."""

from collections.abc import Callable

CandidateSource = Callable[[int, int], int]
"""`source(test, size)`: the tests, as a bitset, that may change the outcome of `test` when run before it."""


def any_other(test: int, size: int) -> int:
    """For detection in any order: a later test may break or help a test, too."""
    return ((1 << size) - 1) & ~(1 << test)


def every_earlier(test: int, size: int) -> int:
    """For detection that keeps the reference order and only leaves tests out. `size` is not used."""
    return (1 << min(test, size)) - 1
