"""Pages that read and change nothing: what they would send is not sent."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from unknot.model.sanitise import shown
from unknot.web.application.observation import WOULD_CHANGE
from unknot.web.browser.events import PageEvents
from unknot.web.browser.launch import in_origins

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Request, Route

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST = 1_000


class ReadingOnly:
    """Ends the requests of a context that may change something on these origins, whatever makes them: forms, scripts,
    beacons, pings, workers, popups.

    Guarantee
        While `is_on`, no request of another method than GET, HEAD and OPTIONS leaves the browser.
    Assumptions
        GET changes nothing. Sockets are not requests: what a page sends through one that is open is not seen.
    Cost
        A message from the browser and back for each request, and no cache: use it only where it is needed.
    """

    def __init__(self, origins: Iterable[str]) -> None:
        self.is_on = False
        self._origins = frozenset(origins)
        self._events: PageEvents
        self._unsent: dict[str, None] = {}
        """Since the last step began."""
        self._by_themselves: set[str] = set()
        """What pages send whatever the step is, such as figures for statistics."""

    def follow(self, context: "BrowserContext", events: PageEvents) -> None:
        """Off until the login is over."""
        self._events = events
        self.is_on = False
        self._unsent.clear()
        # Playwright sees no requests of shared workers, so pages do without them.
        context.add_init_script("delete window.SharedWorker")
        context.route("**/*", self._decide)

    def begin(self) -> None:
        """Call it before each step."""
        self._unsent.clear()

    def refusal(self, *, was_loaded: bool) -> str:
        """Why the step counts as refused: it sent something, and `was_loaded` says that it did not lead to another
        document that can be read. What is sent then as well, pages send by themselves."""
        if was_loaded:
            if len(self._by_themselves) < _MOST:
                self._by_themselves.update(self._unsent)
            return ""
        cause = next((each for each in self._unsent if each not in self._by_themselves), "")
        return f"{WOULD_CHANGE}: {shown(cause)} is not sent" if cause else ""

    def _decide(self, route: "Route", request: "Request") -> None:
        if not self.is_on or request.method in _READING or not in_origins(request.url, self._origins):
            # The browser does not let requests through that lead elsewhere.
            route.continue_()
            return
        what = f"{request.method} {request.url.partition('?')[0]}"
        self._unsent[what] = None
        self._events.not_sent(what, is_document=request.is_navigation_request())
        route.abort("aborted")
