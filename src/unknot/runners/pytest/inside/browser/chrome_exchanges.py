"""The requests of a Chromium browser, put together from its DevTools events."""

import base64
from dataclasses import dataclass, field
from typing import Any, Protocol

from unknot.runners.pytest.inside.browser.traffic_ledger import MOST_BODY, TrafficLedger, is_data_request, is_text

Message = dict[str, Any]


class Client(Protocol):
    def post(self, method: str, parameters: Message, session: str, then: Any) -> int: ...


@dataclass
class _Open:
    owner: str
    moment: int
    request: Message
    resource: str
    body: str
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)


class ChromeExchanges:
    """Bodies are requested the moment that they are complete: the browser forgets them when the page is left."""

    def __init__(self, ledger: TrafficLedger, context: int) -> None:
        self._ledger = ledger
        self._context = context
        self._open: dict[tuple[str, str], _Open] = {}

    def take(self, event: str, event_data: Message, session: str, client: Client) -> None:
        key = (session, str(event_data.get("requestId", "")))
        if event == "Network.requestWillBeSent":
            self._begun(key, event_data, client)
        elif event == "Network.responseReceived" and key in self._open:
            self._answered(self._open[key], event_data["response"])
        elif event == "Network.loadingFailed" and key in self._open:
            self._tell(self._open.pop(key), "")
        elif event == "Network.loadingFinished" and key in self._open:
            self._finished(self._open.pop(key), key, client)

    def flush(self) -> None:
        """Those that have not come to an end yet are recorded as they are."""
        for key in list(self._open):
            begun = self._open.pop(key, None)
            if begun is not None:
                self._tell(begun, "")

    def _begun(self, key: tuple[str, str], event_data: Message, client: Client) -> None:
        former = self._open.pop(key, None)
        if former is not None and "redirectResponse" in event_data:
            self._answered(former, event_data["redirectResponse"])
            self._tell(former, "")
        request, resource = event_data["request"], str(event_data.get("type", ""))
        if not is_data_request(resource, str(request["url"])) or not str(request["url"]).startswith("http"):
            return
        begun = _Open(self._ledger.owner, self._ledger.moment(), request, resource.lower(), _body(request))
        self._open[key] = begun
        if request.get("hasPostData") and not begun.body:

            def then(result: Message) -> None:
                begun.body = str(result.get("postData", ""))[:MOST_BODY]

            client.post("Network.getRequestPostData", {"requestId": key[1]}, key[0], then)

    def _answered(self, begun: _Open, response: Message) -> None:
        begun.status = int(response.get("status", 0))
        begun.headers = {str(name).lower(): str(value) for name, value in (response.get("headers") or {}).items()}
        begun.headers.setdefault("content-type", str(response.get("mimeType", "")))

    def _finished(self, begun: _Open, key: tuple[str, str], client: Client) -> None:
        if not is_text(begun.headers.get("content-type", "")):
            self._tell(begun, "")
            return

        def then(result: Message) -> None:
            text = str(result.get("body", ""))
            if result.get("base64Encoded"):
                text = base64.b64decode(text).decode("utf-8", "replace")
            self._tell(begun, text)

        client.post("Network.getResponseBody", {"requestId": key[1]}, key[0], then)

    def _tell(self, begun: _Open, text: str) -> None:
        sent = {str(name).lower(): str(value) for name, value in (begun.request.get("headers") or {}).items()}
        self._ledger.exchange(
            begun.owner,
            context=self._context,
            moment=begun.moment,
            method=str(begun.request.get("method", "GET")),
            url=str(begun.request["url"]),
            resource=begun.resource,
            body=begun.body,
            body_type=sent.get("content-type", ""),
            referer=sent.get("referer", ""),
            status=begun.status,
            type=begun.headers.get("content-type", ""),
            location=begun.headers.get("location", ""),
            text=text,
        )


def _body(request: Message) -> str:
    if "postData" in request:
        return str(request["postData"])[:MOST_BODY]
    parts = (entry.get("bytes", "") for entry in request.get("postDataEntries") or ())
    return b"".join(base64.b64decode(part) for part in parts)[:MOST_BODY].decode("utf-8", "replace")
