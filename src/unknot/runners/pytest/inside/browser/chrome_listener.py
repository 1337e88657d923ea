"""A Chromium browser that the suite drives, recorded over a DevTools connection of our own.

The driver notices nothing: none of its commands is used, no log of its is emptied, no open dialog answered.
"""

import base64
import threading
import time

from unknot.runners.pytest.inside.browser.devtools_client import DevToolsClient, Message
from unknot.runners.pytest.inside.browser.devtools_socket import DevToolsSocket, browser_socket_address
from unknot.runners.pytest.inside.browser.snapshots import READ_PAGE, BrowserSnapshot
from unknot.runners.pytest.inside.browser.traffic_ledger import (
    MOST_BODY,
    RecordedExchange,
    TrafficLedger,
    is_data_request,
)

_SECONDS = 3.0
_SNAPSHOT_SECONDS = 2.0
_BUFFER_BYTES = 20_000_000
_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}


class ChromeListener:
    """All windows of the browser are one context: they share cookies and storage. Bodies are requested as soon as they
    are complete: the browser forgets them when the page is left."""

    def __init__(self, debugger: str, ledger: TrafficLedger) -> None:
        """Returns when the events of all open windows are received. Raises OSError or ValueError if nothing answers at
        `debugger`, "host:port"."""
        connection = DevToolsSocket(browser_socket_address(debugger))
        self.number = ledger.new_context()
        self.has_news = True
        self.may_end = False
        self._ledger = ledger
        self._open: dict[tuple[str, str], RecordedExchange] = {}
        self._pages: dict[str, None] = {}
        self._silent: set[str] = set()
        self._listening = threading.Event()
        self._client = DevToolsClient(connection, self._take_event, self._lost)
        self._client.call("Target.setAutoAttach", _ATTACH, seconds=_SECONDS)
        self._listening.wait(_SECONDS)

    @property
    def is_gone(self) -> bool:
        return self._client.is_gone

    def close(self) -> None:
        """Before the browser ends, if that is meant."""
        self._flush()
        self._client.close()

    def take_snapshot(self, moment: str) -> None:
        snapshot = BrowserSnapshot(self._ledger, self.number, moment)
        self.has_news = False
        for session in list(self._pages):
            snapshot.add_page(self._read_page(session))
        cookies = self._client.call("Storage.getCookies", {}, seconds=_SNAPSHOT_SECONDS)
        self._settle()
        snapshot.add_cookies(cookies.get("cookies") or [])
        if not self.is_gone:
            snapshot.record()

    def _read_page(self, session: str) -> Message:
        if session in self._silent:
            return {}
        data = self._client.call(
            "Runtime.evaluate",
            {"expression": f"({READ_PAGE})()", "awaitPromise": True, "returnByValue": True},
            session,
            seconds=_SNAPSHOT_SECONDS,
        )
        if not data and not self.is_gone:
            # It has crashed, hangs, or shows a dialog that waits for the test: not again before it moves on.
            self._silent.add(session)
        value = (data.get("result") or {}).get("value")
        return value if isinstance(value, dict) else {}

    def _settle(self) -> None:
        """Until the bodies that were requested are there; not for ever, as some never come."""
        until = time.monotonic() + 1.0
        while self._client.is_waiting and time.monotonic() < until:
            time.sleep(0.005)
        self._flush()

    def _flush(self) -> None:
        """Requests that have not come to an end yet are recorded as they are."""
        for key in list(self._open):
            self._end(key)

    def _lost(self) -> None:
        if not self.may_end:
            self._ledger.note(f"the browser ended in {self._ledger.owner or 'a fixture'}; later tests may lack it")

    # Events, in the thread of the client.

    def _take_event(self, event: str, data: Message, session: str) -> None:
        key = (session, str(data.get("requestId", "")))
        if event == "Target.attachedToTarget":
            self._attached(str(data["sessionId"]), str((data.get("targetInfo") or {}).get("type")))
        elif event == "Target.detachedFromTarget":
            self._pages.pop(str(data.get("sessionId", "")), None)
        elif event == "Inspector.targetCrashed":
            self._ledger.note(f"a page crashed in {self._ledger.owner or 'a fixture'}")
        elif event == "Network.requestWillBeSent":
            self.has_news = True
            self._silent.discard(session)
            self._begun(key, data)
        elif event == "Network.responseReceived" and key in self._open:
            _answer(self._open[key], data["response"])
        elif event == "Network.loadingFailed":
            self._end(key)
        elif event == "Network.loadingFinished" and key in self._open:
            self._finished(key)

    def _attached(self, session: str, kind: str) -> None:
        if kind not in ("page", "iframe"):
            return
        if kind == "page":
            self._pages[session] = None
        bounds = {"maxPostDataSize": MOST_BODY, "maxTotalBufferSize": _BUFFER_BYTES}
        self._client.post("Inspector.enable", {}, session)
        self._client.post("Target.setAutoAttach", _ATTACH, session)
        self._client.post("Network.enable", bounds, session, lambda _: self._listening.set())

    def _begun(self, key: tuple[str, str], data: Message) -> None:
        former = self._open.pop(key, None)
        if former is not None and "redirectResponse" in data:
            _answer(former, data["redirectResponse"])
            self._ledger.exchange(former)
        request = data["request"]
        url = str(request["url"])
        if not url.startswith("http") or not is_data_request(str(data.get("type", "")), url):
            return
        method, headers = str(request.get("method", "GET")), _lower_case(request.get("headers"))
        exchange = self._ledger.begin(self.number, method, url, headers, _body(request))
        self._open[key] = exchange
        if request.get("hasPostData") and not exchange.body:

            def then(result: Message) -> None:
                exchange.body = str(result.get("postData", ""))

            self._client.post("Network.getRequestPostData", {"requestId": key[1]}, key[0], then)

    def _finished(self, key: tuple[str, str]) -> None:
        if not self._open[key].has_text:
            self._end(key)
            return
        exchange = self._open.pop(key)

        def then(result: Message) -> None:
            exchange.text = str(result.get("body", ""))
            if result.get("base64Encoded"):
                exchange.text = base64.b64decode(exchange.text).decode("utf-8", "replace")
            self._ledger.exchange(exchange)

        self._client.post("Network.getResponseBody", {"requestId": key[1]}, key[0], then)

    def _end(self, key: tuple[str, str]) -> None:
        exchange = self._open.pop(key, None)
        if exchange is not None:
            self._ledger.exchange(exchange)


def _answer(exchange: RecordedExchange, response: Message) -> None:
    headers = {"content-type": str(response.get("mimeType", "")), **_lower_case(response.get("headers"))}
    exchange.answer(int(response.get("status", 0)), headers)


def _lower_case(headers: Message | None) -> dict[str, str]:
    return {str(name).lower(): str(value) for name, value in (headers or {}).items()}


def _body(request: Message) -> str:
    if "postData" in request:
        return str(request["postData"])
    parts = (entry.get("bytes", "") for entry in request.get("postDataEntries") or ())
    return b"".join(map(base64.b64decode, parts))[:MOST_BODY].decode("utf-8", "replace")
