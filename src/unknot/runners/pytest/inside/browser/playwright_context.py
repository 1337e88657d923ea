"""One browser context of Playwright: its requests as they come, its pages and its storage when one looks."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator, Mapping
from typing import Any

from unknot.runners.pytest.inside.browser.page_scripts import LOOK, Kept
from unknot.runners.pytest.inside.browser.playwright_steps import Steps, drive_awaiting, drive_now
from unknot.runners.pytest.inside.browser.traffic_ledger import MOST_BODY, TrafficLedger, is_data_request, is_text
from unknot.runners.pytest.inside.browser.watched_browsers import LEFT

_LOOK_MILLISECONDS = 2_000
_MOST_TURNS = 40


def _quiet(listener: Callable[[Any], None]) -> Callable[[Any], None]:
    """What a handler raises, Playwright raises in the next call of the test."""

    def quiet_listener(data: Any) -> None:
        with contextlib.suppress(Exception):
            listener(data)

    return quiet_listener


class PlaywrightContext:
    """Listens to events and reads a page only between the steps of a test. Bodies are requested as soon as an answer
    begins: the browser forgets them when the page is left. That takes no time of the test's: in the sync API every
    handler has a greenlet of its own, in the async one it becomes a task."""

    def __init__(self, context: Any, ledger: TrafficLedger, *, is_async: bool) -> None:
        self.number = ledger.new_context()
        self.is_gone = False
        self.has_news = True
        self._context = context
        self._ledger = ledger
        self._thread = threading.get_ident()
        self._loop = asyncio.get_running_loop() if is_async else None
        self._open: dict[Any, tuple[str, int]] = {}
        self._reading: set[Any] = set()
        self._silent: set[Any] = set()
        for event, listener in (
            ("request", self._begun),
            ("response", self._answered),
            ("requestfailed", self._failed),
            ("page", self._page_opened),
            ("close", self._closed),
        ):
            context.on(event, _quiet(listener))

    # Events of the browser.

    def _begun(self, request: Any) -> None:
        if is_data_request(request.resource_type, request.url):
            self.has_news = True
            self._silent.clear()
            self._open[request] = (self._ledger.owner, self._ledger.moment())

    def _answered(self, response: Any) -> None:
        begun = self._open.pop(response.request, None)
        if begun is not None:
            self._reading.add(begun)
            self._drive(self._read(response, begun))

    def _failed(self, request: Any) -> None:
        begun = self._open.pop(request, None)
        if begun is not None:
            self._tell(request, begun)

    def _page_opened(self, page: Any) -> None:
        page.on("crash", lambda *_: self._ledger.note(f"a page crashed in {self._ledger.owner or 'a fixture'}"))

    def _closed(self, *_: Any) -> None:
        self.is_gone = True

    def _read(self, response: Any, begun: tuple[str, int]) -> Steps:
        text = ""
        try:
            headers = response.headers
            if is_text(headers.get("content-type", "")) and not 300 <= response.status < 400:
                text = yield response.text()
        except Exception:  # noqa: BLE001 - the page was left, or closed; that there was an answer is known
            text = ""
        finally:
            self._reading.discard(begun)
        self._tell(response.request, begun, response.status, response.headers, text)

    def _tell(
        self, request: Any, begun: tuple[str, int], status: int = 0, answered: Mapping[str, str] = {}, text: str = ""
    ) -> None:
        owner, moment = begun
        sent = request.headers
        self._ledger.exchange(
            owner,
            context=self.number,
            moment=moment,
            method=request.method,
            url=request.url,
            resource=request.resource_type,
            body=(request.post_data_buffer or b"")[:MOST_BODY].decode("utf-8", "replace"),
            body_type=sent.get("content-type", ""),
            referer=sent.get("referer", ""),
            status=status,
            type=answered.get("content-type", ""),
            location=answered.get("location", ""),
            text=text,
        )

    # What is read.

    def look(self, moment: str) -> None:
        """From outside of the event loop, between the phases of a test."""
        if self._loop is None:
            if self._thread == threading.get_ident():
                drive_now(self.looking(moment))
        elif not self._loop.is_running() and not self._loop.is_closed():
            self._loop.run_until_complete(drive_awaiting(self.looking(moment)))

    def looking(self, moment: str) -> Steps:
        """What every page shows and keeps, the cookies, and what is still under way."""
        kept = Kept()
        for page in list(self._context.pages):
            yield from self._look_at(page, kept, moment)
        cookies = yield self._context.cookies()
        for _ in range(_MOST_TURNS):
            if not self._reading:
                break
            yield self._context.cookies()
        for request, begun in list(self._open.items()):
            del self._open[request]
            self._tell(request, begun)
        kept.add_cookies(cookies)
        self.has_news = False
        self._ledger.look(self.number, moment, kept)

    def leaving(self, page: Any) -> Steps:
        """A page that is about to be closed."""
        yield from self._look_at(page, Kept(), LEFT)

    def _look_at(self, page: Any, kept: Kept, moment: str) -> Generator[Any, Any, None]:
        if page in self._silent or not page.url.startswith("http"):
            return
        try:
            answer = yield page.locator("html").evaluate(LOOK, timeout=_LOOK_MILLISECONDS)
        except Exception:  # noqa: BLE001 - it is closed, has crashed, or does not come to rest
            self._silent.add(page)
            return
        kept.add_page(answer)
        if moment == LEFT:
            self._ledger.page(
                self._ledger.owner,
                context=self.number,
                time=self._ledger.moment(),
                url=str(answer["url"]),
                text=str(answer["text"]),
            )

    def _drive(self, steps: Steps) -> None:
        if self._loop is None:
            drive_now(steps)
        else:
            task = self._loop.create_task(drive_awaiting(steps))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)
