"""Makes every browser context that the suite opens through Playwright be watched, whichever way it opens it."""

import functools
import json
from collections.abc import Callable
from typing import Any

from unknot.runners.pytest.inside.browser.playwright_context import PlaywrightContext
from unknot.runners.pytest.inside.browser.playwright_steps import Steps, drive_awaiting, drive_now
from unknot.runners.pytest.inside.browser.traffic_ledger import MOST_BODY, TrafficLedger, is_text
from unknot.runners.pytest.inside.browser.watched_browsers import WatchedBrowsers

_API_METHODS = ("get", "post", "put", "patch", "delete", "head", "fetch")


class PlaywrightHook:
    """Replaces public methods of the public classes of `playwright.sync_api` or `playwright.async_api`: they do what
    they did, and then report what they opened."""

    def __init__(self, ledger: TrafficLedger, watches: WatchedBrowsers) -> None:
        self._ledger = ledger
        self._watches = watches

    def sync_imported(self, module: Any) -> None:
        self._install(module, is_async=False)

    def async_imported(self, module: Any) -> None:
        self._install(module, is_async=True)

    def _install(self, module: Any, *, is_async: bool) -> None:
        def watch(context: Any) -> None:
            if context not in self._watches.of_playwright:
                self._watches.of_playwright[context] = PlaywrightContext(context, self._ledger, is_async=is_async)

        def watch_all(browser: Any) -> None:
            for context in browser.contexts:
                watch(context)

        opening: list[tuple[Any, str, Callable[[Any], None]]] = [
            (module.Browser, "new_context", watch),
            (module.Browser, "new_page", lambda page: watch(page.context)),
            (module.BrowserType, "launch_persistent_context", watch),
            (module.BrowserType, "connect_over_cdp", watch_all),
            (module.BrowserType, "launch", lambda browser: None),
        ]
        for owner, name, opened in opening:
            self._after(owner, name, opened, is_async=is_async)
        for owner, leave in (
            (module.Page, self._leave_page),
            (module.BrowserContext, self._leave_context),
            (module.Browser, self._leave_browser),
        ):
            _before(owner, "close", leave, is_async=is_async)
        for name in _API_METHODS:
            self._api(module.APIRequestContext, name, is_async=is_async)

    def _after(self, owner: Any, name: str, opened: Callable[[Any], None], *, is_async: bool) -> None:
        original = getattr(owner, name)

        def quietly(result: Any) -> Any:
            try:
                opened(result)
            except Exception as problem:  # noqa: BLE001 - the suite's browser is open, with us or without
                self._ledger.note(f"a browser was opened that could not be watched: {problem}")
            return result

        @functools.wraps(original)
        def now(*arguments: Any, **named: Any) -> Any:
            try:
                result = original(*arguments, **named)
            except Exception as problem:
                self._ledger.not_started(problem)
                raise
            return quietly(result)

        @functools.wraps(original)
        async def awaiting(*arguments: Any, **named: Any) -> Any:
            try:
                result = await original(*arguments, **named)
            except Exception as problem:
                self._ledger.not_started(problem)
                raise
            return quietly(result)

        setattr(owner, name, awaiting if is_async else now)

    def _leave_page(self, page: Any) -> Steps:
        watched = self._watches.of_playwright.get(page.context)
        if watched is not None and watched.has_news:
            yield from watched.leaving(page)

    def _leave_context(self, context: Any) -> Steps:
        watched = self._watches.of_playwright.get(context)
        if watched is not None and watched.has_news:
            yield from watched.looking("left")

    def _leave_browser(self, browser: Any) -> Steps:
        for context in browser.contexts:
            yield from self._leave_context(context)

    def _api(self, owner: Any, name: str, *, is_async: bool) -> None:
        """Requests that the test sends without a browser."""
        original = getattr(owner, name)

        @functools.wraps(original)
        def now(*arguments: Any, **named: Any) -> Any:
            begun = (self._ledger.owner, self._ledger.moment())
            answer = original(*arguments, **named)
            drive_now(self._tell_api(begun, name, named, answer))
            return answer

        @functools.wraps(original)
        async def awaiting(*arguments: Any, **named: Any) -> Any:
            begun = (self._ledger.owner, self._ledger.moment())
            answer = await original(*arguments, **named)
            await drive_awaiting(self._tell_api(begun, name, named, answer))
            return answer

        setattr(owner, name, awaiting if is_async else now)

    def _tell_api(self, begun: tuple[str, int], name: str, named: dict[str, Any], answer: Any) -> Steps:
        body, body_type = sent_body(named)
        owner, moment = begun
        kind = answer.headers.get("content-type", "")
        text = ""
        try:
            if is_text(kind):
                text = yield answer.text()
        except Exception:  # noqa: BLE001 - it is in another encoding, or the test has disposed of it
            text = ""
        self._ledger.exchange(
            owner,
            context=0,
            moment=moment,
            method=str(named.get("method") or "GET").upper() if name == "fetch" else name.upper(),
            url=answer.url,
            resource="api",
            body=body[:MOST_BODY],
            body_type=body_type,
            referer="",
            status=answer.status,
            type=kind,
            location=answer.headers.get("location", ""),
            text=text,
        )


def sent_body(named: dict[str, Any]) -> tuple[str, str]:
    """What a call to Playwright's own HTTP client sends, as JSON whatever it is sent as."""
    for option in ("form", "multipart", "data"):
        given = named.get(option)
        if isinstance(given, dict | list):
            return json.dumps(given, default=_file_name), "application/json"
        if isinstance(given, bytes):
            return given.decode("utf-8", "replace"), ""
        if isinstance(given, str):
            return given, ""
    return "", ""


def _file_name(given: Any) -> str:
    return str(getattr(given, "name", ""))


def _before(owner: Any, name: str, leave: Callable[[Any], Steps], *, is_async: bool) -> None:
    original = getattr(owner, name)

    @functools.wraps(original)
    def now(self: Any, *arguments: Any, **named: Any) -> Any:
        drive_now(leave(self))
        return original(self, *arguments, **named)

    @functools.wraps(original)
    async def awaiting(self: Any, *arguments: Any, **named: Any) -> Any:
        await drive_awaiting(leave(self))
        return await original(self, *arguments, **named)

    setattr(owner, name, awaiting if is_async else now)
