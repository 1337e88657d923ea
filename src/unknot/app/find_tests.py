"""Test names: the test that the user means, and many tests in one line."""

from collections.abc import Sequence

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import Suite, TestId
from unknot.report.wording import counted

_MOST_SHOWN = 5


def first_few(tests: Sequence[str], most: int = 3) -> str:
    """The first ones, and a sign that there are more."""
    return ", ".join(tests[:most]) + (" …" if len(tests) > most else "")


def first_and_count(names: Sequence[str]) -> str:
    """The first three, and how many more there are."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def named(tests: Sequence[TestId]) -> str:
    """The test, if it is only one; otherwise how many there are, and the first few."""
    return tests[0] if len(tests) == 1 else f"{counted(len(tests), 'test')} ({first_few(tests)})"


def find_test(dependencies: Dependencies, wanted: str) -> TestId:
    """The test of these dependencies: see `find_in_suite`."""
    return find_in_suite(dependencies.suite, wanted)


def find_in_suite(suite: Suite, wanted: str) -> TestId:
    """By its id or a part of one that matches no other test. An unknown name is returned as it is, so that the report
    can name it. Raises UsageError if several match."""
    if wanted in suite.index:
        return TestId(wanted)
    matching = [test for test in suite.tests if wanted in test]
    if len(matching) > 1:
        shown = first_few(matching, _MOST_SHOWN)
        raise UsageError(
            f"`{wanted}` matches {len(matching)} tests: {shown}", hint="Give the whole node id.", slug="test-ambiguous"
        )
    return matching[0] if matching else TestId(wanted)
