"""How the page in view was loaded: only one that was loaded by GET can be loaded again from the same state."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request


class PageLoading:
    """Follows the requests of a page for whole documents. A redirect after a form counts as what it leads to."""

    def __init__(self) -> None:
        self._method = ""

    def follow(self, page: "Page") -> None:
        self._method = ""
        page.on("request", self._request)

    def forget(self) -> None:
        """Call it before each step: what the step does not load is as a script has left it."""
        self._method = ""

    @property
    def was_safe(self) -> bool:
        return self._method == "GET"

    def _request(self, request: "Request") -> None:
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self._method = request.method
