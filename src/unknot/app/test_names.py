"""Many tests in one line."""

from collections.abc import Sequence

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import TestId
from unknot.report.wording import counted

# The test that the user means.
_MOST_SHOWN = 5


def named_test(dependencies: Dependencies, wanted: str) -> TestId:
    """By its id or a part of one that fits no other test. An unknown name is given back as it is, for the report
    itself to complain about. Raises UsageError if several fit."""
    if wanted in dependencies.suite.index:
        return TestId(wanted)
    fitting = [test for test in dependencies.suite.tests if wanted in test]
    if len(fitting) > 1:
        shown = ", ".join(fitting[:_MOST_SHOWN]) + (" …" if len(fitting) > _MOST_SHOWN else "")
        raise UsageError(f"`{wanted}` fits {len(fitting)} tests: {shown}", hint="give the whole node id")
    return fitting[0] if fitting else TestId(wanted)


_NAMED = 3


def first_few(tests: Sequence[TestId]) -> str:
    """The first three, and a sign that there are more."""
    return ", ".join(tests[:_NAMED]) + (" …" if len(tests) > _NAMED else "")


def named(tests: Sequence[TestId]) -> str:
    """The test, if it is only one; otherwise how many there are, and the first few."""
    return tests[0] if len(tests) == 1 else f"{counted(len(tests), 'test')} ({first_few(tests)})"
