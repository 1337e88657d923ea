"""What a crawl of a web application has found."""

from dataclasses import dataclass

from unknot.model.navigation_graph import NavigationGraph


@dataclass(frozen=True)
class PageSummary:
    """A kind of page, with the title and address of one page of it. `actions` counts those in view, `tried` those that
    were performed at least once there, or, in a shared part, anywhere."""

    kind: str
    title: str
    address: str
    visits: int
    actions: int
    tried: int


@dataclass(frozen=True)
class PageFault:
    """Something that went wrong after an action on a kind of page, and how often. `kind` is for a reader: page error,
    console error, HTTP error, failed request."""

    kind: str
    text: str
    page: str
    action: str
    count: int


@dataclass(frozen=True)
class CrawlSummary:
    """`graph` has the transitions that were taken, `spared` the actions that were left alone, with the reason and the
    number of page kinds. `blocked` are addresses elsewhere that pages requested in vain."""

    graph: NavigationGraph
    pages: tuple[PageSummary, ...]
    spared: tuple[tuple[str, str, int], ...]
    faults: tuple[PageFault, ...]
    blocked: tuple[str, ...]
    steps: int
    refused: int
    resets: int
    seconds: float
