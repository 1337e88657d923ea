"""Watches every browser context that the suite opens through Playwright, whichever way it opens it."""

import json
from functools import partial
from typing import Any

from unknot.runners.pytest.inside.browser.method_hooks import Steps, quiet, replace_method, soon
from unknot.runners.pytest.inside.browser.playwright_context import PlaywrightContext
from unknot.runners.pytest.inside.browser.snapshots import LEFT, WatchedBrowsers
from unknot.runners.pytest.inside.browser.traffic_ledger import RecordedExchange, TrafficLedger

_API_METHODS = ("get", "post", "put", "patch", "delete", "head", "fetch")


class PlaywrightHook:
    """Replaces public methods of the public classes of `playwright.sync_api` or `playwright.async_api`: they do what
    they did, and report what they opened."""

    def __init__(self, ledger: TrafficLedger, watches: WatchedBrowsers) -> None:
        self._ledger = ledger
        self._watches = watches

    def imported(self, module: Any, *, is_async: bool) -> None:
        def watch(_: Any, context: Any) -> None:
            if context not in self._watches:
                self._watches[context] = PlaywrightContext(context, self._ledger, is_async=is_async)

        def watch_all(_: Any, browser: Any) -> None:
            for context in browser.contexts:
                watch(browser, context)

        opening = self._watches.opening
        replaced = [
            (module.Browser, "new_context", partial(opening, watch)),
            (module.Browser, "new_page", partial(opening, lambda browser, page: watch(browser, page.context))),
            (module.BrowserType, "launch_persistent_context", partial(opening, watch)),
            (module.BrowserType, "connect_over_cdp", partial(opening, watch_all)),
            (module.BrowserType, "launch", partial(opening, lambda *_: None)),
            (module.Page, "close", partial(_closing, self._leave_page)),
            (module.BrowserContext, "close", partial(_closing, self._leave_context)),
            (module.Browser, "close", partial(_closing, self._leave_browser)),
            *((module.APIRequestContext, name, partial(self._requesting, name)) for name in _API_METHODS),
        ]
        for owner, name, steps in replaced:
            replace_method(owner, name, steps, is_async=is_async)

    def _leave_page(self, page: Any) -> Steps:
        watched = self._watches.get(page.context)
        if watched is not None and watched.has_news:
            yield from watched.leave_page(page)

    def _leave_context(self, context: Any) -> Steps:
        watched = self._watches.get(context)
        if watched is not None and watched.has_news:
            yield from watched.snapshot(LEFT)

    def _leave_browser(self, browser: Any) -> Steps:
        for context in browser.contexts:
            yield from self._leave_context(context)

    def _requesting(self, name: str, original: Any, *arguments: Any, **named: Any) -> Steps:
        """Requests that the test sends without a browser."""
        method = str(named.get("method") or "GET") if name == "fetch" else name
        exchange = self._ledger.begin(0, method.upper(), "")
        answer = yield original(*arguments, **named)
        yield from quiet(self._answered(exchange, named, answer))
        return answer

    def _answered(self, exchange: RecordedExchange, named: dict[str, Any], answer: Any) -> Steps:
        exchange.url = answer.url
        exchange.body, exchange.body_type = _sent_body(named)
        exchange.answer(answer.status, answer.headers)
        try:
            if exchange.has_text:
                exchange.text = yield soon(answer.text())
        except Exception:  # noqa: BLE001 - it is in another encoding, or the test has disposed of it
            exchange.text = ""
        self._ledger.exchange(exchange)


def _closing(leave: Any, original: Any, closed: Any, *arguments: Any, **named: Any) -> Steps:
    yield from quiet(leave(closed))
    return (yield original(closed, *arguments, **named))


def _sent_body(named: dict[str, Any]) -> tuple[str, str]:
    """What a call to Playwright's own HTTP client sends, as JSON whatever it is sent as."""
    for option in ("form", "multipart", "data"):
        given = named.get(option)
        if isinstance(given, dict | list):
            return json.dumps(given, default=lambda file: str(getattr(file, "name", ""))), "application/json"
        if isinstance(given, bytes):
            return given.decode("utf-8", "replace"), ""
        if isinstance(given, str):
            return given, ""
    return "", ""
