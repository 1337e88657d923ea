"""What a test makes by itself: runs tests alone, each in a forked child of the collected session."""

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from unknot.recorder.inside.second_pass.forked import in_child, why_not_fork

Location = TypeVar("Location")

_make_scratch, _remove_all = tempfile.mkdtemp, shutil.rmtree


def fingerprints_alone(
    items: Sequence[pytest.Item],
    locations: Sequence[Sequence[Location]],
    fingerprint: Callable[[Location], object],
    begin: Callable[[], object] = lambda: None,
    seconds: float = 30.0,
) -> list[list[object] | None]:
    """For each test the fingerprints of its locations after it has run alone, passed as JSON.

    Call it before the first test has run, so that each test starts from a clean state. For each test in turn: a fork;
    in the child `begin`, which prepares the recorder; the test, with the same next test as in the suite, so that the
    same fixtures are torn down; then `fingerprint` for each of its locations. None for a test that fails alone, is
    skipped, dies or takes longer than `seconds`, and for all if this process cannot be forked (`why_not_fork`).

    This process, its output and its open files stay as they are. Files that a test writes by name are written.
    Costs a fork and the test with all its fixtures.
    """
    if why_not_fork():
        return [None] * len(items)
    return [_alone(item, own, fingerprint, begin, seconds) for item, own in zip(items, locations, strict=True)]


def _alone(
    item: pytest.Item,
    locations: Sequence[Location],
    fingerprint: Callable[[Location], object],
    begin: Callable[[], object],
    seconds: float,
) -> list[object] | None:
    scratch = _make_scratch(prefix="unknot-alone-")
    try:
        answer = in_child(lambda: _run_in_child(item, locations, fingerprint, begin, scratch), seconds)
    finally:
        _remove_all(scratch, ignore_errors=True)
    return answer if isinstance(answer, list) and len(answer) == len(locations) else None


class _Reports:
    """Whether the test ran and had the expected result in all its phases."""

    def __init__(self) -> None:
        self._has_run = False
        self._has_failed = False

    @property
    def are_good(self) -> bool:
        return self._has_run and not self._has_failed

    def pytest_runtest_logreport(self, report: Any) -> None:
        was_expected = hasattr(report, "wasxfail") and report.outcome == "skipped"
        self._has_run |= report.when == "call"
        self._has_failed |= report.outcome != "passed" and not was_expected


def _run_in_child(
    item: pytest.Item,
    locations: Sequence[Location],
    fingerprint: Callable[[Location], object],
    begin: Callable[[], object],
    scratch: str,
) -> list[object] | None:
    begin()
    me = os.getpid()
    reports = _Reports()
    item.config.pluginmanager.register(reports, "unknot-alone")
    _use_scratch(item.config, scratch)
    # A traceback would not be shown, and formatting it takes longer than the test.
    item.config.option.tbstyle = "no"
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=_following(item))
    if not reports.are_good or os.getpid() != me:
        return None
    return [fingerprint(location) for location in locations]


def _following(item: pytest.Item) -> pytest.Item | None:
    items = item.session.items
    place = items.index(item) + 1
    return items[place] if place < len(items) else None


def _use_scratch(config: pytest.Config, scratch: str) -> None:
    """pytest numbers the directories of `tmp_path` by those that exist: the session must not find the child's."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None:
        factory._basetemp = Path(scratch)
