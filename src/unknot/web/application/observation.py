"""What is there after a step."""

from dataclasses import dataclass
from enum import Enum

from unknot.model.web.code_coverage import StepCoverage
from unknot.model.web.element import Element

WOULD_CHANGE = "it would change data"
"""How the refusal of a step begins that a crawl that only reads did not let happen."""


class EventKind(Enum):
    """What may happen beside a change of the page."""

    DIALOG = "dialog"
    PAGE_ERROR = "page error"
    CONSOLE_ERROR = "console error"
    HTTP_ERROR = "http error"
    REJECTED = "rejected"
    """The server answered a step with a document, and an error of the client's: 400 to 499."""
    REQUEST_FAILED = "request failed"
    BLOCKED = "blocked"
    DOWNLOAD = "download"
    POPUP = "popup"
    LOGIN_LOST = "login lost"
    NOT_SENT = "not sent"
    """A request that may change something, in a crawl that only reads."""


@dataclass(frozen=True, slots=True)
class PageEvent:
    """`text` is what the page said, or the address concerned. It is hostile."""

    kind: EventKind
    text: str


@dataclass(frozen=True)
class Observation:
    """`refusal` says why the step could not be performed; the page is as before then. `events` are those of
    this step. `is_restless`: the page did not settle. `way` tells apart several ways in which an action can lead to the
    same page, if the application knows; a browser does not. `seconds` is what the step took. `is_lost`: no page is
    there any more, such as after a crash; only a reset leads on. `html` is the document as the browser writes it, if
    the application was asked to keep it. `coverage` is what has run since the last observation, of a reset what loading
    and login have run; None if it is not measured. `again` are the elements of a second look at the same page, made
    from the same state, if there was one: what differs is noise."""

    address: str
    title: str
    root: Element
    events: tuple[PageEvent, ...] = ()
    refusal: str = ""
    is_restless: bool = False
    way: str = ""
    seconds: float = 0.0
    html: str = ""
    coverage: StepCoverage | None = None
    is_lost: bool = False
    again: Element | None = None
