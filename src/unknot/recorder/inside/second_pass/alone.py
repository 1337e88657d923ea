"""What a test makes by itself: runs a test alone, in a forked child of the collected session."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unknot.recorder.inside.second_pass.forked import in_child, why_not_fork

_make_scratch, _remove_all = tempfile.mkdtemp, shutil.rmtree


def result_alone(
    item: pytest.Item,
    result: Callable[[], object],
    begin: Callable[[], object] = lambda: None,
    seconds: float = 30.0,
) -> object:
    """What `result` returns after the test has run alone, passed as JSON.

    Call it before the first test has run, so that the test starts from a clean state. In a fork: `begin`, which
    prepares the recorder; the test, with the same next test as in the suite, so that the same fixtures are torn down;
    then `result`. None if the test fails alone, is skipped, dies or takes longer than `seconds`, or if this process
    cannot be forked (`why_not_fork`).

    This process, its output and its open files stay as they are. Files that the test writes by name are written.
    Costs a fork and the test with all its fixtures.
    """
    if why_not_fork():
        return None
    scratch = _make_scratch(prefix="unknot-alone-")
    try:
        return in_child(lambda: _run_in_child(item, result, begin, scratch), seconds)
    finally:
        _remove_all(scratch, ignore_errors=True)


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


def _run_in_child(item: pytest.Item, result: Callable[[], object], begin: Callable[[], object], scratch: str) -> object:
    begin()
    me = os.getpid()
    reports = _Reports()
    item.config.pluginmanager.register(reports, "unknot-alone")
    _use_scratch(item.config, scratch)
    # A traceback would not be shown, and formatting it takes longer than the test.
    item.config.option.tbstyle = "no"
    items = item.session.items
    following = items[items.index(item) + 1 :][:1]
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following[0] if following else None)
    return result() if reports.are_good and os.getpid() == me else None


def _use_scratch(config: pytest.Config, scratch: str) -> None:
    """pytest numbers the directories of `tmp_path` by those that exist: the session must not find the child's."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None:
        factory._basetemp = Path(scratch)
