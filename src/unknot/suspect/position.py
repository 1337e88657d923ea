"""The suspects that need no knowledge of the suite: every test, or every earlier one."""

from collections.abc import Callable

Suspects = Callable[[int, int], bool]
"""`suspects(test, other)`: whether `other`, run before `test`, may change what comes out of it."""


def any_other(test: int, other: int) -> bool:
    """For whoever wants to reorder: a test may be broken, or helped, by one that stands after it."""
    return test != other


def every_earlier(test: int, other: int) -> bool:
    """For whoever keeps the reference order and only leaves tests out."""
    return other < test
