"""The second run of the suite, which knows from the first what to look for."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from unknot.recorder.inside.files.files import Files
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import Memory
from unknot.recorder.inside.memory.reads import Watching
from unknot.recorder.inside.process.process import Process
from unknot.recorder.inside.second_pass.alone import signs_alone
from unknot.recorder.inside.second_pass.stepping import Stepper
from unknot.recorder.inside.stack import Frame

_LEAST, _TIMES = 1.0, 5.0
"""How long a test may take alone: so many seconds, and so many times what it took in the suite."""

_LEAST_IN_ALL, _TIMES_IN_ALL = 5.0, 1.0
"""The same for all that are run alone, and the whole suite."""

_DEAR, _TRIES = 10e-6, 3
"""Seconds for a sign, the least of so many tries."""

_clock = time.monotonic

Key = tuple[str, str]
"""Kind and name of a location."""


class SecondLook:
    """Steps through tests that write, to find the lines; watches what will be written from the start, to see who reads
    it before; and runs tests alone that find something, to see whether they would have made it themselves.

    `known` says what the first look has found: "places", how to get to each location, with no road to those that are no
    Python objects; "steps" and "alone", the
    locations of each test by number; "files", which will be written.
    """

    def __init__(
        self,
        known: Mapping[str, Any],
        memory: Memory,
        process: Process,
        files: Files,
        watching: Watching,
        ledger: Ledger,
    ) -> None:
        self._known = known
        self._watching = watching
        self._memory = memory
        self._process = process
        self._ledger = ledger
        self._stepper: Stepper[Key] = Stepper(ledger.stacks)
        self._written: Mapping[Key, Sequence[Frame]] = {}
        self._keys: list[Key] = [(kind, name) for kind, name, *_ in known["places"]]
        self._places = [memory.place(*place) for place in known["places"] if place[3]]
        self._place_of = {place.key: place for place in self._places}
        self._states: list[Key] = [(kind, name) for kind, name, _, road, _ in known["places"] if not road]
        self._signs: dict[Key, Callable[[], int]] = {
            **{place.key: partial(memory.sign, place) for place in self._places},
            **{(kind, name): partial(process.sign, name) for kind, name in self._states},
        }
        self._seen: dict[Key, Callable[[], int | None]] = {
            **{place.key: partial(getattr, place, "seen") for place in self._places},
            **{(kind, name): partial(process.seen.get, name) for kind, name in self._states},
        }
        files.expect(frozenset(known["files"]))

    def run_alone(self, items: Mapping[str, Any]) -> None:
        """Before anything else, from the clean state."""
        wanted = {test: self._locations(numbers) for test, numbers in self._known["alone"].items() if test in items}
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
        """Empty if the test fails alone, or waits for something that another would have made."""
        seconds = _LEAST + _TIMES * self._known["seconds"][test]
        (found,) = signs_alone([item], [keys], self._left_and_seen, self._watching.begin_test, seconds)
        return cast(list[tuple[int, int | None]], found or [])

    def _left_and_seen(self, key: Key) -> tuple[int, int | None]:
        """After the test: what is there now, and what it had before its eyes when it first looked."""
        self._watching.pause()
        return self._signs[key](), self._seen[key]()

    def watch(self) -> None:
        self._memory.expect(self._places)
        self._process.expect(self._states)

    def begin_test(self, test: str) -> None:
        self._written = {}
        if numbers := self._known["steps"].get(test):
            self._stepper.start({key: self._affordable(key) for key in self._locations(numbers)})

    def _affordable(self, key: Key) -> Callable[[], object]:
        """A sign that can be asked for after every line."""
        sign, place = self._signs[key], self._place_of.get(key)
        if place is None or min(_seconds_of(sign) for _ in range(_TRIES)) < _DEAR:
            return sign
        return self._memory.quick_sign(place) or sign

    def end_test(self) -> None:
        self._written = self._stepper.stop()

    def written(self, key: Key) -> Sequence[Frame]:
        """Where the test that has just ended wrote this location for good; empty if that was not seen."""
        return self._written.get(key, ())

    def _locations(self, numbers: Sequence[int]) -> list[Key]:
        return [self._keys[number] for number in numbers]


def _seconds_of(sign: Callable[[], object]) -> float:
    started = _clock()
    sign()
    return _clock() - started
