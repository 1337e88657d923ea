"""Makes every browser that the suite drives through Selenium be watched."""

import contextlib
import functools
from typing import Any

from unknot.runners.pytest.inside.browser.api_calls import unheard
from unknot.runners.pytest.inside.browser.chrome_listener import ChromeListener
from unknot.runners.pytest.inside.browser.page_scripts import Kept
from unknot.runners.pytest.inside.browser.traffic_ledger import TrafficLedger
from unknot.runners.pytest.inside.browser.watched_browsers import LEFT, WatchedBrowsers

_OPTIONS = ("goog:chromeOptions", "ms:edgeOptions")


class SeleniumHook:
    """Chrome, Edge and Chromium report where their DevTools are, also when the driver was attached to a browser that
    ran already. Of others, such as Firefox, only the page at the end of each test is seen."""

    def __init__(self, ledger: TrafficLedger, watches: WatchedBrowsers) -> None:
        self._ledger = ledger
        self._watches = watches

    def imported(self, module: Any) -> None:
        """Takes `selenium.webdriver.remote.webdriver`: every driver is an instance of its class."""
        driver_class = module.WebDriver
        self._after_start(driver_class)
        for name in ("quit", "close"):
            self._before_end(driver_class, name)
        # Commands to the driver are requests too, but none of the application's.
        _silence(module.RemoteConnection, "execute")

    def service_imported(self, module: Any) -> None:
        """Takes `selenium.webdriver.common.service`: so are requests whether the driver is up."""
        _silence(module.Service, "start")
        _silence(module.Service, "stop")

    def _after_start(self, driver_class: Any) -> None:
        original = driver_class.start_session

        @functools.wraps(original)
        def start_session(driver: Any, *arguments: Any, **named: Any) -> Any:
            try:
                result = original(driver, *arguments, **named)
            except Exception as problem:
                self._ledger.not_started(problem)
                raise
            try:
                self._watches.of_selenium[driver] = self._watched(driver)
            except Exception as problem:  # noqa: BLE001 - the suite's browser is open, with us or without
                self._ledger.note(f"a browser was opened that could not be watched: {problem}")
            return result

        driver_class.start_session = start_session

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

    def _before_end(self, driver_class: Any, name: str) -> None:
        original = getattr(driver_class, name)

        @functools.wraps(original)
        def ending(driver: Any, *arguments: Any, **named: Any) -> Any:
            watched = self._watches.of_selenium.get(driver)
            if watched is not None:
                self._leave(driver, watched, for_good=name == "quit")
            return original(driver, *arguments, **named)

        setattr(driver_class, name, ending)

    def _leave(self, driver: Any, watched: "ChromeListener | PagesOnly", *, for_good: bool) -> None:
        with contextlib.suppress(Exception):
            if watched.has_news or isinstance(watched, PagesOnly):
                watched.look(LEFT)
        # With its last window, the browser ends.
        watched.may_end = True
        if for_good:
            self._watches.of_selenium.pop(driver, None)
            with contextlib.suppress(Exception):
                watched.close()


def _silence(owner: Any, name: str) -> None:
    original = getattr(owner, name)

    @functools.wraps(original)
    def unnoticed(*arguments: Any, **named: Any) -> Any:
        with unheard():
            return original(*arguments, **named)

    setattr(owner, name, unnoticed)


class PagesOnly:
    """A browser without DevTools: what its page shows at the end of a test, and its cookies there."""

    def __init__(self, driver: Any, ledger: TrafficLedger) -> None:
        self.number = ledger.new_context()
        self.has_news = False
        self.may_end = False
        self.is_gone = False
        self._driver = driver
        self._ledger = ledger

    def look(self, moment: str) -> None:
        try:
            url = str(self._driver.current_url)
            text = str(self._driver.page_source) if moment == LEFT else ""
            kept = Kept()
            if url.startswith("http"):
                kept.add_cookies(self._driver.get_cookies())
        except Exception:  # noqa: BLE001 - the browser is gone, or waits for an answer to a dialog
            return
        if moment == LEFT and url.startswith("http"):
            self._ledger.page(self._ledger.owner, context=self.number, time=self._ledger.moment(), url=url, text=text)
        self._ledger.look(self.number, moment, kept)

    def close(self) -> None:
        self.is_gone = True
