"""What the plugin says, in pytest's way."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.report.wording import counted

_NAMED = 3
_WITH_NEEDS = "select both, or give --unknot-with-needs, which also does if it is gone from the suite"


def header(dependencies: Dependencies, lock: Path, what: str) -> str:
    known = ", ".join(
        [
            counted(len(dependencies.suite), "test"),
            counted(len(dependencies.needs), "need"),
            counted(len(dependencies.conflicts), "conflict"),
        ]
    )
    return f"unknot: {what}, by {shown(lock.name)} ({known})"


def added_line(added: Sequence[TestId]) -> str:
    return f"unknot: added {counted(len(added), 'test')} that the chosen ones need: {named(added)}"


def named(tests: Sequence[TestId]) -> str:
    """The first few of them."""
    return ", ".join(map(shown, tests[:_NAMED])) + (", …" if len(tests) > _NAMED else "")


def usage_error(error: UnknotError) -> pytest.UsageError:
    """The same in pytest's words: one line, with what to do."""
    return pytest.UsageError(shown(f"unknot: {error.message}; {error.hint}"))


def missing_need(error: UnknotError) -> pytest.UsageError:
    return pytest.UsageError(shown(f"unknot: {error.message}; {_WITH_NEEDS}"))
