"""Lower bounds on the time of a safe plan, and their reasons."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from unknot.model.bits import WeightTable, positions
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import TestId

_STEPS = 40
_CROWD = 3
"""How many of the longest closures per worker are compared in pairs."""


@dataclass(frozen=True)
class Bounds:
    """No safe plan for this number of workers takes less than any of these seconds, clean states not counted.

    `critical`: the longest closure, that of `critical_test`: a lane runs all that a test needs. `share`: work divided
    by workers. `repeated`: like `share`, but counts the tests that must run more than once, because lanes share nothing
    and the dependents of one test do not fit into one lane.
    """

    work: float
    share: float
    critical: float
    critical_test: TestId | None
    repeated: float

    @property
    def seconds(self) -> float:
        return max(self.share, self.critical, self.repeated)


def lower_bound(dependencies: Dependencies, workers: int) -> float:
    return bounds(dependencies, workers).seconds


def bounds(dependencies: Dependencies, workers: int) -> Bounds:
    """With alternatives, a test is assumed to need what all of them have in common, so the bounds hold for any choice.
    Conflicts only make plans longer. Cost: linear in the alternatives, times the width of a bitset."""
    if workers < 1:
        raise UsageError(
            f"a bound needs at least one worker, not {workers}", hint="Pass -n 1 or more.", slug="workers-invalid"
        )
    tests = dependencies.suite.tests
    seconds = [dependencies.seconds.get(test, 0.0) for test in tests]
    scale = WeightTable(seconds)
    needed = _Needed(dependencies)
    closures = list(map(scale.weigh, needed.rows))
    longest = max(range(len(tests)), key=closures.__getitem__, default=None)
    work = sum(seconds)
    share = work / workers
    critical = 0.0 if longest is None else closures[longest]
    at_least = max(share, critical)
    return Bounds(
        work=work,
        share=share,
        critical=critical,
        critical_test=None if longest is None else tests[longest],
        repeated=_Splitting(needed, seconds, closures, scale, workers).least_end(at_least, work),
    )


class _Needed:
    """`rows[t]`: t and the tests that every order with the expected outcome of t must contain. `direct[t]`: enough of
    them that all others are in their rows."""

    def __init__(self, dependencies: Dependencies) -> None:
        index = dependencies.suite.index
        # A test not reached yet counts as itself alone. That is less than it may need, so the bound still holds.
        self.rows = [1 << place for place in range(len(index))]
        self.direct: list[list[int]] = [[] for _ in index]
        for place, test in enumerate(dependencies.suite.tests):
            for need in dependencies.needs_of.get(test, ()):
                options = [index[option] for option in need.any_of if option in index]
                if len(options) == 1:
                    if options[0] < place:
                        self.direct[place].append(options[0])
                    self.rows[place] |= self.rows[options[0]]
                elif options:
                    common = self.rows[options[0]]
                    for option in options[1:]:
                        common &= self.rows[option]
                    self.direct[place] += positions(common & ~self.rows[place])
                    self.rows[place] |= common


@dataclass(frozen=True)
class _Shared:
    """A test that others need: its seconds, those of its closure, what its dependents add (`behind`) if every test runs
    once, and these dependents."""

    place: int
    seconds: float
    closure: float
    behind: float
    dependents: int


class _Splitting:
    """How many lanes must run a test. Each lane with one of its dependents runs its whole closure; only the rest of the
    lane is available for dependents, each as often as it must itself be run."""

    def __init__(
        self, needed: _Needed, seconds: Sequence[float], closures: Sequence[float], scale: WeightTable, workers: int
    ) -> None:
        self._workers = workers
        self._rows = needed.rows
        self._scale = scale
        self._work = sum(seconds)
        dependents = [1 << place for place in range(len(seconds))]
        around = list(needed.rows)
        for place in reversed(range(len(seconds))):
            for prerequisite in needed.direct[place]:
                dependents[prerequisite] |= dependents[place]
                around[prerequisite] |= around[place]
        # From the last to the first: dependents before their prerequisites.
        self._shared = [
            _Shared(
                place,
                seconds[place],
                closures[place],
                scale.weigh(around[place] & ~needed.rows[place]),
                dependents[place] ^ 1 << place,
            )
            for place in reversed(range(len(seconds)))
            if seconds[place] and dependents[place] != 1 << place
        ]
        ends = [place for place, held in enumerate(dependents) if held == 1 << place]
        ends.sort(key=lambda place: (-closures[place], place))
        self._longest = ends[: _CROWD * workers + 1]
        self._known: dict[tuple[int, int], float] = {}

    def least_end(self, low: float, high: float) -> float:
        """The latest end that was shown to be too early, at least `low`. `high` is known to be possible."""
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if self._is_too_early(middle):
                low = middle
            else:
                high = middle
        return low

    def _is_too_early(self, end: float) -> bool:
        work = self._work
        again: dict[int, float] = {}
        several = 0
        for shared in self._shared:
            room = end - shared.closure
            behind = shared.behind + sum(again[place] for place in positions(shared.dependents & several))
            if behind <= room:
                continue
            if room <= 0:
                return True
            # Rounding must not add a lane.
            lanes = math.ceil(behind / room * (1 - 1e-9))
            if lanes > self._workers:
                return True
            again[shared.place] = shared.seconds * (lanes - 1)
            several |= 1 << shared.place
            work += again[shared.place]
        return work > self._workers * end * (1 + 1e-9) or self._crowd(end) > self._workers

    def _crowd(self, end: float) -> int:
        """The number of tests of which no two fit into one lane."""
        chosen: list[int] = []
        for place in self._longest:
            if all(self._together(place, other) > end * (1 + 1e-9) for other in chosen):
                chosen.append(place)
        return len(chosen)

    def _together(self, one: int, other: int) -> float:
        if (one, other) not in self._known:
            self._known[one, other] = self._scale.weigh(self._rows[one] | self._rows[other])
        return self._known[one, other]
