"""Candidates by the state of a browser that outlives its tests: a cookie, a stored value or a page left open."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from unknot.model.candidates import Candidate, Candidates
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.suite import Suite
from unknot.model.traffic import Entry, Look, Moment, Traffic
from unknot.web.hints.traffic.candidates import unseen_notes, unseen_pairs

_COOKIE = "cookie"
_OF_ONE_PAGE = "sessionStorage"
_ROLLING = 0.5
"""If more than this share of the tests change a value, such as a session cookie, only the tests that created it and
changed it last are candidates."""

StorageKey = tuple[str, str, str]


def storage_candidates(traffic: Traffic, suite: Suite) -> tuple[list[Candidate], list[str]]:
    """Edges to earlier tests only, by dependent and prerequisite, each pair once; and notes on what was not recorded. A
    test is a dependent only if it used the context in which something was left. All pairs with incompletely recorded
    tests are candidates."""
    found = [
        Candidate(dependent, prerequisite, reasons=(reason,))
        for context in sorted({look.context for look in traffic.looks})
        for dependent, prerequisite, reason in _Context(traffic, suite, context).links()
        if prerequisite < dependent
    ]
    candidates = Candidates.of(suite, [*unseen_pairs(traffic, suite), *found])
    return list(candidates.edges), [*traffic.notes, *unseen_notes(traffic, suite)]


@dataclass
class _History:
    """The history of one key: its present digest, None if it does not exist; the tests that changed it since it was
    created, None for a shared fixture; the test that removed it; how often a test changed it, also before."""

    digest: str | None = None
    changed_by: list[int | None] = field(default_factory=list)
    removed_by: int | None = None
    changes: int = 0


class _Context:
    """Processes the snapshots of one context in chronological order."""

    def __init__(self, traffic: Traffic, suite: Suite, number: int) -> None:
        self._index = suite.index
        self._looks = [look for look in traffic.looks if look.context == number]
        self._exchanges = [each for each in traffic.exchanges if each.context == number and each.test in self._index]
        self._users = {self._index[each.test] for each in self._exchanges}
        self._keys: dict[StorageKey, _History] = {}

    def links(self) -> Iterator[tuple[int, int, Reason]]:
        for look in self._looks:
            position = self._index.get(look.test)
            if look.moment is Moment.FOUND and position in self._users:
                yield from self._found(look, position)
            self._update(look, position)
        yield from self._pages_left_open()

    def _found(self, look: Look, position: int) -> Iterator[tuple[int, int, Reason]]:
        now = {entry.key: entry.digest for entry in look.entries}
        for key, history in self._keys.items():
            # A test without a page yet finds what was left as soon as it opens one.
            is_as_left = now.get(key) == history.digest if _is_seen(key, look) else key[0] != _OF_ONE_PAGE
            if not is_as_left:
                continue
            if history.digest is not None:
                for writer in self._candidates(history):
                    yield position, writer, Reason(ReasonKind.STORED, location=_location(key))
            elif history.removed_by is not None:
                yield position, history.removed_by, Reason(ReasonKind.STORED_REMOVED, location=_location(key))

    def _candidates(self, history: _History) -> list[int]:
        writers = [writer for writer in history.changed_by if writer is not None]
        if history.changes > max(2, _ROLLING * len(self._users)) and len(writers) > 1:
            return [writers[0], writers[-1]]
        return writers

    def _update(self, look: Look, position: int | None) -> None:
        """Every difference was caused by this test, or by a shared fixture. An entry that disappeared in a fixture of
        the test itself was cleaned up by it, as it would be before or after any other test."""
        writer = None if look.moment is Moment.SHARED else position
        now = {entry.key: entry for entry in look.entries}
        for key, entry in now.items():
            self._set(key, entry, writer)
        for key, history in self._keys.items():
            if history.digest is not None and key not in now and _is_seen(key, look):
                history.digest, history.changed_by = None, []
                history.removed_by = writer if look.moment is Moment.LEFT else None

    def _set(self, key: StorageKey, entry: Entry, writer: int | None) -> None:
        history = self._keys.setdefault(key, _History())
        if history.digest == entry.digest:
            return
        history.digest = entry.digest
        history.removed_by = None
        if writer not in history.changed_by:
            history.changed_by.append(writer)
            history.changes += 1

    def _pages_left_open(self) -> Iterator[tuple[int, int, Reason]]:
        """A test that starts with a link or a form of an open page needs the test that left it open."""
        last: int | None = None
        for exchange in self._exchanges:
            position = self._index[exchange.test]
            if exchange.continues and last is not None and last != position:
                request = f"{exchange.method} {exchange.address}"
                yield position, last, Reason(ReasonKind.PAGE_LEFT_OPEN, reading=request)
            last = position


def _is_seen(key: StorageKey, look: Look) -> bool:
    return key[0] == _COOKIE or key[1] in look.places


def _location(key: StorageKey) -> Location:
    kind, place, name = key
    return Location(kind, name if kind == _COOKIE else f"{name} of {place}")
