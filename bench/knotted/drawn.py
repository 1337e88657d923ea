"""Writes a pytest suite of sleeping tests with dependencies that are known."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unknot.model.dependencies import Conflict, Cost, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

_A_FILE = 20
_SLEEPS = (0.02, 0.12)
NO_PROOF = Proof((), ())
_STATE = '"""What tests leave behind for each other."""\n\ndone = set()\ndirty = set()\n'
_HIDDEN_STATE = Path(__file__).with_name("hidden_state.py")
_HIDDEN_SETS = ("", "library", "children")
"""A third of the keys each: where the recorder sees them, in a C library, in files of child processes."""


@dataclass(frozen=True)
class Extent:
    """How many tests, and how many dependencies of each kind: a test needs another, needs either of two, breaks after
    another unless a third cleans up, or breaks after another whatever comes between."""

    tests: int
    needs: int
    either: int
    cleaned: int
    never_cleaned: int

    @property
    def dependencies(self) -> int:
        return self.needs + self.either + self.cleaned + self.never_cleaned


HUNDRED = Extent(100, needs=10, either=3, cleaned=3, never_cleaned=3)
WHOLE = Extent(300, needs=30, either=10, cleaned=10, never_cleaned=10)
SMALL = Extent(60, needs=6, either=2, cleaned=2, never_cleaned=2)


def write_suite(directory: Path, extent: Extent, seed: int, *, hidden: bool = False) -> Dependencies:
    """The suite, green in its own order, and the truth about it. A third of the needs lead on to another need. With
    `hidden`, two thirds of the state are where no recorder of Python's memory and files sees them. The same seed writes
    the same suite."""
    suite = _Suite(extent, random.Random(seed), hidden)
    directory.mkdir(parents=True)
    (directory / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    state = _HIDDEN_STATE.read_text(encoding="utf-8") if hidden else _STATE
    (directory / "state.py").write_text(state, encoding="utf-8")
    for start in range(0, extent.tests, _A_FILE):
        places = range(start, min(start + _A_FILE, extent.tests))
        text = "import time\n\nimport state\n" + "".join(map(suite.function, places))
        (directory / _file(start)).write_text(text, encoding="utf-8")
    return suite.truth()


def with_proofs(truth: Dependencies) -> Dependencies:
    """The same with orders that show each dependency, as a lock file must have them."""
    return Dependencies(
        truth.suite,
        truth.outcomes,
        truth.seconds,
        needs=tuple(
            Need(need.dependent, need.any_of, Proof(truth.closure(need.dependent), (need.dependent,)))
            for need in truth.needs
        ),
        conflicts=tuple(
            Conflict(
                known.victim,
                known.polluters,
                known.cleaners,
                Proof((known.victim,), (*known.polluters, known.victim)),
            )
            for known in truth.conflicts
        ),
        cost=Cost("truth"),
    )


@dataclass
class _Part:
    """What a test does besides sleeping, as keys of the sets in `state`."""

    hidden: bool
    wants: list[str] = field(default_factory=list)
    shuns: list[str] = field(default_factory=list)
    gives: list[str] = field(default_factory=list)
    soils: list[str] = field(default_factory=list)
    cleans: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        yield from (f'assert "{key}" in {self._set(key, "done")}' for key in self.wants)
        yield from (f'assert "{key}" not in {self._set(key, "dirty")}' for key in self.shuns)
        yield from (f'{self._set(key, "done")}.add("{key}")' for key in self.gives)
        yield from (f'{self._set(key, "dirty")}.add("{key}")' for key in self.soils)
        yield from (f'{self._set(key, "dirty")}.discard("{key}")' for key in self.cleans)

    def _set(self, key: str, usual: str) -> str:
        number = int(key.partition("-")[2])
        return f"state.{(_HIDDEN_SETS[number % 3] if self.hidden else '') or usual}"


class _Suite:
    def __init__(self, extent: Extent, draw: random.Random, hidden: bool) -> None:
        self._tests = tuple(TestId(f"{_file(place)}::test_{place:03}") for place in range(extent.tests))
        self._parts = [_Part(hidden) for _ in self._tests]
        self._sleeps = [round(draw.uniform(*_SLEEPS), 4) for _ in self._tests]
        self._needs: list[Need] = []
        self._conflicts: list[Conflict] = []
        # Every test has a part in one dependency only, but for those that lead on.
        self._free = draw.sample(range(extent.tests), extent.tests)
        chained = extent.needs // 3
        for _ in range(extent.needs - chained):
            self._add_need(*self._next(2))
        for first in list(self._needs)[:chained]:
            place = self._tests.index(first.any_of[0])
            earlier = next((number for number in self._free if number < place), None)
            if earlier is None:
                self._add_need(*self._next(2))
            else:
                self._free.remove(earlier)
                self._add_need(earlier, place)
        for _ in range(extent.either):
            self._add_need(*self._next(3))
        for _ in range(extent.cleaned):
            polluter, cleaner, victim = self._next(3)
            self._add_conflict(polluter, victim, cleaner)
        for _ in range(extent.never_cleaned):
            victim, polluter = self._next(2)
            self._add_conflict(polluter, victim)

    def function(self, place: int) -> str:
        lines = [f"time.sleep({self._sleeps[place]})", *self._parts[place].lines()]
        return f"\n\ndef test_{place:03}():\n" + "".join(f"    {line}\n" for line in lines)

    def truth(self) -> Dependencies:
        return Dependencies(
            Suite(self._tests),
            dict.fromkeys(self._tests, Outcome.PASSED),
            dict(zip(self._tests, self._sleeps, strict=True)),
            tuple(self._needs),
            tuple(self._conflicts),
        )

    def _next(self, count: int) -> Sequence[int]:
        taken, self._free = self._free[:count], self._free[count:]
        return sorted(taken)

    def _add_need(self, *places: int) -> None:
        *setters, dependent = places
        key = f"need-{len(self._needs)}"
        self._parts[dependent].wants.append(key)
        for setter in setters:
            self._parts[setter].gives.append(key)
        self._needs.append(Need(self._tests[dependent], tuple(self._tests[place] for place in setters), NO_PROOF))

    def _add_conflict(self, polluter: int, victim: int, *cleaners: int) -> None:
        key = f"conflict-{len(self._conflicts)}"
        self._parts[victim].shuns.append(key)
        self._parts[polluter].soils.append(key)
        for cleaner in cleaners:
            self._parts[cleaner].cleans.append(key)
        names = tuple(self._tests[place] for place in cleaners)
        self._conflicts.append(Conflict(self._tests[victim], (self._tests[polluter],), names, NO_PROOF))


def _file(place: int) -> str:
    return f"test_{place // _A_FILE:02}.py"
