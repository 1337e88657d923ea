"""One browser context of Playwright: its requests as they come, its pages and storage between the phases of a test."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

from unknot.runners.pytest.inside.browser.method_hooks import Steps, drive_awaiting, drive_now, quiet, soon
from unknot.runners.pytest.inside.browser.snapshots import LEFT, READ_PAGE, BrowserSnapshot
from unknot.runners.pytest.inside.browser.traffic_ledger import (
    MOST_BODY,
    RecordedExchange,
    TrafficLedger,
    is_data_request,
)

_PAGE_MILLISECONDS = 2_000
_MOST_TURNS = 40


def _quiet_listener(listener: Callable[[Any], None]) -> Callable[[Any], None]:
    """What a handler raises, Playwright raises in the next call of the test."""

    def quiet_listener(data: Any) -> None:
        with contextlib.suppress(Exception):
            listener(data)

    return quiet_listener


class PlaywrightContext:
    """Listens to events and reads a page only between the steps of a test. Bodies are requested as soon as an answer
    begins: the browser forgets them when the page is left. That does not delay the test: in the sync API every
    handler has a greenlet of its own, in the async one it becomes a task."""

    def __init__(self, context: Any, ledger: TrafficLedger, *, is_async: bool) -> None:
        self.number = ledger.new_context()
        self.is_gone = False
        self.has_news = True
        self._context = context
        self._ledger = ledger
        self._thread = threading.get_ident()
        self._loop = asyncio.get_running_loop() if is_async else None
        self._open: dict[Any, RecordedExchange] = {}
        self._reading: set[Any] = set()
        self._silent: set[Any] = set()
        for event, listener in (
            ("request", self._begun),
            ("response", self._answered),
            ("requestfailed", self._end),
            ("page", self._page_opened),
            ("close", self._closed),
        ):
            context.on(event, _quiet_listener(listener))

    # Events of the browser.

    def _begun(self, request: Any) -> None:
        if is_data_request(request.resource_type, request.url):
            self.has_news = True
            self._silent.clear()
            body = (request.post_data_buffer or b"")[:MOST_BODY].decode("utf-8", "replace")
            self._open[request] = self._ledger.begin(self.number, request.method, request.url, request.headers, body)

    def _answered(self, response: Any) -> None:
        exchange = self._open.pop(response.request, None)
        if exchange is None:
            return
        self._reading.add(exchange)
        steps = quiet(self._read(response, exchange))
        if self._loop is None:
            drive_now(steps)
        else:
            task = self._loop.create_task(drive_awaiting(steps))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

    def _read(self, response: Any, exchange: RecordedExchange) -> Steps:
        exchange.answer(response.status, response.headers)
        try:
            if exchange.has_text and not 300 <= exchange.status < 400:
                exchange.text = yield soon(response.text())
        except Exception:  # noqa: BLE001 - the page was left, or closed; that there was an answer is known
            exchange.text = ""
        finally:
            self._reading.discard(exchange)
        self._ledger.exchange(exchange)

    def _end(self, request: Any) -> None:
        exchange = self._open.pop(request, None)
        if exchange is not None:
            self._ledger.exchange(exchange)

    def _page_opened(self, page: Any) -> None:
        page.on("crash", lambda *_: self._ledger.note(f"a page crashed in {self._ledger.owner or 'a fixture'}"))

    def _closed(self, *_: Any) -> None:
        self.is_gone = True

    # What is read.

    def take_snapshot(self, moment: str) -> None:
        """From outside of the event loop, between the phases of a test."""
        if self._loop is None:
            if self._thread == threading.get_ident():
                drive_now(self.snapshot(moment))
        elif not self._loop.is_running() and not self._loop.is_closed():
            self._loop.run_until_complete(drive_awaiting(self.snapshot(moment)))

    def snapshot(self, moment: str) -> Steps:
        """What every page shows and keeps, the cookies, and the requests that are still under way."""
        snapshot = BrowserSnapshot(self._ledger, self.number, moment)
        for page in list(self._context.pages):
            yield from self._read_page(page, snapshot)
        cookies = yield soon(self._context.cookies())
        for _ in range(_MOST_TURNS):
            if not self._reading:
                break
            yield soon(self._context.cookies())
        for request in list(self._open):
            self._end(request)
        snapshot.add_cookies(cookies)
        self.has_news = False
        snapshot.record()

    def leave_page(self, page: Any) -> Steps:
        """Before it is closed."""
        yield from self._read_page(page, BrowserSnapshot(self._ledger, self.number, LEFT))

    def _read_page(self, page: Any, snapshot: BrowserSnapshot) -> Steps:
        if page in self._silent or not page.url.startswith("http"):
            return
        try:
            answer = yield soon(page.locator("html").evaluate(READ_PAGE, timeout=_PAGE_MILLISECONDS))
        except Exception:  # noqa: BLE001 - it is closed, has crashed, or does not come to rest
            self._silent.add(page)
        else:
            snapshot.add_page(answer)
