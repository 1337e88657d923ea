"""The second pass over the suite, which knows from the first what to look for."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from unknot.recorder.inside.files.files import FileCollector
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import MemoryCollector
from unknot.recorder.inside.memory.read_watch import ReadWatch
from unknot.recorder.inside.process.process import ProcessCollector
from unknot.recorder.inside.second_pass.alone import fingerprints_alone
from unknot.recorder.inside.second_pass.stepping import Stepper
from unknot.recorder.inside.stack import Frame

_LEAST, _TIMES = 1.0, 5.0
"""How long a test may run alone: this many seconds, plus this many times its duration in the suite."""

_LEAST_IN_ALL, _TIMES_IN_ALL = 5.0, 1.0
"""The same for all tests that run alone, and the duration of the whole suite."""

_EXPENSIVE_SECONDS, _TRIES = 10e-6, 3
"""From when on a fingerprint is too slow to take after every line, by the fastest of some tries."""

_clock = time.monotonic

Key = tuple[str, str]
"""Kind and name of a location."""


class SecondPass:
    """Steps through tests that write, to find the lines. Watches locations from the start that will be written later,
    to record which test reads them before. And runs tests alone that find something, to learn whether they would have
    made it themselves.

    `known` is what the first pass has found: "places", each location with its path, which is empty for state that is
    not a Python object; "steps" and "alone", the numbers of each test's locations; "files", which will be written.
    """

    def __init__(
        self,
        known: Mapping[str, Any],
        memory: MemoryCollector,
        process: ProcessCollector,
        files: FileCollector,
        read_watch: ReadWatch,
        ledger: Ledger,
    ) -> None:
        self._known = known
        self._read_watch = read_watch
        self._memory = memory
        self._process = process
        self._ledger = ledger
        self._stepper: Stepper[Key] = Stepper(ledger.stacks)
        self._written: Mapping[Key, Sequence[Frame]] = {}
        self._keys: list[Key] = [(kind, name) for kind, name, *_ in known["places"]]
        self._locations = [memory.location(*place) for place in known["places"] if place[3]]
        self._location_of = {location.key: location for location in self._locations}
        self._states: list[Key] = [(kind, name) for kind, name, _, path, _ in known["places"] if not path]
        self._fingerprints: dict[Key, Callable[[], int]] = {
            **{location.key: partial(memory.fingerprint, location) for location in self._locations},
            **{(kind, name): partial(process.fingerprint, name) for kind, name in self._states},
        }
        self._seen: dict[Key, Callable[[], int | None]] = {
            **{location.key: partial(getattr, location, "seen") for location in self._locations},
            **{(kind, name): partial(process.seen.get, name) for kind, name in self._states},
        }
        files.expect(frozenset(known["files"]))

    def run_alone(self, items: Mapping[str, Any]) -> None:
        """Call this first, from the clean state."""
        wanted = {test: self._numbered(numbers) for test, numbers in self._known["alone"].items() if test in items}
        self.watch()
        deadline = _clock() + _LEAST_IN_ALL + _TIMES_IN_ALL * self._known["seconds_in_all"]
        for number, (test, keys) in enumerate(wanted.items()):
            if _clock() > deadline:
                self._ledger.note(
                    f"{len(wanted) - number} of {len(wanted)} tests that find something were not run alone, to save"
                    " time: what they find may be a cache"
                )
                return
            for (kind, name), (left, seen) in zip(keys, self._alone(test, items[test], keys), strict=False):
                self._ledger.fact(alone=test, kind=kind, name=name, sign=left, seen=seen)

    def _alone(self, test: str, item: Any, keys: list[Key]) -> list[tuple[int, int | None]]:
        """Empty if the test fails alone, or waits for something that another test makes."""
        seconds = _LEAST + _TIMES * self._known["seconds"][test]
        (found,) = fingerprints_alone([item], [keys], self._left_and_seen, self._read_watch.begin_test, seconds)
        return cast(list[tuple[int, int | None]], found or [])

    def _left_and_seen(self, key: Key) -> tuple[int, int | None]:
        """After the test: the fingerprint of the current content, and of what the test read first."""
        self._read_watch.pause()
        return self._fingerprints[key](), self._seen[key]()

    def watch(self) -> None:
        self._memory.expect(self._locations)
        self._process.expect(self._states)

    def begin_test(self, test: str) -> None:
        self._written = {}
        if numbers := self._known["steps"].get(test):
            self._stepper.start({key: self._cheap_fingerprint(key) for key in self._numbered(numbers)})

    def _cheap_fingerprint(self, key: Key) -> Callable[[], object]:
        """One that can be taken after every line."""
        fingerprint, location = self._fingerprints[key], self._location_of.get(key)
        if location is None or min(_seconds_of(fingerprint) for _ in range(_TRIES)) < _EXPENSIVE_SECONDS:
            return fingerprint
        return self._memory.quick_fingerprint(location) or fingerprint

    def end_test(self) -> None:
        self._written = self._stepper.stop()

    def write_stacks(self, key: Key) -> Sequence[Frame]:
        """Where the test that has just ended wrote the final content of this location; empty if unknown."""
        return self._written.get(key, ())

    def _numbered(self, numbers: Sequence[int]) -> list[Key]:
        return [self._keys[number] for number in numbers]


def _seconds_of(fingerprint: Callable[[], object]) -> float:
    started = _clock()
    fingerprint()
    return _clock() - started
