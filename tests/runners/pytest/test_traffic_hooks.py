"""Hooks into a suite's imports and browsers never stop them, even if the hooks themselves fail."""

import importlib
import importlib.util
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from unknot.runners.pytest.inside.browser.import_hooks import ImportHooks
from unknot.runners.pytest.inside.browser.playwright_hook import PlaywrightHook
from unknot.runners.pytest.inside.browser.selenium_hook import SeleniumHook
from unknot.runners.pytest.inside.browser.snapshots import WatchedBrowsers
from unknot.runners.pytest.inside.browser.traffic_ledger import TrafficLedger

NAME = "awaited_module"


@pytest.fixture
def awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / f"{NAME}.py").write_text("made = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield
    sys.modules.pop(NAME, None)


def test_a_module_that_was_looked_for_before_is_noticed_when_it_is_imported(awaited: None) -> None:
    seen: list[int] = []
    ImportHooks({NAME: lambda module: seen.append(module.made)}, lambda *_: None).install()

    assert importlib.util.find_spec(NAME) is not None
    assert seen == []
    importlib.import_module(NAME)
    assert seen == [1]


def test_a_step_that_fails_is_reported_and_the_import_goes_on(awaited: None) -> None:
    failures: list[tuple[str, str]] = []
    steps = {NAME: lambda module: module.made.missing}
    ImportHooks(steps, lambda name, problem: failures.append((name, type(problem).__name__))).install()

    assert importlib.import_module(NAME).made == 1
    assert failures == [(NAME, "AttributeError")]


def _notes(file: io.StringIO) -> list[str]:
    return [event["text"] for event in map(json.loads, file.getvalue().splitlines()) if event["kind"] == "note"]


class _Refusing:
    """Every method raises an error without a message."""

    def refuse(self, *_: Any, **__: Any) -> None:
        raise TimeoutError

    new_context = new_page = launch = launch_persistent_context = connect_over_cdp = start_session = refuse
    close = quit = execute = get = post = put = patch = delete = head = fetch = refuse


def test_a_browser_that_fails_without_a_message_fails_the_suite_as_it_would_alone() -> None:
    file = io.StringIO()
    ledger = TrafficLedger(file)

    class Browser(_Refusing):
        pass

    class Driver(_Refusing):
        pass

    class Other(_Refusing):
        pass

    module = SimpleNamespace(
        Browser=Browser, BrowserType=Other, Page=Other, BrowserContext=Other, APIRequestContext=Other
    )
    PlaywrightHook(ledger, WatchedBrowsers(ledger)).imported(module, is_async=False)
    SeleniumHook(ledger, WatchedBrowsers(ledger)).imported(SimpleNamespace(WebDriver=Driver, RemoteConnection=Other))

    with pytest.raises(TimeoutError):
        Browser().new_context()
    with pytest.raises(TimeoutError):
        Driver().start_session({})
    assert _notes(file) == ["the browser could not be started: TimeoutError"]


def test_a_browser_that_cannot_be_read_is_closed_all_the_same() -> None:
    ledger = TrafficLedger(io.StringIO())
    watches = WatchedBrowsers(ledger)

    class Driver:
        def start_session(self) -> None: ...
        def close(self) -> None: ...
        def quit(self) -> str:
            return "quit"

    class Broken:
        has_news = True
        may_end = False

        def take_snapshot(self, _: str) -> None:
            raise ValueError("a page of its own kind")

        def close(self) -> None:
            raise OSError("no space is left")

    module = SimpleNamespace(WebDriver=Driver, RemoteConnection=SimpleNamespace(execute=print))
    SeleniumHook(ledger, watches).imported(module)
    driver = Driver()
    watches[driver] = Broken()

    assert driver.quit() == "quit"
