"""What is there after a step."""

from dataclasses import dataclass
from enum import Enum

from unknot.web.application.element import Element


class EventKind(Enum):
    """What may happen beside a change of the page."""

    DIALOG = "dialog"
    PAGE_ERROR = "page error"
    CONSOLE_ERROR = "console error"
    HTTP_ERROR = "http error"
    REQUEST_FAILED = "request failed"
    BLOCKED = "blocked"
    DOWNLOAD = "download"
    POPUP = "popup"


@dataclass(frozen=True, slots=True)
class PageEvent:
    """`text` is what the page said, or the address concerned. It is hostile."""

    kind: EventKind
    text: str


@dataclass(frozen=True)
class Observation:
    """`refusal` says why the step could not be performed; the page is as before then. `events` are those of
    this step. `is_restless`: the page did not settle. `seconds` is what the step took."""

    address: str
    title: str
    root: Element
    events: tuple[PageEvent, ...] = ()
    refusal: str = ""
    is_restless: bool = False
    seconds: float = 0.0
