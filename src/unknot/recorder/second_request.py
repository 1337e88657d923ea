"""What the second pass should record, by what the first has found."""

from collections import Counter, defaultdict
from typing import Any

from unknot.model.recording import FlowKind, Location, Recording
from unknot.model.suite import TestId
from unknot.recorder.events import Event, Events

_STEPPED = frozenset({"memory", "environment", "process"})
"""Lines of the other kinds are known from the first pass."""

_MOST_OF_ONE = 50
"""Locations that one test may be stepped through for: each is checked after every line."""

_MOST_WRITERS = 20
"""Of one location. The others mostly write it by the same line, and are reported without one."""

_MOST_PLACES = 2_000

_LEAST_SECONDS, _TIMES = 10.0, 1.5
"""The second pass may take this many seconds, or this many times as long as the tests, whichever is longer."""


def second_request(first: Events, seen: Recording, *, only_reads: bool = False) -> dict[str, Any] | None:
    """None if nothing is left to record. With `only_reads`, which costs as much as the first pass, only reads before a
    write are recorded. Tests and files are named as the user knows them: the caller turns that into names in the
    working copy."""
    events = [event for event in first.events if event.did != "read"]
    places: dict[Location, Event] = {}
    for event in events:
        if _can_be_found(event) and len(places) < _MOST_PLACES:
            places.setdefault(event.location, event)
    numbers = {location: number for number, location in enumerate(places)}
    steps: dict[TestId, set[int]] = defaultdict(set)
    writers: Counter[Location] = Counter()
    found = {(flow.writer, flow.location) for flow in seen.flows}
    # First those whose writes another test reads: a cache that every test fills has a thousand writers.
    for event in sorted(events, key=lambda event: (event.test, event.location) not in found):
        location = event.location
        if event.unchanged:
            continue  # its line is known
        if location in numbers and len(steps[event.test]) < _MOST_OF_ONE and writers[location] < _MOST_WRITERS:
            writers[location] += 1
            steps[event.test].add(numbers[location])
    alone: dict[TestId, set[int]] = defaultdict(set)
    for flow in seen.flows:
        # What runs alone in a forked child must leave nothing on disk.
        if flow.kind is FlowKind.READ_AFTER_WRITE and flow.location in numbers and flow.reader not in first.outside:
            alone[flow.reader].add(numbers[flow.location])
    files = sorted({event.location.name for event in events if event.location.kind == "file"})
    if not places and not files:
        return None
    if only_reads:
        steps.clear()
        alone.clear()
    return {
        "places": [
            [location.kind, location.name, event.root, event.path, event.cut] for location, event in places.items()
        ],
        "steps": {test: sorted(numbered) for test, numbered in steps.items() if numbered},
        # Not all may have the time: first those that find most.
        "alone": {test: sorted(numbered) for test, numbered in sorted(alone.items(), key=lambda entry: -len(entry[1]))},
        "seconds": first.seconds,
        "limit": max(_LEAST_SECONDS, _TIMES * sum(first.seconds.values())),
        "files": files,
    }


def _can_be_found(event: Event) -> bool:
    return event.location.kind in _STEPPED and event.fingerprint is not None
