"""The second pass over the suite, which knows from the first what to look for."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from unknot.recorder.inside.files.files import FileCollector
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import MemoryCollector
from unknot.recorder.inside.memory.watched_location import Key, WatchedLocation, begin_watching
from unknot.recorder.inside.process.process import ProcessCollector, ProcessLocation
from unknot.recorder.inside.second_pass.alone import result_alone
from unknot.recorder.inside.second_pass.stepping import Stepper
from unknot.recorder.inside.stack import Frame
from unknot.recorder.native import _watch

_LEAST, _TIMES = 1.0, 5.0
"""How long a test may run alone: this many seconds, plus this many times its duration in the suite."""

_LEAST_ALONE, _MOST_ALONE = 1 / 6, 1 / 3
"""Of the time of the whole pass, for all tests that run alone: what the suite itself will not need, within limits."""

_RESERVE = 1.25
"""The rest of the suite takes so many times as long as before, without stepping. When no more time than that is left,
no more tests are stepped through: reads before a write count for more than lines."""

_EXPENSIVE_SECONDS, _TRIES = 10e-6, 3
"""From when on a fingerprint is too slow to take after every line, by the fastest of some tries."""

_STEPPING_SECONDS = 1.0
"""How long the fingerprints may take that are taken after the lines of one test."""

_WATCHING_SECONDS = 0.5
"""How long the fingerprints may take when all locations are watched; those that do not fit in are unknown."""

_clock = time.monotonic

NOTHING_KNOWN: Mapping[str, Any] = {
    "places": (), "steps": {}, "alone": {}, "seconds": {}, "limit": None, "files": ()
}  # fmt: skip


class SecondPass:
    """Steps through tests that write, to find the lines. Watches locations from the start that will be written later,
    to record which test reads them before. And runs tests alone that find something, to learn whether they would have
    made it themselves.

    `known` is what the first pass has found: "places", each location with its path, which is empty for state that is
    not a Python object; "steps" and "alone", the numbers of each test's locations; "files", which will be written;
    "limit", the seconds that the pass may take, or None. Does nothing in the first pass, when nothing is known.
    """

    def __init__(
        self,
        known: Mapping[str, Any],
        memory: MemoryCollector,
        process: ProcessCollector,
        files: FileCollector,
        ledger: Ledger,
    ) -> None:
        self._known = known
        self._ledger = ledger
        self._stepper: Stepper[Key] = Stepper(ledger.stacks)
        self._written: Mapping[Key, Sequence[Frame]] = {}
        self._stepped: dict[Key, _Limited] = {}
        self._test = ""
        self._deadline = float("inf")
        self._seconds_left = sum(known["seconds"].values())
        self._unstepped: set[str] = set()
        self._locations: list[WatchedLocation] = [
            memory.location(kind, name, root, path, is_cut) if path else ProcessLocation(process, kind, name)
            for kind, name, root, path, is_cut in known["places"]
        ]
        files.expect(frozenset(known["files"]))

    def run_alone(self, items: Mapping[str, Any]) -> None:
        """Call this first, from the clean state. The time of the pass starts now."""
        wanted = {test: self._numbered(numbers) for test, numbers in self._known["alone"].items() if test in items}
        deadline = float("inf")
        if (limit := self._known["limit"]) is not None:
            spare = limit - _RESERVE * self._seconds_left
            deadline = _clock() + min(max(spare, _LEAST_ALONE * limit), _MOST_ALONE * limit)
            self._deadline = _clock() + limit
        self.watch()
        for number, (test, locations) in enumerate(wanted.items()):
            if _clock() > deadline:
                self._ledger.note(
                    f"{len(wanted) - number} of {len(wanted)} tests that find something were not run alone, to save"
                    " time: what they find may be a cache"
                )
                return
            for location, (left, seen) in zip(locations, self._alone(test, items[test], locations), strict=False):
                kind, name = location.key
                self._ledger.fact(alone=test, kind=kind, name=name, fingerprint=left, seen=seen)

    @property
    def is_out_of_time(self) -> bool:
        return _clock() > self._deadline

    def _alone(self, test: str, item: Any, locations: list[WatchedLocation]) -> list[tuple[int | None, int | None]]:
        """For each location the fingerprint of what the test leaves there, and of what it read first. Empty if the test
        fails alone, or waits for something that another test makes."""

        def left_and_seen() -> list[tuple[int | None, int | None]]:
            _watch.set_active(False)
            return [(location.affordable_fingerprint(), location.seen) for location in locations]

        seconds = _LEAST + _TIMES * self._known["seconds"].get(test, 0.0)
        found = result_alone(item, left_and_seen, begin_watching, seconds)
        return cast(list[tuple[int | None, int | None]], found or [])

    def watch(self) -> None:
        deadline = _clock() + _WATCHING_SECONDS
        for location in self._locations:
            location.expect(takes_fingerprint=_clock() < deadline)

    def begin_test(self, test: str) -> None:
        """Called again for the same test after the set-up of a shared fixture."""
        self._written = {}
        if test != self._test:
            self._seconds_left -= self._known["seconds"].get(self._test, 0.0)
            self._test = test
        self._stepped = {}
        numbers = self._known["steps"].get(test)
        if not numbers:
            return
        if self._deadline - _clock() < _RESERVE * self._seconds_left:
            self._unstepped.add(test)
            return
        seconds = _STEPPING_SECONDS / len(numbers)
        for location in self._numbered(numbers):
            if (fingerprint := _cheapest_fingerprint(location)) is not None:
                self._stepped[location.key] = _Limited(fingerprint, seconds)
        self._stepper.start(self._stepped)

    def close(self) -> None:
        """Notes what there was no time for."""
        if self._unstepped:
            self._ledger.note(f"the lines of writes in {len(self._unstepped)} tests, to save time")

    def end_test(self) -> None:
        found = self._stepper.stop()
        self._written = {key: stack for key, stack in found.items() if not self._stepped[key].has_ended}

    def write_stacks(self, key: Key) -> Sequence[Frame]:
        """Where the test that has just ended wrote the final content of this location; empty if unknown."""
        return self._written.get(key, ())

    def _numbered(self, numbers: Sequence[int]) -> list[WatchedLocation]:
        return [self._locations[number] for number in numbers]


class _Limited:
    """A fingerprint, until taking it has cost too much: from then on the last one, and later changes are missed."""

    def __init__(self, fingerprint: Callable[[], object], seconds: float) -> None:
        self._fingerprint = fingerprint
        self._left = seconds
        self._last: object = None

    @property
    def has_ended(self) -> bool:
        return self._left < 0

    def __call__(self) -> object:
        if self._left >= 0:
            started = _clock()
            self._last = self._fingerprint()
            self._left -= _clock() - started
        return self._last


def _cheapest_fingerprint(location: WatchedLocation) -> Callable[[], object] | None:
    """One to take after every line; None if there is only one that takes much too long."""
    is_affordable = location.affordable_fingerprint() is not None
    if is_affordable and min(_seconds_of(location.fingerprint) for _ in range(_TRIES)) < _EXPENSIVE_SECONDS:
        return location.fingerprint
    return location.quick_fingerprint() or (location.fingerprint if is_affordable else None)


def _seconds_of(fingerprint: Callable[[], object]) -> float:
    started = _clock()
    fingerprint()
    return _clock() - started
