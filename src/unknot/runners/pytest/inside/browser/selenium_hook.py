"""Watches every browser that the suite drives through Selenium."""

import contextlib
from functools import partial
from typing import Any

from unknot.runners.pytest.inside.browser.api_calls import unrecorded
from unknot.runners.pytest.inside.browser.chrome_listener import ChromeListener
from unknot.runners.pytest.inside.browser.method_hooks import Steps, replace_method
from unknot.runners.pytest.inside.browser.snapshots import LEFT, BrowserSnapshot, WatchedBrowsers
from unknot.runners.pytest.inside.browser.traffic_ledger import TrafficLedger

_OPTIONS = ("goog:chromeOptions", "ms:edgeOptions")


class SeleniumHook:
    """Chrome, Edge and Chromium report where their DevTools are, also when the driver was attached to a browser that
    ran already. Of others, such as Firefox, only the page at the end of each test is recorded."""

    def __init__(self, ledger: TrafficLedger, watches: WatchedBrowsers) -> None:
        self._ledger = ledger
        self._watches = watches

    def imported(self, module: Any) -> None:
        """Takes `selenium.webdriver.remote.webdriver`: every driver is an instance of its class."""
        replace_method(module.WebDriver, "start_session", partial(self._watches.opening, self._watch))
        for name in ("quit", "close"):
            replace_method(module.WebDriver, name, partial(self._ending, name == "quit"))
        # Commands to the driver are requests too, but none of the application's.
        replace_method(module.RemoteConnection, "execute", _unrecorded)

    def service_imported(self, module: Any) -> None:
        """Takes `selenium.webdriver.common.service`: so are requests whether the driver is up."""
        for name in ("start", "stop"):
            replace_method(module.Service, name, _unrecorded)

    def _watch(self, driver: Any, _: Any) -> None:
        self._watches[driver] = self._watched(driver)

    def _watched(self, driver: Any) -> "ChromeListener | PagesOnly":
        capabilities = driver.capabilities or {}
        name = str(capabilities.get("browserName", "a browser"))
        for options in _OPTIONS:
            debugger = (capabilities.get(options) or {}).get("debuggerAddress")
            if debugger:
                try:
                    return ChromeListener(str(debugger), self._ledger)
                except (OSError, ValueError, KeyError) as problem:
                    self._ledger.note(f"{name} could not be listened to at {debugger}: {problem}")
        self._ledger.note(f"of {name} only the pages at the ends of tests were seen, and no requests")
        return PagesOnly(driver, self._ledger)

    def _ending(self, for_good: bool, original: Any, driver: Any, *arguments: Any, **named: Any) -> Steps:
        watched = self._watches.get(driver)
        if watched is not None:
            with contextlib.suppress(Exception):
                if watched.has_news or isinstance(watched, PagesOnly):
                    watched.take_snapshot(LEFT)
            # With its last window, the browser ends.
            watched.may_end = True
            if for_good:
                self._watches.pop(driver, None)
                with contextlib.suppress(Exception):
                    watched.close()
        return (yield original(driver, *arguments, **named))


def _unrecorded(original: Any, *arguments: Any, **named: Any) -> Steps:
    with unrecorded():
        return (yield original(*arguments, **named))


class PagesOnly:
    """A browser without DevTools: what its page shows at the end of a test, and its cookies there."""

    def __init__(self, driver: Any, ledger: TrafficLedger) -> None:
        self.number = ledger.new_context()
        self.has_news = False
        self.may_end = False
        self.is_gone = False
        self._driver = driver
        self._ledger = ledger

    def take_snapshot(self, moment: str) -> None:
        snapshot = BrowserSnapshot(self._ledger, self.number, moment)
        try:
            url = str(self._driver.current_url)
            text = str(self._driver.page_source) if moment == LEFT else ""
            if url.startswith("http"):
                snapshot.add_cookies(self._driver.get_cookies())
        except Exception:  # noqa: BLE001 - the browser is gone, or waits for an answer to a dialog
            return
        snapshot.add_page({"url": url, "text": text})
        snapshot.record()

    def close(self) -> None:
        self.is_gone = True
