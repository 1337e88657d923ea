"""Commands to a browser and events from it, over one DevTools connection."""

import contextlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from unknot.runners.pytest.inside.browser.devtools_socket import DevToolsSocket

Message = dict[str, Any]


class DevToolsClient:
    """Events and answers to `post` are handled in a thread of its own, one at a time, in the sequence in which the
    browser sends them; `call` waits in the caller's thread. Nothing is raised into that thread's callers: a browser
    that is gone answers nothing."""

    def __init__(
        self, connection: DevToolsSocket, on_event: Callable[[str, Message, str], None], lost: Callable[[], None]
    ) -> None:
        """`on_event(event, parameters, session)` is called for every event, `lost()` if the browser ends before `close`
        was called."""
        self.is_gone = False
        self._connection = connection
        self._on_event = on_event
        self._lost = lost
        self._last = 0
        self._lock = threading.Lock()
        self._waiting: dict[int, Callable[[Message], None]] = {}
        self._thread = threading.Thread(target=self._listen, name="unknot-devtools", daemon=True)
        self._thread.start()

    def post(
        self, method: str, parameters: Message, session: str, then: Callable[[Message], None] = lambda _: None
    ) -> int:
        """Sends a command; `then` gets its result, empty if it failed."""
        with self._lock:
            self._last += 1
            number = self._last
            self._waiting[number] = then
        message: Message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        try:
            self._connection.send(json.dumps(message))
        except OSError:
            self._gone()
        return number

    def call(self, method: str, parameters: Message, session: str = "", *, seconds: float) -> Message:
        """The command's result; empty if it failed or took too long."""
        answer: Future[Message] = Future()
        number = self.post(method, parameters, session, answer.set_result)
        try:
            return answer.result(0 if self.is_gone else seconds)
        except TimeoutError:
            self._waiting.pop(number, None)
            return {}

    @property
    def is_waiting(self) -> bool:
        """Whether some command has not been answered."""
        return bool(self._waiting) and not self.is_gone

    def close(self) -> None:
        self.is_gone = True
        self._connection.close()
        if threading.current_thread() is not self._thread:
            self._thread.join(1.0)

    def _listen(self) -> None:
        try:
            while True:
                self._take(self._connection.receive())
        except (OSError, ValueError):
            if not self.is_gone:
                self._lost()
            self._gone()
        finally:
            self._connection.end_input()
            # The browser may have died without closing anything.
            self._connection.close()

    def _take(self, text: str) -> None:
        """Whatever is wrong with one message, the next one counts again. No thread may end with an exception: pytest
        would attribute it to a test."""
        with contextlib.suppress(Exception):
            message = json.loads(text)
            if "id" in message:
                self._waiting.pop(message["id"])(message.get("result") or {})
            else:
                event, session = str(message.get("method", "")), str(message.get("sessionId", ""))
                self._on_event(event, message.get("params") or {}, session)

    def _gone(self) -> None:
        self.is_gone = True
        for number in list(self._waiting):
            then = self._waiting.pop(number, None)
            if then is not None:
                then({})
