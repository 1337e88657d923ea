"""The test that the user means."""

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import TestId

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
