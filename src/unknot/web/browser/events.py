"""What happens beside a change of the page: dialogs, errors, downloads, popups, requests that are blocked."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from unknot.web.application.observation import EventKind, PageEvent

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Download, Page, Request, Response

_NO_CONTENT = (204, 205)
_CLIENT_ERRORS, _SERVER_ERRORS = 400, 500
_BLOCKED = ("ERR_PROXY_CONNECTION_FAILED", "ERR_NAME_NOT_RESOLVED", "ERR_TUNNEL_CONNECTION_FAILED")
"""What the browser says of requests that its rules for origins do not let through."""

_LONGEST = 500
_MOST_DIALOGS = 30
"""A page that asks more often than that in one step never stops."""


class PageEvents:
    """Answers dialogs, closes popups, cancels downloads, and remembers all since they were taken last. `why_gone` says
    why there is no page any more, if there is none."""

    def __init__(self) -> None:
        self._seen: list[PageEvent] = []
        self._page: Page
        self._dialogs = 0
        self.why_gone = ""
        self._closes_popups = True
        self.stays = False
        """Whether an address that the page was leaving for turned out to be no document, such as a download."""

    def follow(self, context: "BrowserContext", page: "Page") -> None:
        self._seen.clear()
        self._page, self._dialogs, self.why_gone = page, 0, ""
        page.on("crash", self._crashed)
        page.on("dialog", self._dialog)
        page.on("console", self._console)
        page.on("pageerror", lambda problem: self._note(EventKind.PAGE_ERROR, str(problem)))
        page.on("download", self._download)
        page.on("response", self._response)
        page.on("requestfailed", self._request_failed)
        context.on("page", self._popup)

    def taken(self) -> tuple[PageEvent, ...]:
        seen, self._seen = self._seen, []
        self._dialogs = 0
        self.stays = False
        return tuple(seen)

    def _note(self, kind: EventKind, text: str) -> None:
        self._seen.append(PageEvent(kind, text[:_LONGEST]))

    def _crashed(self, _page: "Page") -> None:
        self.why_gone = "the page crashed"

    def _dialog(self, dialog: "Dialog") -> None:
        self._dialogs += 1
        if self._dialogs > _MOST_DIALOGS:
            self.why_gone = "the page never stops to ask"
            self._page.close()
            return
        self._note(EventKind.DIALOG, f"{dialog.type}: {dialog.message}")
        dialog.accept()

    def _console(self, message: "ConsoleMessage") -> None:
        # What the server answers is an event of its own.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self._note(EventKind.CONSOLE_ERROR, message.text)

    def _download(self, download: "Download") -> None:
        self.stays = True
        self._note(EventKind.DOWNLOAD, download.suggested_filename)
        download.cancel()

    def _response(self, response: "Response") -> None:
        if response.status in _NO_CONTENT:
            self.stays = True
        if _CLIENT_ERRORS <= response.status < _SERVER_ERRORS:
            request = response.request
            if request.is_navigation_request() and request.frame.parent_frame is None:
                self._note(EventKind.REJECTED, f"{response.status} {response.url}")
        elif response.status >= _SERVER_ERRORS:
            self._note(EventKind.HTTP_ERROR, f"{response.status} {response.url}")

    def _request_failed(self, request: "Request") -> None:
        why = request.failure or ""
        if any(each in why for each in _BLOCKED):
            self._note(EventKind.BLOCKED, request.url)
        elif "ERR_ABORTED" not in why:
            self._note(EventKind.REQUEST_FAILED, f"{request.url}: {why}")

    def not_sent(self, what: str, *, is_document: bool) -> None:
        """A request that was ended before it left the browser."""
        self.stays = self.stays or is_document
        self._note(EventKind.NOT_SENT, what)

    @contextmanager
    def without_popups(self) -> Iterator[None]:
        """A page that opens now is our own."""
        self._closes_popups = False
        try:
            yield
        finally:
            self._closes_popups = True

    def _popup(self, page: "Page") -> None:
        if not self._closes_popups:
            return
        self._note(EventKind.POPUP, page.url)
        page.close()
