"""The cover problem: find the cheapest part of a suite that covers all and can run by itself.

A weighted set cover with implications, as in DANTE's test suite minimisation (Biagiola's thesis, equations 6.3 to 6.5):
a variable and a cost for each test, a constraint for each element, an implication for each dependency. Either-or needs
and conflicts, which DANTE does not have, make clauses of the implications.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unknot.model.bits import bits, members, wide_bits
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.plan.constraints.implications import Implication, implications_of

_MICROSECOND = 1e-6
_MOST = 2**52
"""Sums up to here are exact in the solvers, which use floating point internally."""


@dataclass(frozen=True)
class Prices:
    """The prices of tests as integers: by seconds, and among equal seconds by the number of tests.

    A price is units * `step` + 1, where all tests together are fewer than `step`. A unit is a microsecond, or more if
    the suite takes so long that sums would not be exact. Seconds are rounded up, so that a limit is kept.
    """

    of: tuple[int, ...]
    unit: float
    step: int

    @classmethod
    def for_seconds(cls, seconds: Sequence[float]) -> "Prices":
        step = len(seconds) + 1
        unit = _MICROSECOND
        while (sum(seconds) / unit + len(seconds)) * step > _MOST:
            unit *= 10
        return cls(tuple(_units(value, unit) * step + 1 for value in seconds), unit, step)

    def seconds(self, price: int) -> float:
        """The seconds in a sum of prices; for a lower bound of prices, a lower bound of seconds."""
        return max(0, price) // self.step * self.unit

    def limit(self, seconds: float) -> int:
        """No set of tests within these seconds costs more, and every set that costs no more is within them."""
        return math.floor(round(min(seconds / self.unit, _MOST), 3)) * self.step + self.step - 1


def _units(seconds: float, unit: float) -> int:
    # To a thousandth first: 0.1 s in floating point is a little more than 100,000 microseconds.
    return math.ceil(round(seconds / unit, 3))


@dataclass(frozen=True)
class CoverProblem:
    """Tests and kinds of elements by position. Elements that the same tests cover are of one kind; `counts[e]` is their
    number. `rows[t]`: the kinds that t covers. `testers[e]`: the tests that cover e, at least one. `kept`: tests that
    must stay. Rows, testers and `kept` are bitsets."""

    prices: Prices
    rows: tuple[int, ...]
    testers: tuple[int, ...]
    counts: tuple[int, ...]
    rules: tuple[Implication, ...]
    kept: int = 0

    @property
    def elements(self) -> int:
        return (1 << len(self.testers)) - 1

    def covered(self, part: int) -> int:
        found = 0
        for test in members(part):
            found |= self.rows[test]
        return found

    def count(self, elements: int) -> int:
        return sum(self.counts[element] for element in members(elements))

    def price(self, part: int) -> int:
        return sum(self.prices.of[test] for test in members(part))


@dataclass(frozen=True)
class CoverResult:
    """`part` is the best that was found, `bound` a bound that no part can beat: a price, or a number of elements.
    `proven`: no better part exists."""

    part: int
    bound: int
    proven: bool


def build_problem(dependencies: Dependencies, coverage: Coverage, keep: Iterable[TestId] = ()) -> CoverProblem:
    """The problem for a suite. Elements that no test covers are left out; a test without coverage data covers nothing.
    Cost: linear in the elements covered by each test."""
    tests = dependencies.suite.tests
    testers = [0] * len(coverage.elements)
    for number, test in enumerate(tests):
        bit = 1 << number
        for element in members(coverage.rows.get(test, 0)):
            testers[element] |= bit
    kinds = Counter(found for found in testers if found)
    rows: list[list[int]] = [[] for _ in tests]
    for kind, found in enumerate(kinds):
        for test_number in members(found):
            rows[test_number].append(kind)
    return CoverProblem(
        prices=Prices.for_seconds([dependencies.seconds.get(test, 0.0) for test in tests]),
        rows=tuple(map(wide_bits, rows)),
        testers=tuple(kinds),
        counts=tuple(kinds.values()),
        rules=implications_of(dependencies),
        kept=bits(dependencies.suite.index[test] for test in keep),
    )
