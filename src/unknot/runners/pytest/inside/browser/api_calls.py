"""Requests that the tests send themselves: whatever goes through `http.client`, as requests, urllib3 and urllib do."""

import contextlib
import http.client
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from unknot.runners.pytest.inside.browser.method_hooks import Steps, replace_method
from unknot.runners.pytest.inside.browser.traffic_ledger import MOST_BODY, MOST_TEXT, RecordedExchange, TrafficLedger

_MOST_WAITING = 200

_here = threading.local()


@contextlib.contextmanager
def unrecorded() -> Iterator[None]:
    """For requests of this thread that do not go to the application."""
    former = getattr(_here, "is_unrecorded", False)
    _here.is_unrecorded = True
    try:
        yield
    finally:
        _here.is_unrecorded = former


@dataclass
class _Call:
    exchange: RecordedExchange
    body: bytearray = field(default_factory=bytearray)
    text: bytearray = field(default_factory=bytearray)
    had_head: bool = False


class ApiCalls:
    """A call is recorded at the end of its test, or when there are many. What the caller does not read of an answer, we
    do not read either; and no answer is kept alive."""

    def __init__(self, ledger: TrafficLedger) -> None:
        self._ledger = ledger
        self._calls: list[_Call] = []
        self._lock = threading.Lock()

    def install(self) -> None:
        _before(http.client.HTTPConnection, "putrequest", self._begin)
        _before(http.client.HTTPConnection, "putheader", self._header)
        _before(http.client.HTTPConnection, "send", self._sent)
        _after(http.client.HTTPConnection, "getresponse", self._answered)
        for name in ("read", "read1"):
            _after(http.client.HTTPResponse, name, self._was_read)

    def flush(self) -> None:
        """At the end of a test."""
        with self._lock:
            calls, self._calls = self._calls, []
        for call in calls:
            call.exchange.body = call.body.decode("utf-8", "replace")
            call.exchange.text = call.text.decode("utf-8", "replace")
            self._ledger.exchange(call.exchange)

    def _begin(self, connection: Any, method: Any, url: Any, *_: Any, **__: Any) -> None:
        connection._unknot_call = None
        if getattr(_here, "is_unrecorded", False):
            return
        scheme = "https" if isinstance(connection, http.client.HTTPSConnection) else "http"
        site = "" if "://" in str(url) else f"{scheme}://{connection.host}:{connection.port}"
        connection._unknot_call = _Call(self._ledger.begin(0, str(method), f"{site}{url}"))

    def _header(self, connection: Any, name: Any, value: Any, *_: Any) -> None:
        call = getattr(connection, "_unknot_call", None)
        if call is not None and _text(name).lower() == "content-type":
            call.exchange.body_type = _text(value)

    def _sent(self, connection: Any, data: Any) -> None:
        call = getattr(connection, "_unknot_call", None)
        if call is None:
            return
        if not call.had_head:
            call.had_head = True
        elif isinstance(data, bytes | bytearray | memoryview) and len(call.body) < MOST_BODY:
            call.body += bytes(data[:MOST_BODY])

    def _answered(self, connection: Any, response: Any) -> None:
        call = getattr(connection, "_unknot_call", None)
        if call is None:
            return
        connection._unknot_call = None
        call.exchange.answer(
            int(response.status or 0),
            {name: str(response.headers.get(name, "")) for name in ("content-type", "location")},
        )
        response._unknot_call = call
        if len(self._calls) >= _MOST_WAITING:
            self.flush()
        with self._lock:
            self._calls.append(call)

    def _was_read(self, response: Any, read: Any) -> None:
        call = getattr(response, "_unknot_call", None)
        if call is not None and isinstance(read, bytes) and call.exchange.has_text and len(call.text) < MOST_TEXT:
            call.text += read[:MOST_TEXT]


def _before(owner: Any, name: str, noticed: Callable[..., None]) -> None:
    def steps(original: Any, *arguments: Any, **named: Any) -> Steps:
        with contextlib.suppress(Exception):
            noticed(*arguments, **named)
        return (yield original(*arguments, **named))

    replace_method(owner, name, steps)


def _after(owner: Any, name: str, noticed: Callable[..., None]) -> None:
    def steps(original: Any, target: Any, *arguments: Any, **named: Any) -> Steps:
        result = yield original(target, *arguments, **named)
        with contextlib.suppress(Exception):
            noticed(target, result)
        return result

    replace_method(owner, name, steps)


def _text(header: Any) -> str:
    return header.decode("latin-1") if isinstance(header, bytes) else str(header)
