"""The recorder's own account of a run, line by line, as it is read back."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unknot.model.recording import Frame, Location, Stack
from unknot.model.suite import TestId

_PATH_KINDS = frozenset({"file", "directory", "table"})


@dataclass(frozen=True)
class Event:
    """`did` is "wrote", "read" or "removed". `fixture` is the shared fixture that did it, if one was being set up for
    the test. `road` leads from `root` to a location in memory, or near it if it is `cut`.

    Signs are fingerprints: `sign` of what a write left, `clean` of what was there before the first test, `found` of
    what stood there when the reader began, `seen` of what it had before its eyes. `whole`: that was a container, and
    not a slot that holds one.
    """

    test: TestId
    did: str
    location: Location
    stack: Stack
    fixture: str = ""
    shown: str = ""
    sign: object = None
    clean: object = None
    found: object = None
    seen: object = None
    whole: bool = False
    restored: bool = False
    root: str = ""
    road: str = ""
    cut: bool = False


@dataclass(frozen=True)
class Events:
    """One run. `uses` are the shared fixtures of each test, `alone` what a test leaves and what it first sees when run
    alone, as signs, `outside` what each touched beyond the process, `unseen` the locations whose reads cannot be
    recorded, with the reason."""

    tests: tuple[TestId, ...] = ()
    events: tuple[Event, ...] = ()
    uses: Mapping[TestId, frozenset[str]] = field(default_factory=dict)
    alone: Mapping[tuple[TestId, Location], tuple[object, object]] = field(default_factory=dict)
    outside: Mapping[TestId, tuple[str, ...]] = field(default_factory=dict)
    unseen: Mapping[Location, str] = field(default_factory=dict)
    seconds: Mapping[TestId, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def read_events(
    lines: Iterable[str],
    test_id: Callable[[str], str],
    path: Callable[[str], str],
    stops: Callable[[str, str], bool] = lambda kind, name: False,
) -> Events:
    """`test_id` and `path` turn what was seen in a working copy into what the user knows. What happened to a location
    is left out if `stops` says so of its kind and name."""
    reader = _Reader(test_id, path, stops)
    for line in lines:
        reader.take(json.loads(line))
    return reader.events()


class _Reader:
    def __init__(
        self, test_id: Callable[[str], str], path: Callable[[str], str], stops: Callable[[str, str], bool]
    ) -> None:
        self._id = test_id
        self._path = path
        self._stops = stops
        self._tests: list[TestId] = []
        self._events: list[Event] = []
        self._uses: dict[TestId, frozenset[str]] = {}
        self._alone: dict[tuple[TestId, Location], tuple[object, object]] = {}
        self._outside: dict[TestId, tuple[str, ...]] = {}
        self._unseen: dict[Location, str] = {}
        self._seconds: dict[TestId, float] = {}
        self._notes: list[str] = []

    def take(self, item: dict[str, Any]) -> None:
        if "did" in item:
            event = self._event(item)
            if not self._stops(event.location.kind, event.location.name):
                self._events.append(event)
        elif "begins" in item:
            self._tests.append(self._test(item["begins"]))
        elif "uses" in item:
            self._uses[self._test(item["test"])] = frozenset(item["uses"])
        elif "alone" in item:
            self._alone[self._test(item["alone"]), self._location(item)] = item["sign"], item["seen"]
        elif "outside" in item:
            self._outside[self._test(item["test"])] = tuple(item["outside"])
        elif "unseen" in item:
            self._unseen[self._location(item)] = item["unseen"]
        elif "ended" in item:
            self._seconds[self._test(item["ended"])] = item["seconds"]
        elif "note" in item:
            self._notes.append(item["note"])

    def events(self) -> Events:
        return Events(
            tuple(self._tests),
            tuple(self._events),
            self._uses,
            self._alone,
            self._outside,
            self._unseen,
            self._seconds,
            tuple(dict.fromkeys(self._notes)),
        )

    def _event(self, item: dict[str, Any]) -> Event:
        return Event(
            test=self._test(item["test"]),
            did=item["did"],
            location=self._location(item),
            stack=tuple(Frame(self._path(file), line, function) for file, line, function in item["stack"]),
            fixture=item.get("fixture", ""),
            shown=item.get("shown", ""),
            sign=item.get("sign"),
            clean=item.get("clean"),
            found=item.get("found"),
            seen=item.get("seen"),
            whole=item.get("whole", False),
            restored=item.get("restored", False),
            root=item.get("root", ""),
            road=item.get("road", ""),
            cut=item.get("cut", False),
        )

    def _test(self, text: str) -> TestId:
        return TestId(self._id(text))

    def _location(self, item: Mapping[str, str]) -> Location:
        kind, name = item["kind"], item["name"]
        if kind in _PATH_KINDS:
            place, colon, table = name.rpartition(": table ") if kind == "table" else (name, "", "")
            name = self._path(place) + colon + table if place else name
        return Location(kind, name)
