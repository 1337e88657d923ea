"""What the recorder wrote down about a run, line by line, as it is read back."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from unknot.model.recording import Frame, Location, Stack
from unknot.model.suite import TestId

_PATH_KINDS = frozenset({"file", "directory", "table"})


@dataclass(frozen=True)
class Event:
    """What a test did to a location: `did` is "wrote", "read" or "removed". `fixture` is the shared fixture that did
    it, if one was being set up for the test. `path` leads from `root` to a location in memory, or near it if it is
    `cut`.

    Fingerprints: `fingerprint` of what a write left, `clean` of what was there before the first test, `found` of what
    was there when the reader began, `seen` of what it first read. `whole`: that was a container, and not a slot that
    holds one; `all`: its entries are locations of their own. `restored`: the write left what was there before the first
    test. `unchanged`: it left what was there before this test.
    """

    test: TestId
    did: str
    location: Location
    stack: Stack
    fixture: str = ""
    shown: str = ""
    fingerprint: object = None
    clean: object = None
    found: object = None
    seen: object = None
    whole: bool = False
    all: bool = False
    restored: bool = False
    unchanged: bool = False
    root: str = ""
    path: str = ""
    cut: bool = False


_DETAILS = frozenset(each.name for each in fields(Event)) - {"test", "did", "location", "stack"}
"""Written down only where they are known."""


@dataclass(frozen=True)
class Events:
    """One run. `uses` are the shared fixtures of each test, `alone` the fingerprints of what a test leaves and of what
    it first reads when run alone, `outside` what each touched beyond the process, `unseen` the locations whose reads
    cannot be recorded, with the reason, `unrecorded` the kinds of locations that were not looked at."""

    tests: list[TestId] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    uses: dict[TestId, frozenset[str]] = field(default_factory=dict)
    alone: dict[tuple[TestId, Location], tuple[object, object]] = field(default_factory=dict)
    outside: dict[TestId, tuple[str, ...]] = field(default_factory=dict)
    unseen: dict[Location, str] = field(default_factory=dict)
    seconds: dict[TestId, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unrecorded: list[str] = field(default_factory=list)


def read_events(
    lines: Iterable[str],
    test_id: Callable[[str], str],
    path: Callable[[str], str],
    stops: Callable[[str], bool] = lambda name: False,
) -> Events:
    """`test_id` and `path` turn what was recorded in a working copy into what the user knows. What happened to a
    location is left out if `stops` is true of its name. Lines that the recorder cannot have written are left out, and
    counted in a note: a test may write to any open file."""
    reader = _Reader(test_id, path, stops)
    damaged = 0
    for line in lines:
        if line := line.strip():
            try:
                reader.read(json.loads(line))
            except (ValueError, TypeError, LookupError):
                damaged += 1
    if damaged:
        reader.found.notes.append(f"{damaged} of the recorder's own lines: a test wrote to its file")
    return reader.found


class _Reader:
    def __init__(self, test_id: Callable[[str], str], path: Callable[[str], str], stops: Callable[[str], bool]) -> None:
        self.found = Events()
        self._id = test_id
        self._path = path
        self._stops = stops

    def read(self, item: object) -> None:
        found = self.found
        if not isinstance(item, dict):
            raise TypeError(item)
        if "did" in item:
            location = self._location(item)
            if not self._stops(location.name):
                found.events.append(self._event(item, location))
        elif "begins" in item:
            found.tests.append(self._test(item["begins"]))
        elif "uses" in item:
            found.uses[self._test(item["test"])] = frozenset(item["uses"])
        elif "alone" in item:
            found.alone[self._test(item["alone"]), self._location(item)] = item["fingerprint"], item["seen"]
        elif "outside" in item:
            found.outside[self._test(item["test"])] = tuple(item["outside"])
        elif "unseen" in item:
            found.unseen[self._location(item)] = item["unseen"]
        elif "ended" in item:
            found.seconds[self._test(item["ended"])] = item["seconds"]
        elif "unrecorded" in item:
            found.unrecorded.append(item["unrecorded"])
        elif "note" in item:
            found.notes.append(item["note"])

    def _event(self, item: dict[str, Any], location: Location) -> Event:
        stack = tuple(Frame(self._path(file), line, function) for file, line, function in item["stack"])
        details = {name: value for name, value in item.items() if name in _DETAILS}
        return Event(self._test(item["test"]), item["did"], location, stack, **details)

    def _test(self, text: str) -> TestId:
        return TestId(self._id(text))

    def _location(self, item: Mapping[str, str]) -> Location:
        kind, name = item["kind"], item["name"]
        if kind in _PATH_KINDS:
            place, colon, table = name.rpartition(": table ") if kind == "table" else (name, "", "")
            name = self._path(place) + colon + table if place else name
        return Location(kind, name)
