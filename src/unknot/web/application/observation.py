"""What is there after a step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
class CodeCoverage:
    """What was executed, for each file: ranges of bytes in the browser, numbers of lines on the server."""

    client: Mapping[str, frozenset[tuple[int, int]]] = field(default_factory=dict)
    server: Mapping[str, frozenset[int]] = field(default_factory=dict)


NOTHING_COVERED = CodeCoverage()


@dataclass(frozen=True)
class Observation:
    """`refusal` says why the step could not be performed; the page is as before then. `events` and `coverage` are those
    of this step. `is_restless`: the page did not settle. `seconds` is what the step took."""

    address: str
    title: str
    root: Element
    events: tuple[PageEvent, ...] = ()
    coverage: CodeCoverage = NOTHING_COVERED
    refusal: str = ""
    is_restless: bool = False
    seconds: float = 0.0
