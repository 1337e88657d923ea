"""What a crawl of a web application has found."""

from dataclasses import dataclass

from unknot.model.web.code_coverage import CodeSize
from unknot.model.web.web_model import WebModel


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
class CrawlCoverage:
    """How much of the application's own code ran, of all that was loaded."""

    ran: CodeSize
    known: CodeSize


@dataclass(frozen=True)
class CrawlSummary:
    """`blocked` are addresses elsewhere that pages requested in vain. `refused` counts the steps that could not be
    performed or that the application did not accept, `lost_logins` how often it had forgotten who is logged in.
    `coverage` is None if it was not measured. `unsent` are requests, method and address, that a crawl that only reads
    did not let pages send."""

    model: WebModel
    faults: tuple[PageFault, ...]
    blocked: tuple[str, ...]
    steps: int
    refused: int
    resets: int
    seconds: float
    lost_logins: int = 0
    coverage: CrawlCoverage | None = None
    unsent: tuple[str, ...] = ()

    def spared(self) -> tuple[tuple[str, str, int], ...]:
        """Titles of the actions that were left alone, the reason, and on how many kinds of pages."""
        counted: dict[tuple[str, str], int] = {}
        for page in self.model.pages:
            for each in self.model.actions_of(page):
                if each.spared:
                    key = each.action.title, each.spared
                    counted[key] = counted.get(key, 0) + 1
        return tuple((title, why, count) for (title, why), count in counted.items())
