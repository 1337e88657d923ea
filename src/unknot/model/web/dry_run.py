"""What a crawl would do."""

from dataclasses import dataclass

from unknot.model.web.action import Action


@dataclass(frozen=True)
class PlannedPage:
    """A kind of page, with what a crawl would do there, and what it would leave alone and why."""

    kind: str
    title: str
    address: str
    actions: tuple[Action, ...]
    spared: tuple[tuple[Action, str], ...]


@dataclass(frozen=True)
class DryRun:
    """`opened` pages were opened; `left` addresses that were found were not, because there were enough."""

    pages: tuple[PlannedPage, ...]
    opened: int
    left: int
