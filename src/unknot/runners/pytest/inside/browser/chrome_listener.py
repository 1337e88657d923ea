"""A Chromium browser that the suite drives, listened to over a DevTools connection of our own.

The driver notices nothing: none of its commands is used, no log of its is emptied, no open dialog answered.
"""

import threading
import time
from typing import Any

from unknot.runners.pytest.inside.browser.chrome_exchanges import ChromeExchanges
from unknot.runners.pytest.inside.browser.devtools_client import DevToolsClient
from unknot.runners.pytest.inside.browser.devtools_socket import DevToolsSocket, browser_socket_address
from unknot.runners.pytest.inside.browser.page_scripts import LOOK, Kept
from unknot.runners.pytest.inside.browser.traffic_ledger import MOST_BODY, TrafficLedger
from unknot.runners.pytest.inside.browser.watched_browsers import LEFT

_SECONDS = 3.0
_LOOK_SECONDS = 2.0
_BUFFER_BYTES = 20_000_000
_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}


class ChromeListener:
    """All windows of the browser are one context: they share cookies and storage."""

    def __init__(self, debugger: str, ledger: TrafficLedger) -> None:
        """Returns when the windows that are open are listened to. Raises OSError or ValueError if nothing answers at
        `debugger`, "host:port"."""
        connection = DevToolsSocket(browser_socket_address(debugger))
        self.number = ledger.new_context()
        self.has_news = True
        self.may_end = False
        self._ledger = ledger
        self._exchanges = ChromeExchanges(ledger, self.number)
        self._pages: dict[str, str] = {}
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
        self._exchanges.flush()
        self._client.close()

    def _lost(self) -> None:
        if not self.may_end:
            self._ledger.note(f"the browser ended in {self._ledger.owner or 'a fixture'}; later tests may lack it")

    def _take_event(self, event: str, data: dict[str, Any], session: str) -> None:
        if event == "Target.attachedToTarget":
            self._attached(str(data["sessionId"]), data.get("targetInfo") or {})
        elif event == "Target.detachedFromTarget":
            self._pages.pop(str(data.get("sessionId", "")), None)
        elif event == "Inspector.targetCrashed":
            self._ledger.note(f"a page crashed in {self._ledger.owner or 'a fixture'}")
        else:
            if event == "Network.requestWillBeSent":
                self.has_news = True
                self._silent.discard(session)
            self._exchanges.take(event, data, session, self._client)

    def _attached(self, session: str, target: dict[str, Any]) -> None:
        if target.get("type") not in ("page", "iframe"):
            return
        if target["type"] == "page":
            self._pages[session] = str(target.get("targetId", ""))

        def enabled(_: dict[str, Any]) -> None:
            self._listening.set()

        bounds = {"maxPostDataSize": MOST_BODY, "maxTotalBufferSize": _BUFFER_BYTES}
        self._client.post("Inspector.enable", {}, session, lambda _: None)
        self._client.post("Target.setAutoAttach", _ATTACH, session, lambda _: None)
        self._client.post("Network.enable", bounds, session, enabled)

    def look(self, moment: str) -> None:
        kept = Kept()
        self.has_news = False
        for session in list(self._pages):
            answer = self._ask_page(session)
            kept.add_page(answer)
            if moment == LEFT and str(answer.get("url", "")).startswith("http"):
                self._ledger.page(
                    self._ledger.owner,
                    context=self.number,
                    time=self._ledger.moment(),
                    url=str(answer["url"]),
                    text=str(answer.get("text", "")),
                )
        cookies = self._client.call("Storage.getCookies", {}, seconds=_LOOK_SECONDS)
        self._settle()
        kept.add_cookies(cookies.get("cookies") or [])
        if not self.is_gone:
            self._ledger.look(self.number, moment, kept)

    def _ask_page(self, session: str) -> dict[str, Any]:
        if session in self._silent:
            return {}
        data = self._client.call(
            "Runtime.evaluate",
            {"expression": f"({LOOK})()", "awaitPromise": True, "returnByValue": True},
            session,
            seconds=_LOOK_SECONDS,
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
        self._exchanges.flush()
