"""An application that outlives its browser, its pages and its instance."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from unknot.app.crawl.browser_settings import BrowserSettings
from unknot.app.crawl.target import Target, host_of
from unknot.model.errors import RunnerError
from unknot.model.web.element import Element
from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.client_coverage import ClientCoverage
from unknot.web.browser.launch import launch, origin_of, process_of
from unknot.web.browser.own_code import OwnCode
from unknot.web.browser.reading_only import ReadingOnly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

_LOSSES = 5
_STEPS_FOR_A_LOSS = 50
"""It may be lost five times, and once more for so many steps: one that dies at each step ends the crawl."""

_TRIES = 3


class LastingApplication:
    """A browser application, in a browser of its own that reaches its own origin only. A reset starts the browser again
    if it is gone, or if the instance has another port now, and tries again if the instance died. Without an instance,
    an application that does not answer is lost: nothing here can start it.

    Used in the thread of its worker. `busy_for` and `end_browser` may be called in another one.
    """

    def __init__(self, playwright: "Playwright", target: Target, settings: BrowserSettings) -> None:
        self._playwright = playwright
        self._target = target
        self._also = tuple(map(origin_of, settings.also))
        self._settings = settings
        self._browser: Browser | None = None
        self._application: BrowserApplication
        self._origin = self._address = ""
        self._process = 0
        self._busy_since: float | None = None
        self._was_ended = False
        self._steps = self._losses = 0
        self._days_ahead = 0

    @property
    def host(self) -> str:
        """Host and port, as they are now."""
        return host_of(self._address)

    @property
    def origin(self) -> str:
        """Of the application, as it is now."""
        return self._origin

    def reset(self) -> Observation:
        for _ in range(_TRIES - 1):
            try:
                return self._reset()
            except RunnerError as problem:
                is_ours = self._target.is_put_back or problem.slug == "browser-lost"
                if not self._steps or not is_ours or not self._may_be_lost():
                    raise
        return self._reset()

    def perform(self, step: PageStep) -> Observation:
        started = time.monotonic()
        try:
            seen = self._guarded(lambda: self._application.perform(step))
        except RunnerError as problem:
            if problem.slug != "browser-lost" or not self._may_be_lost():
                raise
            why = "the page did not answer" if self._was_ended else problem.message
            seconds = time.monotonic() - started
            return Observation(self._address, "", Element("document"), refusal=why, is_lost=True, seconds=seconds)
        self._steps += 1
        return seen

    def look_again(self) -> Observation | None:
        """None also if the page is lost by that: the next step shows it."""
        with self._busy():
            try:
                return self._application.look_again()
            except Exception:
                if self._browser is None or self._browser.is_connected():
                    raise
                return None

    def visit(self, address: str) -> Observation:
        """What an address shows, by GET, to those who are logged in now."""
        return self._guarded(lambda: self._application.visit(address))

    def shift_clock(self, days: int) -> None:
        """So far ahead is the clock of the browser, from the next reset on; not that of the application's server."""
        self._days_ahead = days

    def screenshot(self) -> bytes:
        with self._busy():
            return self._application.screenshot()

    def busy_for(self) -> float:
        """For how long it has been waiting for the browser or the login."""
        since = self._busy_since
        return 0.0 if since is None else time.monotonic() - since

    def end_browser(self) -> None:
        """Whatever waits for it goes on with an error."""
        if self._process:
            self._was_ended = True
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)

    def close(self) -> None:
        try:
            self._close_browser()
        finally:
            self._target.close()

    def _reset(self) -> Observation:
        self._address = self._target.clean()
        return self._guarded(self._opened)

    def _opened(self) -> Observation:
        origin = origin_of(self._address)
        if self._browser is None or not self._browser.is_connected() or origin != self._origin:
            self._close_browser()
            self._browser, self._origin = launch(self._playwright, (origin, *self._also)), origin
            self._process, self._was_ended = process_of(self._browser), False
            settings = self._settings
            own_code = OwnCode((origin, *self._also), settings.libraries)
            server = self._target.coverage
            self._application = BrowserApplication(
                self._browser,
                lambda: self._address,
                settings.login,
                ClientCoverage(own_code) if settings.measures_code else None,
                server.taken if server is not None else None,
                ReadingOnly((origin, *self._also)) if settings.reads_only else None,
                keeps_login=settings.keeps_login,
                keep_html=settings.keeps_html,
            )
        self._application.days_ahead = self._days_ahead
        try:
            return self._application.reset()
        except RunnerError as problem:
            if self._was_ended and problem.slug == "crawl-login-failed":
                message = f"the login did not end: {problem.message}"
                raise RunnerError(message, hint=problem.hint, slug=problem.slug) from problem
            raise

    def _guarded(self, action: Callable[[], Observation]) -> Observation:
        with self._busy():
            try:
                return action()
            except Exception as problem:
                # Playwright's own errors, which begin wherever the browser was when it ended.
                if isinstance(problem, RunnerError) or self._browser is None or self._browser.is_connected():
                    raise
                raise RunnerError(
                    "the browser was lost", hint="Run the command again to resume.", slug="browser-lost"
                ) from problem

    @contextmanager
    def _busy(self) -> Iterator[None]:
        self._busy_since = time.monotonic()
        try:
            yield
        finally:
            self._busy_since = None

    def _may_be_lost(self) -> bool:
        self._losses += 1
        return self._losses <= _LOSSES + self._steps // _STEPS_FOR_A_LOSS

    def _close_browser(self) -> None:
        browser, self._browser, self._process = self._browser, None, 0
        if browser is not None:
            # It may have ended by itself.
            with suppress(Exception):
                self._application.close()
            with suppress(Exception):
                browser.close()
