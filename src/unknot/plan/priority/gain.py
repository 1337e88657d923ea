"""What running tests is worth, to those who want the most of it as soon as possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from unknot.model.bits import WeightTable, members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Order, TestId


class Gain(Protocol):
    """Tests come as bitsets of positions. What was taken is worth nothing more."""

    def of(self, tests: int) -> float: ...
    def take(self, tests: int) -> None: ...
    def forget(self) -> None: ...


class CoverageGain:
    """A test is worth the elements that nobody before it covers."""

    def __init__(self, dependencies: Dependencies, coverage: Coverage) -> None:
        self._rows = [coverage.rows.get(test, 0) for test in dependencies.suite.tests]
        self._seen = 0

    def of(self, tests: int) -> float:
        return (self._together(tests) & ~self._seen).bit_count()

    def take(self, tests: int) -> None:
        self._seen |= self._together(tests)

    def forget(self) -> None:
        self._seen = 0

    def _together(self, tests: int) -> int:
        if not tests & (tests - 1):
            return self._rows[tests.bit_length() - 1] if tests else 0
        found = 0
        for test in members(tests):
            found |= self._rows[test]
        return found


class WeightGain:
    """A test is worth its own weight, whoever ran before it."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._scale = WeightTable(weights)
        self._taken = 0

    def of(self, tests: int) -> float:
        return self._scale.weigh(tests & ~self._taken)

    def take(self, tests: int) -> None:
        self._taken |= tests

    def forget(self) -> None:
        self._taken = 0


def dependents(dependencies: Dependencies) -> tuple[list[int], list[int]]:
    """For each test, how many depend on it, directly or not, and how long the longest chain of them is: the volume and
    the height by which Haidry and Miller (Using Dependency Structures for Prioritization of Functional Test Suites,
    TSE 2013) rank tests, on the idea that what many build on interacts with most. Each alternative of an either-or
    need counts as needed; those that stand after their dependent do not.
    """
    index = dependencies.suite.index
    # Upside down: an edge from a test to those that depend on it.
    graph = DependencyGraph(len(index))
    for need in dependencies.needs:
        for option in need.any_of:
            if option in index and index[option] < index[need.dependent]:
                graph.add(index[option], index[need.dependent])
    heights = [0] * len(index)
    for test in reversed(range(len(index))):
        heights[test] = max((heights[other] + 1 for other in members(graph.rows[test])), default=0)
    return [row.bit_count() for row in graph.closure().rows], heights


# How fast an order covers: the share covered against the share of time run.
@dataclass(frozen=True)
class Curve:
    """A staircase: after `points[i][0]` of the time, `points[i][1]` is covered; it begins at (0, 0). `area` is what is
    covered on average over the time: 1 if all were covered at once, as with APFD, whose faults are our elements and
    whose tests are weighed by their seconds."""

    points: tuple[tuple[float, float], ...]
    area: float


def curve_of(order: Order, seconds: Mapping[TestId, float], worth: Gain, index: Mapping[TestId, int]) -> Curve:
    """Where no test takes any time, all take the same. What a test covers, it covers when it ends. Cost: linear."""
    spent = [seconds.get(test, 0.0) for test in order]
    if not sum(spent):
        spent = [1.0] * len(order)
    gained = []
    worth.forget()
    for test in order:
        gained.append(worth.of(1 << index[test]))
        worth.take(1 << index[test])
    worth.forget()
    return _curve(spent, gained)


def _curve(spent: Sequence[float], gained: Sequence[float]) -> Curve:
    time, all_there_is = sum(spent), sum(gained)
    if not time or not all_there_is:
        return Curve(((0.0, 0.0), (1.0, 1.0)), 1.0)
    points = [(0.0, 0.0)]
    clock = reached = area = 0.0
    for length, more in zip(spent, gained, strict=True):
        area += length * reached
        clock += length
        reached += more
        if more:
            points.append((min(1.0, clock / time), min(1.0, reached / all_there_is)))
    points.append((1.0, 1.0))
    return Curve(tuple(points), area / (time * all_there_is))
