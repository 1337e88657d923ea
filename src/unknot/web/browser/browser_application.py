"""A web application in a real browser, behind the protocol of all applications."""

import importlib.resources
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from playwright.sync_api import Error
from playwright.sync_api import TimeoutError as TookTooLong

from unknot.model.errors import RunnerError
from unknot.model.sanitise import shown
from unknot.web.application.element import Element
from unknot.web.application.locator import Locator
from unknot.web.application.observation import Observation
from unknot.web.application.step import FieldInput, PageStep
from unknot.web.browser.events import PageEvents
from unknot.web.browser.snapshot import SNAPSHOT_OPTIONS, element_tree

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, FrameLocator, Page
    from playwright.sync_api import Locator as BrowserLocator

_ACTION_MS = 2_000.0
"""An element that cannot be clicked or filled by then is not what the step means."""

_LOAD_MS = 20_000.0
_SETTLE_MS = 3_000
_ERROR_PAGE = "chrome-error:"
_MOST_NAVIGATIONS = 10
"""A page that leads on by itself more often than that is restless."""

Login = Callable[["Page"], None]


class BrowserApplication:
    """One page of a browser. Each reset makes a new context, so that nothing of the last one is left in the browser;
    `clean` puts the application itself back and returns the address at which it begins. `login` is called on the first
    page after each reset. Used in one thread; `close` ends the context, not the browser."""

    def __init__(self, browser: "Browser", clean: Callable[[], str], login: Login | None = None) -> None:
        self._browser = browser
        self._clean = clean
        self._login = login
        self._context: BrowserContext | None = None
        self._page: Page
        self._devtools: CDPSession
        self._events = PageEvents()

    def reset(self) -> Observation:
        started = time.monotonic()
        address = self._clean()
        self.close()
        self._context = self._browser.new_context(accept_downloads=False, service_workers="block")
        self._context.set_default_timeout(_ACTION_MS)
        self._context.set_default_navigation_timeout(_LOAD_MS)
        self._context.add_init_script(_settling_script())
        self._page = self._context.new_page()
        self._events.follow(self._context, self._page)
        self._devtools = self._context.new_cdp_session(self._page)
        self._devtools.send("DOM.enable")
        self._devtools.send("Accessibility.enable")
        self._open(address)
        self._log_in(address)
        return self._observe(started)

    def perform(self, step: PageStep) -> Observation:
        started = time.monotonic()
        refusal = ""
        try:
            enters = False
            for each in step.inputs:
                enters = self._fill(each)
            if step.locators:
                self._one(step.locators).click()
            elif enters:
                self._page.keyboard.press("Enter")
        except (TookTooLong, _Refused) as problem:
            refusal = _first_line(problem)
        except Error as problem:
            if self._page.is_closed() or not self._browser.is_connected():
                raise RunnerError(
                    f"the browser was lost: {_first_line(problem)}",
                    hint="Run the command again to resume.",
                    slug="browser-lost",
                ) from problem
            refusal = _first_line(problem)
        return self._observe(started, refusal)

    def close(self) -> None:
        if self._context is not None:
            self._context.close()
            self._context = None

    def _open(self, address: str) -> None:
        try:
            self._page.goto(address)
        except Error as problem:
            raise RunnerError(
                f"{shown(address)} does not answer: {_first_line(problem)}",
                hint="Start the application, and check the address.",
                slug="crawl-no-answer",
            ) from problem

    def _log_in(self, address: str) -> None:
        if self._login is None:
            return
        try:
            self._login(self._page)
        except Exception as problem:
            raise RunnerError(
                f"the login failed: {type(problem).__name__}: {_first_line(problem)}",
                hint=f"Try your login function by hand on {shown(address)}.",
                slug="crawl-login-failed",
            ) from problem

    def _observe(self, started: float, refusal: str = "") -> Observation:
        settled = self._settle()
        page, devtools = self._page, self._devtools
        if page.url.startswith(_ERROR_PAGE):
            # The browser's own page has buttons too.
            why = refusal or "the page that follows cannot be reached"
            seconds = time.monotonic() - started
            return Observation(page.url, "", Element("document"), self._events.taken(), refusal=why, seconds=seconds)
        snapshot = devtools.send("DOMSnapshot.captureSnapshot", SNAPSHOT_OPTIONS)
        accessibility = devtools.send("Accessibility.getFullAXTree")
        events = self._events.taken()
        return Observation(
            page.url,
            page.title(),
            element_tree(snapshot, accessibility),
            events,
            refusal=refusal,
            is_restless=not settled,
            seconds=time.monotonic() - started,
        )

    def _settle(self) -> bool:
        """Waits until nothing that the step has caused is under way."""
        for _ in range(_MOST_NAVIGATIONS):
            try:
                self._page.wait_for_load_state("load")
                answer = self._page.evaluate(_IS_SETTLED, _SETTLE_MS)
            except TookTooLong:
                return False
            except Error:
                # The page has gone on to another one meanwhile.
                if self._page.is_closed():
                    raise
                continue
            return bool(answer)
        return False

    def _fill(self, given: FieldInput) -> bool:
        """Whether it is a field for text."""
        field = self._one(given.locators)
        tag, kind = field.evaluate("element => [element.tagName, element.type || '']")
        if tag == "SELECT":
            field.select_option(label=given.value)
        elif kind in ("checkbox", "radio"):
            field.set_checked(given.value == "on")
        elif kind == "file":
            field.set_input_files({"name": given.value, "mimeType": "text/plain", "buffer": b"unknot\n"})
        else:
            field.fill(given.value)
            return True
        return False

    def _one(self, locators: tuple[Locator, ...]) -> "BrowserLocator":
        for each in locators:
            found = browser_locator(self._page, each)
            if found.count() == 1:
                return found
        raise _Refused("there is no such element, or several")


class _Refused(Exception):
    """The step cannot be performed on this page."""


def browser_locator(page: "Page", locator: Locator) -> "BrowserLocator":
    """The same elements in the browser."""
    scope: Page | BrowserLocator | FrameLocator = page
    found: BrowserLocator | None = None
    for each in locator.chain():
        found = _within(scope, each)
        if each.text:
            found = found.filter(has_text=each.text)
        if each.nth is not None:
            found = found.nth(each.nth)
        scope = found
    assert found is not None
    return found


def _within(scope: "Page | BrowserLocator | FrameLocator", locator: Locator) -> "BrowserLocator":
    if locator.attribute is not None:
        name, value = locator.attribute
        escaped = "".join(char if char.isalnum() else f"\\{ord(char):x} " for char in value)
        by_attribute = scope.locator(f'[{name}="{escaped}"]:visible')
        if not locator.name:
            return by_attribute
        return by_attribute.and_(_by_role(scope, locator))
    return _by_role(scope, locator)


def _by_role(scope: "Page | BrowserLocator | FrameLocator", locator: Locator) -> "BrowserLocator":
    if locator.role == "form" and not locator.name:
        # Without a name it has no role for Playwright.
        return scope.locator("form")
    if locator.name:
        return scope.get_by_role(locator.role, name=locator.name, exact=True)  # type: ignore[arg-type]
    return scope.get_by_role(locator.role)  # type: ignore[arg-type]


def _first_line(problem: Exception) -> str:
    return shown(str(problem).partition("\n")[0])


def _settling_script() -> str:
    return importlib.resources.files(__package__).joinpath("settled.js").read_text(encoding="utf-8")


_IS_SETTLED = """most => {
  const settled = window[Symbol.for("unknot.settled")];
  return settled ? settled(most) : true;
}"""
