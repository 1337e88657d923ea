"""A web application in a real browser, behind the protocol of all applications."""

import importlib.resources
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from playwright.sync_api import Error
from playwright.sync_api import TimeoutError as TookTooLong

from unknot.model.errors import RunnerError
from unknot.model.sanitise import shown
from unknot.model.web.code_coverage import StepCoverage
from unknot.model.web.element import CHECKED, HOVERED, Element
from unknot.model.web.locator import NO_ARIA, Locator
from unknot.model.web.step import FieldInput, PageStep
from unknot.web.application.login_form import LoginWatch
from unknot.web.application.observation import EventKind, Observation, PageEvent
from unknot.web.browser.client_coverage import ClientCoverage
from unknot.web.browser.events import PageEvents
from unknot.web.browser.loading import PageLoading
from unknot.web.browser.reading_only import ReadingOnly
from unknot.web.browser.snapshot import SNAPSHOT_OPTIONS, element_tree
from unknot.web.browser.uploads import upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession, FrameLocator, Page
    from playwright.sync_api import Locator as BrowserLocator

_ACTION_MS = 2_000.0
"""An element that cannot be clicked or filled by then is not what the step means."""

_LOAD_MS = 20_000.0
_LOGIN_MS = 30_000.0
_HOVER_MS = 500.0
_SETTLE_MS = 3_000
_ERROR_PAGE = "chrome-error:"
_MOST_BACKGROUND = 200
_SEVERAL = "strict mode violation"
_FOUND = "locator resolved to"
_TICKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_MOST_NAVIGATIONS = 10
"""A page that leads on by itself more often than that is restless."""

_MOST_READINGS = 3
"""A page may go on to another one while it is read."""

_GRACE_MS = 5_000
"""What a page may take to say that it has not settled. One that says nothing is busy for ever."""

_MOST_ELEMENTS = 60_000
"""Larger pages take minutes to read."""

_PICTURE_QUALITY = 60
_DAY_SECONDS = 86_400
_LOGIN_LOST = "the login was lost"
_UNREACHABLE = "the page that follows cannot be reached"

_Done = TypeVar("_Done")
Login = Callable[["Page"], None]
ServerCoverageTaken = Callable[[], StepCoverage]
"""What the server ran since it was taken last."""


class BrowserApplication:
    """One page of a browser. Each reset makes a new context, so that nothing of the last one is left in the browser;
    `clean` puts the application itself back and returns the address at which it begins. `login` is called on the first
    page after each reset, and again when the login is lost, if `keeps_login`. Without `client`, no coverage is
    measured. With `reading`, only the login may send what changes data. `keep_html`: observations have the document.
    Used in one thread; `close` ends the context, not the browser. `days_ahead`: so far ahead is the clock of the
    browser, from the next reset on."""

    def __init__(
        self,
        browser: "Browser",
        clean: Callable[[], str],
        login: Login | None = None,
        client: ClientCoverage | None = None,
        server: ServerCoverageTaken | None = None,
        reading: ReadingOnly | None = None,
        *,
        keeps_login: bool = True,
        keep_html: bool = False,
    ) -> None:
        self.days_ahead = 0
        self._reading = reading
        self._browser = browser
        self._clean = clean
        self._login = login
        self._keep_html = keep_html
        self._client = client
        self._server = server
        self._watch = LoginWatch() if login is not None and keeps_login else None
        self._context: BrowserContext | None = None
        self._page: Page
        self._devtools: CDPSession
        self._events = PageEvents()
        self._loading = PageLoading()
        self._root = Element("document")
        """What was in view last."""
        self._before_login: Element | None = None
        """The first page, as those see it who are not logged in."""
        self._home = ""
        """The address at which the login has ended."""
        self._asks_anyway = ""
        """The address of a page with a login form for those who are logged in as well."""
        self._background: dict[str, None] = {}
        """Requests that pages repeat by themselves, as the settling script names them."""

    def reset(self) -> Observation:
        return self._measured(self._reset())

    def _reset(self) -> Observation:
        started = time.monotonic()
        address = self._clean()
        self.close()
        self._context = self._browser.new_context(accept_downloads=False, service_workers="block")
        self._context.set_default_timeout(_ACTION_MS)
        self._context.set_default_navigation_timeout(_LOAD_MS)
        if self.days_ahead:
            self._context.clock.install(time=time.time() + _DAY_SECONDS * self.days_ahead)
        self._context.add_init_script(_settling_script())
        self._page = self._context.new_page()
        self._events.follow(self._context, self._page)
        self._loading.follow(self._page)
        self._devtools = self._context.new_cdp_session(self._page)
        self._devtools.send("DOM.enable")
        self._devtools.send("Accessibility.enable")
        if self._client is not None:
            self._client.follow(self._page, self._devtools)
        if self._reading is not None:
            self._reading.follow(self._context, self._events)
            self._reading.is_on = self._login is None
        self._open(address)
        if self._login is None:
            return self._first(started, address)
        if self._watch is not None and self._before_login is None:
            self._before_login = self._observe(started).root
        self._log_in(address)
        # It may have gone on after the last page was loaded.
        self._loading.forget()
        after = self._first(started, address)
        self._home, self._asks_anyway = self._page.url, ""
        if self._watch is not None and self._before_login is not None:
            self._watch.logged_in(self._before_login, after.root)
        return after

    def perform(self, step: PageStep) -> Observation:
        after = self._perform(step)
        if self._watch is not None and self._watch.is_lost(after.root) and self._is_logged_out(after):
            after = self._log_in_again(after)
        return self._measured(after)

    def visit(self, address: str) -> Observation:
        """What an address shows, by GET. One that cannot be reached is a refusal."""
        started = time.monotonic()
        try:
            self._page.goto(address, wait_until="commit")
        except Error as problem:
            # A download, for example.
            self._check_browser(problem)
            return self._lost(started, _first_line(problem))
        return self._measured(self._observe(started))

    def screenshot(self) -> bytes:
        """What is in view now, as a JPEG; empty if the browser does not make one."""
        try:
            return self._page.screenshot(type="jpeg", quality=_PICTURE_QUALITY, animations="disabled")
        except Error:
            return b""

    def _perform(self, step: PageStep) -> Observation:
        started = time.monotonic()
        refusal = ""
        self._loading.forget()
        if self._reading is not None:
            self._reading.begin()
        address = self._page.url
        try:
            enters = False
            for each in step.inputs:
                # Without a button, Enter is pressed where the focus is.
                enters = self._fill(each, is_needed=not step.locators)
            if step.locators:
                self._tried(step.locators, lambda found, _: found.click(no_wait_after=True))
            elif enters:
                self._page.keyboard.press("Enter")
        except (TookTooLong, _Refused) as problem:
            refusal = _first_line(problem)
        except Error as problem:
            self._check_browser(problem)
            refusal = _first_line(problem)
        after = self._observe(started, refusal)
        if self._reading is not None and not after.refusal:
            after = replace(after, refusal=self._reading.refusal(was_loaded=self._loading.was_safe))
        return self._gone_back(address, after) if after.refusal == _UNREACHABLE else after

    def _check_browser(self, problem: Error) -> None:
        if not self._browser.is_connected():
            raise RunnerError(
                f"the browser was lost: {_first_line(problem)}",
                hint="Run the command again to resume.",
                slug="browser-lost",
            ) from problem

    def _gone_back(self, address: str, refused: Observation) -> Observation:
        """The page that was in view before, or, if it cannot be had either, no page."""
        started = time.monotonic()
        try:
            self._page.goto(address, wait_until="commit")
        except Error as problem:
            self._check_browser(problem)
            return replace(refused, is_lost=True)
        again = self._observe(started, refused.refusal)
        return replace(again, events=refused.events + again.events, seconds=refused.seconds + again.seconds)

    def _is_logged_out(self, seen: Observation) -> bool:
        """Whether a page with a login form is there because the login is lost: then the page at which the login has
        ended has one too. Some applications show one to everybody."""
        assert self._context is not None
        assert self._watch is not None
        if seen.address == self._asks_anyway:
            return False
        with self._events.without_popups():
            other = self._context.new_page()
        try:
            other.goto(self._home, wait_until="load")
            found = other.wait_for_function(_REST, arg=[_SETTLE_MS, [], False], timeout=_SETTLE_MS + _GRACE_MS)
            found.dispose()
            devtools = self._context.new_cdp_session(other)
            devtools.send("DOM.enable")
            devtools.send("Accessibility.enable")
            is_lost = self._watch.is_lost(_tree(devtools))
        except Error as problem:
            self._check_browser(problem)
            return True
        finally:
            other.close()
        self._asks_anyway = "" if is_lost else seen.address
        return is_lost

    def _log_in_again(self, lost: Observation) -> Observation:
        """The step counts as refused: what it led to is there for those who are not logged in."""
        started = time.monotonic()
        address = lost.address
        try:
            self._log_in(address)
            after = self._observe(started, _LOGIN_LOST)
            is_back = self._watch is not None and not self._watch.is_lost(after.root)
        except RunnerError:
            # The function may need the page on which the application begins.
            after, is_back = self._lost(started, _LOGIN_LOST), False
        return replace(
            after,
            refusal=_LOGIN_LOST,
            events=(*lost.events, PageEvent(EventKind.LOGIN_LOST, address), *after.events),
            seconds=lost.seconds + after.seconds,
            is_lost=after.is_lost or not is_back,
        )

    def look_again(self) -> Observation | None:
        started = time.monotonic()
        address = self._page.url
        if not self._loading.was_safe:
            return None
        try:
            self._page.reload()
        except Error as problem:
            self._check_browser(problem)
            return None
        seen = self._observe(started)
        return seen if seen.address == address and not seen.refusal else None

    def close(self) -> None:
        if self._context is not None:
            self._context.close()
            self._context = None

    def _open(self, address: str) -> None:
        try:
            # Whatever else it loads is waited for when it settles.
            self._page.goto(address, wait_until="commit")
        except Error as problem:
            raise _no_answer(address, _first_line(problem)) from problem

    def _first(self, started: float, address: str) -> Observation:
        seen = self._observe(started)
        if seen.refusal:
            raise _no_answer(address, seen.refusal)
        return seen

    def _log_in(self, address: str) -> None:
        assert self._login is not None
        # It is the user's own code, written for a browser that waits longer.
        self._page.set_default_timeout(_LOGIN_MS)
        if self._reading is not None:
            self._reading.is_on = False
        try:
            self._login(self._page)
        except Exception as problem:
            raise RunnerError(
                f"the login failed{_where(problem, self._login)}: {type(problem).__name__}: {_first_line(problem)}",
                hint=f"Try your login function by hand on {shown(address)}.",
                slug="crawl-login-failed",
            ) from problem
        finally:
            if self._reading is not None:
                self._reading.is_on = True
        self._page.set_default_timeout(_ACTION_MS)

    def _observe(self, started: float, refusal: str = "") -> Observation:
        """What is in view. If there is no page to read any more, one without elements that is lost."""
        for _ in range(_MOST_READINGS):
            try:
                seen = self._read(started, refusal)
                self._root = seen.root
                return seen
            except _Refused as problem:
                return self._lost(started, str(problem))
            except Error as problem:
                self._check_browser(problem)
                if self._is_gone():
                    return self._lost(started, self._events.why_gone or "the page closed itself")
        return self._lost(started, "the page does not hold still")

    def _lost(self, started: float, why: str) -> Observation:
        seconds = time.monotonic() - started
        events = self._events.taken()
        self._root = Element("document")
        return Observation(self._page.url, "", self._root, events, refusal=why, seconds=seconds, is_lost=True)

    def _read(self, started: float, refusal: str) -> Observation:
        rest = self._settle()
        page = self._page
        if page.url.startswith(_ERROR_PAGE):
            # The browser's own page has buttons too.
            why = refusal or _UNREACHABLE
            seconds = time.monotonic() - started
            return Observation(page.url, "", Element("document"), self._events.taken(), why, seconds=seconds)
        if rest.elements > _MOST_ELEMENTS:
            raise _Refused(f"the page has more than {_MOST_ELEMENTS:,} elements")
        return Observation(
            page.url,
            rest.title,
            _tree(self._devtools, rest.objections),
            self._events.taken(),
            refusal=refusal,
            is_restless=not rest.is_quiet,
            seconds=time.monotonic() - started,
            html=self._page.content() if self._keep_html else "",
        )

    def _measured(self, seen: Observation) -> Observation:
        """With the code that ran since the last observation that was handed out: looks in between have none."""
        if self._client is None or seen.is_lost:
            return seen
        client = self._client.taken()
        return replace(seen, coverage=client.union(self._server()) if self._server is not None else client)

    def _settle(self) -> "Rest":
        """Waits until nothing that the step has caused is under way."""
        until = time.monotonic() + _SETTLE_MS / 1000
        navigations = 0
        while navigations < _MOST_NAVIGATIONS:
            is_loaded = False
            try:
                self._page.wait_for_load_state("load")
                is_loaded = True
                given = [_SETTLE_MS, list(self._background), self._events.stays]
                # Unlike `evaluate`, this ends although the page never answers.
                found = self._page.wait_for_function(_REST, arg=given, timeout=_SETTLE_MS + _GRACE_MS)
                answer = found.json_value()
            except TookTooLong:
                if is_loaded:
                    self._check_answers()
                break
            except Error:
                if self._is_gone():
                    raise
                navigations += 1
                continue
            if answer["isLeaving"] and time.monotonic() < until:
                continue
            self._background |= dict.fromkeys(answer["background"][: _MOST_BACKGROUND - len(self._background)])
            objections = {int(number): str(text) for number, text in answer["objections"]}
            return Rest(bool(answer["isQuiet"]), str(answer["title"]), int(answer["elements"]), objections)
        return Rest(False, "", 0, {})

    def _check_answers(self) -> None:
        """A page that leads on all the time answers now and then; one whose script never ends does not."""
        try:
            self._page.wait_for_function("() => true", timeout=_ACTION_MS)
        except TookTooLong:
            raise _Refused("the page does not respond") from None

    def _is_gone(self) -> bool:
        return self._page.is_closed() or bool(self._events.why_gone)

    def _fill(self, given: FieldInput, *, is_needed: bool) -> bool:
        """Whether it is a field for text. A field that has the value already is left alone, unless it `is_needed`:
        buttons that ask for a second click forget the first one when another field is entered."""

        def fill(field: "BrowserLocator", known: Element | None) -> bool:
            if not is_needed and known is not None and _holds(known, given.value):
                return False
            if known is not None and known.tag:
                tag, kind = known.tag, known.attribute("type").lower()
            else:
                tag, kind = field.evaluate("element => [element.localName, element.type || '']")
            if tag == "select":
                field.select_option(label=given.value, no_wait_after=True)
            elif kind in ("checkbox", "radio") or (known is not None and known.role in _TICKED):
                field.set_checked(given.value == "on", no_wait_after=True)
            elif kind == "file":
                field.set_input_files(upload(given.value))
            else:
                field.fill(given.value, no_wait_after=True)
                return True
            return False

        return self._tried(given.locators, fill)

    def _tried(self, locators: tuple[Locator, ...], do: "Callable[[BrowserLocator, Element | None], _Done]") -> _Done:
        """With the first locator that means exactly one element. What was in view last decides that, without the
        browser, unless the step has changed it since."""
        for each in locators:
            known = each.find(self._root)
            if len(known) == 1:
                try:
                    hidden = HOVERED in known[0].states
                    found = browser_locator(self._page, each, hidden=hidden)
                    if hidden:
                        self._hover(found)
                    return do(found, known[0])
                except TookTooLong as problem:
                    # Playwright may compute another name for it than the browser does; then the next one finds it.
                    if _FOUND in str(problem):
                        raise
                    self._check_answers()
                except Error as problem:
                    if _SEVERAL not in str(problem):
                        raise
        for each in locators:
            found = browser_locator(self._page, each)
            if found.count() == 1:
                return do(found, None)
        raise _Refused("there is no such element, or several")

    def _hover(self, hidden: "BrowserLocator") -> None:
        """Moves the pointer to where the element is, so that it shows."""
        hidden.evaluate("element => element.scrollIntoView({block: 'center', behavior: 'instant'})", timeout=_HOVER_MS)
        box = hidden.bounding_box(timeout=_HOVER_MS)
        if box is not None:
            self._page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if not hidden.is_visible():
            raise _Refused("it does not show when the pointer is there")


def _tree(devtools: "CDPSession", objections: Mapping[int, str] | None = None) -> Element:
    snapshot = devtools.send("DOMSnapshot.captureSnapshot", SNAPSHOT_OPTIONS)
    return element_tree(snapshot, devtools.send("Accessibility.getFullAXTree"), objections)


@dataclass(frozen=True)
class Rest:
    """`objections` are what the browser says of fields with which it does not send a form, by their numbers."""

    is_quiet: bool
    title: str
    elements: int
    objections: Mapping[int, str]


class _Refused(Exception):
    """The step cannot be performed on this page."""


def _holds(field: Element, value: str) -> bool:
    """Whether a field had this value when the page was read."""
    if field.role in ("checkbox", "radio") and field.tag == "input":
        return (CHECKED in field.states) == (value == "on")
    return field.tag in ("input", "select", "textarea") and field.value == value != ""


def _no_answer(address: str, why: str) -> RunnerError:
    return RunnerError(
        f"{shown(address)} does not answer: {why}",
        hint="Start the application, and check the address.",
        slug="crawl-no-answer",
    )


def browser_locator(page: "Page", locator: Locator, *, hidden: bool = False) -> "BrowserLocator":
    """The same elements in the browser; `hidden`: also those that cannot be seen."""
    scope: Page | BrowserLocator | FrameLocator = page
    found: BrowserLocator | None = None
    for each in locator.chain():
        found = _within(scope, each, hidden=hidden)
        if each.text and (each.role or each.attribute):
            found = found.filter(has_text=each.text)
        if each.nth is not None:
            found = found.nth(each.nth)
        scope = found
    assert found is not None
    return found


def _within(scope: "Page | BrowserLocator | FrameLocator", locator: Locator, *, hidden: bool) -> "BrowserLocator":
    if locator.attribute is not None:
        name, value = locator.attribute
        escaped = "".join(char if char.isalnum() else f"\\{ord(char):x} " for char in value)
        # A field to upload files is often hidden under a nicer button.
        seen = "" if hidden else ':is(:visible, [type="file"])'
        by_attribute = scope.locator(f'[{name}="{escaped}"]{seen}')
        if not locator.name:
            return by_attribute
        return by_attribute.and_(_by_role(scope, locator, hidden=hidden))
    return _by_role(scope, locator, hidden=hidden)


def _by_role(scope: "Page | BrowserLocator | FrameLocator", locator: Locator, *, hidden: bool) -> "BrowserLocator":
    if locator.role == "form" and not locator.name:
        # Without a name it has no role for Playwright.
        return scope.locator("form")
    if not locator.role:
        return scope.get_by_text(locator.text, exact=True)
    if locator.role in NO_ARIA:
        return scope.get_by_label(locator.name, exact=True)
    if locator.name:
        return scope.get_by_role(locator.role, name=locator.name, exact=True, include_hidden=hidden)  # type: ignore[arg-type]
    return scope.get_by_role(locator.role, include_hidden=hidden)  # type: ignore[arg-type]


def _where(problem: Exception, login: Login) -> str:
    """The line of the user's file."""
    file = getattr(getattr(login, "__code__", None), "co_filename", "")
    lines = [each.lineno for each in traceback.extract_tb(problem.__traceback__) if each.filename == file]
    return f" at {shown(file)}:{lines[-1]}" if lines else ""


def _first_line(problem: Exception) -> str:
    return shown(str(problem).partition("\n")[0])


def _settling_script() -> str:
    return importlib.resources.files(__package__).joinpath("settled.js").read_text(encoding="utf-8")


_REST = """([most, background, stays]) => {
  const settled = window[Symbol.for("unknot.settled")];
  const fields = () => [...document.querySelectorAll("input, select, textarea")].slice(0, 5000);
  const said = (rest) => ({
    ...rest,
    title: String(document.title || "").slice(0, 1000),
    elements: document.getElementsByTagName("*").length,
    objections: fields().flatMap((field, number) =>
      field.matches(":user-invalid") ? [[number, String(field.validationMessage).slice(0, 200)]] : []),
  });
  if (!settled) return said({isQuiet: true, isLeaving: false, background: []});
  return settled(most, background, stays).then(said);
}"""
"""Waits, and says what the page was waiting for."""
