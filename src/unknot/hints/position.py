"""The suspects that need no knowledge of the suite: every test, or every earlier one."""

from collections.abc import Callable

Suspects = Callable[[int, int], int]
"""`suspects(test, size)`: the tests, as a bitset, that may change what comes out of `test` when run before it."""


def any_other(test: int, size: int) -> int:
    """For whoever wants to reorder: a test may be broken, or helped, by one that stands after it."""
    return ((1 << size) - 1) & ~(1 << test)


def every_earlier(test: int, size: int) -> int:
    """For whoever keeps the reference order and only leaves tests out. `size` plays no part."""
    return (1 << min(test, size)) - 1
