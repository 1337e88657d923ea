"""What happens beside a change of the page: dialogs, errors, downloads, popups, requests that are blocked."""

from typing import TYPE_CHECKING

from unknot.web.application.observation import EventKind, PageEvent

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Download, Page, Request, Response

_SERVER_ERRORS = 500
_BLOCKED = ("ERR_PROXY_CONNECTION_FAILED", "ERR_NAME_NOT_RESOLVED", "ERR_TUNNEL_CONNECTION_FAILED")
"""What the browser says of requests that its rules for origins do not let through."""

_LONGEST = 500


class PageEvents:
    """Answers dialogs, closes popups, and remembers all since they were taken last."""

    def __init__(self) -> None:
        self._seen: list[PageEvent] = []

    def follow(self, context: "BrowserContext", page: "Page") -> None:
        self._seen.clear()
        page.on("dialog", self._dialog)
        page.on("console", self._console)
        page.on("pageerror", lambda problem: self._note(EventKind.PAGE_ERROR, str(problem)))
        page.on("download", self._download)
        page.on("response", self._response)
        page.on("requestfailed", self._request_failed)
        context.on("page", self._popup)

    def taken(self) -> tuple[PageEvent, ...]:
        seen, self._seen = self._seen, []
        return tuple(seen)

    def _note(self, kind: EventKind, text: str) -> None:
        self._seen.append(PageEvent(kind, text[:_LONGEST]))

    def _dialog(self, dialog: "Dialog") -> None:
        self._note(EventKind.DIALOG, f"{dialog.type}: {dialog.message}")
        dialog.accept()

    def _console(self, message: "ConsoleMessage") -> None:
        # What the server answers is an event of its own.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self._note(EventKind.CONSOLE_ERROR, message.text)

    def _download(self, download: "Download") -> None:
        self._note(EventKind.DOWNLOAD, download.suggested_filename)
        download.cancel()

    def _response(self, response: "Response") -> None:
        if response.status >= _SERVER_ERRORS:
            self._note(EventKind.HTTP_ERROR, f"{response.status} {response.url}")

    def _request_failed(self, request: "Request") -> None:
        why = request.failure or ""
        if any(each in why for each in _BLOCKED):
            self._note(EventKind.BLOCKED, request.url)
        elif "ERR_ABORTED" not in why:
            self._note(EventKind.REQUEST_FAILED, f"{request.url}: {why}")

    def _popup(self, page: "Page") -> None:
        self._note(EventKind.POPUP, page.url)
        page.close()
