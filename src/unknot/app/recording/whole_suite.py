"""A recorded run of the whole suite, in a working copy of its own, without the tests that would end it."""

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from unknot.model.suite import TestId
from unknot.runners.pytest.whole_run import BrokenOff
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.sandbox import make_home
from unknot.runners.sandbox.tree import remove_if_possible
from unknot.runners.settings import Settings

_Found = TypeVar("_Found")


def record_whole_suite(
    settings: Settings, leave_out: Sequence[TestId], most: int, run: Callable[[PytestWorkspace, list[TestId]], _Found]
) -> tuple[_Found, list[TestId]]:
    """The result of `run`, and the tests that were left out: those given, and at most `most` that took the process
    down. `run` is called again without each of them, and once more with a test that was killed by a signal. Raises
    what it raises."""
    home = make_home()
    try:
        return record_in(home, settings, leave_out, most, run)
    finally:
        remove_if_possible(home)


def record_in(
    home: Path,
    settings: Settings,
    leave_out: Sequence[TestId],
    most: int,
    run: Callable[[PytestWorkspace, list[TestId]], _Found],
) -> tuple[_Found, list[TestId]]:
    """The same, in a directory that the caller removes."""
    out = list(leave_out)
    killed_in: set[str] = set()
    for number in itertools.count():
        place = PytestWorkspace(home, number, settings)
        try:
            return run(place, out), out
        except BrokenOff as broken:
            if broken.was_killed and broken.test not in killed_in and len(killed_in) < most:
                # Perhaps from outside: no test is blamed for the first time.
                killed_in.add(broken.test)
                continue
            if not broken.test or len(out) == len(leave_out) + most:
                raise
            out.append(TestId(place.original_id(broken.test)))
    raise AssertionError("it is left by what is returned or raised")


def notes_on_left_out(tests: Sequence[TestId]) -> list[str]:
    return [f"{test}: left out, as it ends the process" for test in tests]
