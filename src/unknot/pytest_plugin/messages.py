"""The messages of the plugin, in pytest's style."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.report.wording import counted

_NAMED = 3
WITH_NEEDS = "select both, or pass --unknot-with-needs (also works if the test was deleted)"


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
    return f"unknot: added {counted(len(added), 'test')} that the chosen ones need: {list_few(added)}"


def list_few(tests: Sequence[TestId]) -> str:
    """The first few tests."""
    return ", ".join(map(shown, tests[:_NAMED])) + (", …" if len(tests) > _NAMED else "")


def usage_error(error: UnknotError, hint: str = "") -> pytest.UsageError:
    """The error as pytest's own: one line, with this hint or its own."""
    return pytest.UsageError(shown(f"unknot: {error.message}; {hint or error.hint}"))
