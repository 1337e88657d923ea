"""The pytest plugin that records what browsers send, show and keep while the suite runs.

Loaded with `-p`; does nothing unless the environment names a request. One process, the suite's own order.
"""

import contextlib
import functools
from collections.abc import Generator
from typing import Any

import pytest

from unknot.runners.pytest.inside.browser.api_calls import ApiCalls
from unknot.runners.pytest.inside.browser.import_hooks import ImportHooks
from unknot.runners.pytest.inside.browser.playwright_hook import PlaywrightHook
from unknot.runners.pytest.inside.browser.selenium_hook import SeleniumHook
from unknot.runners.pytest.inside.browser.snapshots import ENDED, FOUND, LEFT, SHARED, WatchedBrowser, WatchedBrowsers
from unknot.runners.pytest.inside.browser.traffic_ledger import TrafficLedger
from unknot.runners.pytest.inside.whole_run_tests import WholeRunTests, configure, take_request

REQUEST = "UNKNOT_TRAFFIC"


class TrafficRecorder:
    """One per process; registered before the first conftest is imported, so that its hooks come first.

    A snapshot of a browser that one test leaves open for the next is taken when a test begins, after its fixtures, and
    when it has run; once more after its tear-down if that used the browser.
    """

    def __init__(self, request: dict[str, Any]) -> None:
        self._tests = WholeRunTests(request)
        self._owners = [""]
        self._survivors: set[int] = set()
        self._file = open(request["events"], "w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process
        self._ledger = TrafficLedger(self._file)
        self._watches = WatchedBrowsers(self._ledger)
        self._api = ApiCalls(self._ledger)
        self._api.install()
        playwright = PlaywrightHook(self._ledger, self._watches)
        selenium = SeleniumHook(self._ledger, self._watches)
        ImportHooks(
            {
                "playwright.sync_api": functools.partial(playwright.imported, is_async=False),
                "playwright.async_api": functools.partial(playwright.imported, is_async=True),
                "selenium.webdriver.remote.webdriver": selenium.imported,
                "selenium.webdriver.common.service": selenium.service_imported,
            },
            lambda name, problem: self._ledger.note(f"{name} is of a kind that cannot be watched: {problem}"),
        ).install()

    # Which test causes what is recorded.

    def _enter(self, owner: str) -> None:
        self._owners.append(owner)
        self._ledger.owner = owner

    def _leave(self) -> None:
        if len(self._owners) > 1:
            self._owners.pop()
        self._ledger.owner = self._owners[-1]

    def _snapshots(self, moment: str) -> None:
        if self._tests.is_in_child:
            return
        for watched in self._watches.alive():
            # Neither an odd page nor a full disk may fail a test.
            with contextlib.suppress(Exception):
                if self._is_worthwhile(watched, moment):
                    watched.take_snapshot(moment)
        self._api.flush()

    def _is_worthwhile(self, watched: WatchedBrowser, moment: str) -> bool:
        if moment == FOUND:
            # No other test can have left something in what a test has opened itself.
            return watched.number in self._survivors
        # What a tear-down changes without any request is noticed when the next test begins.
        return moment != ENDED or watched.has_news

    # Events of pytest.

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        self._tests.take(items)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
        test = self._tests.begin(item)
        depth = len(self._owners)
        self._enter(test)
        try:
            return (yield)
        finally:
            del self._owners[depth + 1 :]
            self._ledger.owner = test
            self._snapshots(ENDED)
            self._survivors = {watched.number for watched in self._watches.alive()}
            self._leave()
            self._tests.end()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        self._snapshots(FOUND)
        try:
            return (yield)
        finally:
            self._snapshots(LEFT)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """What a fixture of larger scope does is not caused by the test that happens to be its first user."""
        if fixturedef.scope == "function":
            return (yield)
        # What was added last is done first: the tear-down runs between the two.
        fixturedef.addfinalizer(self._leave)
        self._enter("")
        before = self._ledger.now
        try:
            return (yield)
        finally:
            if self._ledger.now != before:
                self._snapshots(SHARED)
            self._leave()
            fixturedef.addfinalizer(lambda: self._enter(""))

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._tests.add(report)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        if self._tests.is_in_child:
            return
        self._api.flush()
        self._file.close()
        self._tests.answer()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    request = take_request(REQUEST, early_config)
    if request is not None:
        early_config.pluginmanager.register(TrafficRecorder(request), "unknot-traffic")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    configure(config)
