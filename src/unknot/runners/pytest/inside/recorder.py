"""The pytest plugin that records what tests leave behind and what they find.

Loaded with `-p`; does nothing unless the environment names a request. One process, in suite order. The first pass finds
which test changed and which test read what; the second knows what to look for, and finds the lines.
"""

import gc
import os
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from unknot.recorder.inside.external import ExternalRecorder
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Stacks
from unknot.runners.pytest.inside.event_file import EventFile
from unknot.runners.pytest.inside.process_setup import hold, release
from unknot.runners.pytest.inside.whole_run_tests import WholeRunTests, configure, take_request

if TYPE_CHECKING:
    from unknot.recorder.inside.state_recorder import StateRecorder

REQUEST = "UNKNOT_RECORDING"

if REQUEST in os.environ:
    # Now: plugins loaded next may import numeric libraries. With their threads, no test can be run alone.
    hold()


class RecorderPlugin:
    """One per process; registered before the first conftest is imported, so that its hooks run first."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._tests = WholeRunTests(request)
        self._fixtures: dict[int, tuple[str, Any]] = {}
        self._file = EventFile(request["events"])
        self._ledger = Ledger(self._file, Stacks(tuple(request["roots"])))
        self._recorder = _state_recorder(self._ledger, request)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        self._tests.take(items)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> Generator[None, object, object]:
        """The state after importing and collecting is the clean state. All is known when the last test is over: what
        the suite does at the end of the session may hang or fail."""
        release()
        # As where orders begin; the collector need not look at all this again and again.
        gc.collect()
        gc.freeze()
        self._recorder.take_baseline({self._tests.name(item): item for item in session.items})
        try:
            return (yield)
        finally:
            self._finish()

    def _finish(self) -> None:
        if self._tests.is_in_child:
            return
        self._recorder.close()
        self._file.close()
        self._tests.answer(problem=self._file.problem)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
        if self._tests.is_in_child:
            # A child runs the test alone, to find out what it makes.
            return (yield)
        test = self._tests.begin(item)
        self._recorder.begin_test(test)
        try:
            return (yield)
        finally:
            seconds = self._tests.end()
            self._recorder.end_test()
            self._ledger.fact(ended=test, seconds=seconds)
            if self._recorder.is_out_of_time:
                self._end_early(item.session)

    def _end_early(self, session: Any) -> None:
        left = len(session.items) - len(self._tests.verdicts)
        if left and not session.shouldstop:
            self._ledger.note(f"lines of writes, and reads before a write, in the last {left} tests, to save time")
            session.shouldstop = "the time of the second pass is over"

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._tests.add(report)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Changes by a fixture of larger scope do not belong to the test that happens to use it first."""
        if fixturedef.scope == "function":
            return (yield)
        # The definition is kept alive, so that no other object can get its id.
        name, _ = self._fixtures.setdefault(id(fixturedef), (f"{fixturedef.argname}#{len(self._fixtures)}", fixturedef))
        outer = self._recorder.enter_fixture(name)
        try:
            return (yield)
        finally:
            self._recorder.leave_fixture(outer)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item: Any) -> None:
        """By now the test has all its fixtures, including those that it requested by name while it ran."""
        definitions = (getattr(getattr(item, "_request", None), "_fixture_defs", None) or {}).values()
        used = [self._fixtures[id(definition)][0] for definition in definitions if id(definition) in self._fixtures]
        if used:
            self._ledger.fact(uses=used, test=self._tests.name(item))


def _state_recorder(ledger: Ledger, request: dict[str, Any]) -> "StateRecorder | ExternalRecorder":
    try:
        from unknot.recorder.inside.state_recorder import StateRecorder
    except ImportError:
        ledger.fact(unrecorded="memory")
        return ExternalRecorder(ledger, request)
    return StateRecorder(ledger, request)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    request = take_request(REQUEST, early_config)
    if request is not None:
        early_config.pluginmanager.register(RecorderPlugin(request), "unknot-recorder")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    configure(config)
