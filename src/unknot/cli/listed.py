"""Many tests in one line."""

from collections.abc import Sequence

from unknot.model.suite import TestId
from unknot.report.headline import counted

_NAMED = 3


def first_few(tests: Sequence[TestId]) -> str:
    """The first three, and a sign that there are more."""
    return ", ".join(tests[:_NAMED]) + (" …" if len(tests) > _NAMED else "")


def named(tests: Sequence[TestId]) -> str:
    """The test, if it is only one; otherwise how many there are, and the first few."""
    return tests[0] if len(tests) == 1 else f"{counted(len(tests), 'test')} ({first_few(tests)})"
