"""What running a test gains, and how fast an order reaches it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from unknot.model.bits import members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Order, TestId


class Gain:
    """A test, given by its position, gains its own weight, independent of the tests before it."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = weights

    def of(self, tests: Iterable[int]) -> float:
        """What these tests gain together. Assumes that none of them was taken before."""
        return sum(self._weights[test] for test in tests)

    def take(self, tests: Iterable[int]) -> None:
        """These tests run; what they cover gains nothing more."""

    def reset(self) -> None:
        """As if no test had run."""


class CoverageGain(Gain):
    """A test gains the elements that no test before it covers."""

    def __init__(self, dependencies: Dependencies, coverage: Coverage) -> None:
        self._rows = [coverage.rows.get(test, 0) for test in dependencies.suite.tests]
        self._everything = (1 << len(coverage.elements)) - 1
        self._unseen = self._everything

    def of(self, tests: Iterable[int]) -> float:
        found = 0
        for test in tests:
            found |= self._rows[test]
        return (found & self._unseen).bit_count()

    def take(self, tests: Iterable[int]) -> None:
        for test in tests:
            self._unseen &= ~self._rows[test]

    def reset(self) -> None:
        self._unseen = self._everything


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
        gains.append(gain.of([index[test]]))
        gain.take([index[test]])
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
