"""What goes wrong in an application, with the steps that show it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unknot.web.application.observation import EventKind, PageEvent
from unknot.web.suite.draft import Draft
from unknot.web.suite.first_times import ReadWalk

_FAULTS = frozenset({EventKind.PAGE_ERROR, EventKind.CONSOLE_ERROR, EventKind.HTTP_ERROR, EventKind.REQUEST_FAILED})
_OFTEN = 3
"""What was seen on so many pages of a kind, each time, is there always."""

_NUMBER = re.compile(r"\d+")

FaultKey = tuple[EventKind, str]
"""What it is, without data."""


@dataclass(frozen=True)
class FaultDraft:
    """After the last step of the draft, the page, the console or the server says `text`, each time that it was
    replayed. `text` is hostile."""

    kind: EventKind
    text: str
    draft: Draft


class Faults:
    """Collects what goes wrong after steps."""

    def __init__(self) -> None:
        self._visits: Counter[str] = Counter()
        self._seen: Counter[tuple[str, FaultKey]] = Counter()
        self._drafts: dict[tuple[str, FaultKey], Draft] = {}
        """The first steps that showed it on this kind of page."""

    def add(self, read: ReadWalk) -> None:
        for place, step in enumerate(read.walk):
            kind = step.after.kind
            self._visits[kind] += 1
            for key in fault_keys(step.after.observation.events):
                self._seen[kind, key] += 1
                if step.chosen is not None and (kind, key) not in self._drafts:
                    self._drafts[kind, key] = read.draft(place).draft

    def sometimes(self) -> Iterator[tuple[FaultKey, Draft]]:
        """Each fault once, but for those that pages of a kind always show."""
        given: set[FaultKey] = set()
        for (kind, key), draft in self._drafts.items():
            is_there_always = self._visits[kind] == self._seen[kind, key] >= _OFTEN
            if not is_there_always and key not in given:
                given.add(key)
                yield key, draft


def fault_keys(events: Iterable[PageEvent]) -> dict[FaultKey, str]:
    """The faults among the events, each once, with its text."""
    found: dict[FaultKey, str] = {}
    for each in events:
        if each.kind in _FAULTS:
            found.setdefault((each.kind, _NUMBER.sub("#", each.text.partition("?")[0])), each.text)
    return found
