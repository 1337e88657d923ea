"""Requests that the tests send themselves: whatever goes through `http.client`, as requests, urllib3 and urllib do."""

import contextlib
import functools
import http.client
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from unknot.runners.pytest.inside.browser.traffic_ledger import MOST_BODY, MOST_TEXT, TrafficLedger, is_text

_MOST_WAITING = 200

_here = threading.local()


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """For requests of this thread that are no business of the application's."""
    former = getattr(_here, "is_unheard", False)
    _here.is_unheard = True
    try:
        yield
    finally:
        _here.is_unheard = former


@dataclass
class _Call:
    owner: str
    moment: int
    method: str
    url: str
    body: bytearray = field(default_factory=bytearray)
    text: bytearray = field(default_factory=bytearray)
    body_type: str = ""
    had_head: bool = False
    status: int = 0
    type: str = ""
    location: str = ""


class ApiCalls:
    """A call is recorded at the end of its test, or when there are many. What the caller does not read of an answer, we
    do not read either; and no answer is kept alive."""

    def __init__(self, ledger: TrafficLedger) -> None:
        self._ledger = ledger
        self._calls: list[_Call] = []
        self._lock = threading.Lock()

    def install(self) -> None:
        _around(http.client.HTTPConnection, "putrequest", self._begin)
        _around(http.client.HTTPConnection, "putheader", self._header)
        _around(http.client.HTTPConnection, "send", self._sent)
        _around(http.client.HTTPConnection, "getresponse", self._answered)
        for name in ("read", "read1"):
            _around(http.client.HTTPResponse, name, self._was_read)

    def flush(self) -> None:
        """At the end of a test."""
        with self._lock:
            calls, self._calls = self._calls, []
        for call in calls:
            self._tell(call)

    def _begin(self, connection: Any, arguments: tuple[Any, ...], _: Any) -> None:
        connection._unknot_call = None
        if getattr(_here, "is_unheard", False) or len(arguments) < 2:
            return
        method, path = str(arguments[0]), str(arguments[1])
        scheme = "https" if isinstance(connection, http.client.HTTPSConnection) else "http"
        url = path if "://" in path else f"{scheme}://{connection.host}:{connection.port}{path}"
        connection._unknot_call = _Call(self._ledger.owner, self._ledger.moment(), method, url)

    def _header(self, connection: Any, arguments: tuple[Any, ...], _: Any) -> None:
        call = getattr(connection, "_unknot_call", None)
        if call is not None and len(arguments) > 1 and _text(arguments[0]).lower() == "content-type":
            call.body_type = _text(arguments[1])

    def _sent(self, connection: Any, arguments: tuple[Any, ...], _: Any) -> None:
        call = getattr(connection, "_unknot_call", None)
        if call is None or not arguments:
            return
        if not call.had_head:
            call.had_head = True
        elif isinstance(arguments[0], bytes | bytearray | memoryview) and len(call.body) < MOST_BODY:
            call.body += bytes(arguments[0][:MOST_BODY])

    def _answered(self, connection: Any, _: tuple[Any, ...], response: Any) -> None:
        call = getattr(connection, "_unknot_call", None)
        if call is not None:
            connection._unknot_call = None
            call.status = int(response.status or 0)
            call.type = str(response.headers.get("content-type", ""))
            call.location = str(response.headers.get("location", ""))
            response._unknot_call = call
            if len(self._calls) >= _MOST_WAITING:
                self.flush()
            with self._lock:
                self._calls.append(call)

    def _was_read(self, response: Any, _: tuple[Any, ...], result: Any) -> None:
        call = getattr(response, "_unknot_call", None)
        if call is not None and isinstance(result, bytes) and is_text(call.type) and len(call.text) < MOST_TEXT:
            call.text += result[:MOST_TEXT]

    def _tell(self, call: _Call) -> None:
        self._ledger.exchange(
            call.owner,
            context=0,
            moment=call.moment,
            method=call.method,
            url=call.url,
            resource="api",
            body=bytes(call.body).decode("utf-8", "replace"),
            body_type=call.body_type,
            referer="",
            status=call.status,
            type=call.type,
            location=call.location,
            text=bytes(call.text).decode("utf-8", "replace"),
        )


def _around(owner: Any, name: str, noticed: Any) -> None:
    """Calls `noticed(object, arguments, result)`: before the original where nothing is returned, after it otherwise."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def noticing(self: Any, *arguments: Any, **named: Any) -> Any:
        before = name in ("putrequest", "send", "putheader")
        if before:
            with contextlib.suppress(Exception):
                noticed(self, arguments, None)
        result = original(self, *arguments, **named)
        if not before:
            with contextlib.suppress(Exception):
                noticed(self, arguments, result)
        return result

    setattr(owner, name, noticing)


def _text(header: Any) -> str:
    return header.decode("latin-1") if isinstance(header, bytes) else str(header)
