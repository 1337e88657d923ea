"""What running a test gains, and how fast an order reaches it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from unknot.model.bits import WeightTable, members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Order, TestId


class Gain(Protocol):
    """The gain of a set of tests, given as a bitset of positions. Tests that were taken gain nothing more."""

    def of(self, tests: int) -> float: ...
    def take(self, tests: int) -> None: ...
    def reset(self) -> None: ...


class CoverageGain:
    """A test gains the elements that no test before it covers."""

    def __init__(self, dependencies: Dependencies, coverage: Coverage) -> None:
        self._rows = [coverage.rows.get(test, 0) for test in dependencies.suite.tests]
        self._seen = 0

    def of(self, tests: int) -> float:
        return (self._together(tests) & ~self._seen).bit_count()

    def take(self, tests: int) -> None:
        self._seen |= self._together(tests)

    def reset(self) -> None:
        self._seen = 0

    def _together(self, tests: int) -> int:
        if not tests & (tests - 1):
            return self._rows[tests.bit_length() - 1] if tests else 0
        found = 0
        for test in members(tests):
            found |= self._rows[test]
        return found


class WeightGain:
    """A test gains its own weight, independent of the tests before it."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._scale = WeightTable(weights)
        self._taken = 0

    def of(self, tests: int) -> float:
        return self._scale.weigh(tests & ~self._taken)

    def take(self, tests: int) -> None:
        self._taken |= tests

    def reset(self) -> None:
        self._taken = 0


def dependents(dependencies: Dependencies) -> tuple[list[int], list[int]]:
    """For each test, the number of its direct and indirect dependents, and the length of their longest chain.

    These are the volume and the height by which Haidry and Miller rank tests (Using Dependency Structures for
    Prioritization of Functional Test Suites, TSE 2013): a test with many dependents interacts with most of the system.
    Each alternative of a need counts, except those that come after their dependent.
    """
    index = dependencies.suite.index
    # Reversed: an edge from a test to each of its dependents.
    graph = DependencyGraph(len(index))
    for need in dependencies.needs:
        for option in need.any_of:
            if option in index and index[option] < index[need.dependent]:
                graph.add(index[option], index[need.dependent])
    heights = [0] * len(index)
    for test in reversed(range(len(index))):
        heights[test] = max((heights[other] + 1 for other in members(graph.rows[test])), default=0)
    return [row.bit_count() for row in graph.closure().rows], heights


@dataclass(frozen=True)
class Curve:
    """The share covered against the share of time, as steps: after `points[i][0]` of the time, `points[i][1]` is
    covered, starting at (0, 0). `area` is the average share covered over the time: 1 if all were covered at once. It is
    APFD with elements as faults and tests weighed by their seconds."""

    points: tuple[tuple[float, float], ...]
    area: float


def curve_of(order: Order, seconds: Mapping[TestId, float], gain: Gain, index: Mapping[TestId, int]) -> Curve:
    """If no test takes any time, all count the same. A test covers its elements when it ends. Cost: linear."""
    spent = [seconds.get(test, 0.0) for test in order]
    if not sum(spent):
        spent = [1.0] * len(order)
    gains = []
    gain.reset()
    for test in order:
        gains.append(gain.of(1 << index[test]))
        gain.take(1 << index[test])
    gain.reset()
    return _curve(spent, gains)


def _curve(spent: Sequence[float], gains: Sequence[float]) -> Curve:
    time, all_there_is = sum(spent), sum(gains)
    if not time or not all_there_is:
        return Curve(((0.0, 0.0), (1.0, 1.0)), 1.0)
    points = [(0.0, 0.0)]
    clock = reached = area = 0.0
    for length, more in zip(spent, gains, strict=True):
        area += length * reached
        clock += length
        reached += more
        if more:
            points.append((min(1.0, clock / time), min(1.0, reached / all_there_is)))
    points.append((1.0, 1.0))
    return Curve(tuple(points), area / (time * all_there_is))
