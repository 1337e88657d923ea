"""An order of the whole suite that gives most as early as possible, and breaks no dependency."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from unknot.model.bits import WeightTable, members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order
from unknot.plan.priority.gain import CoverageGain, Curve, Gain, WeightGain, curve_of, dependents
from unknot.plan.priority.safe_order import SafeOrder

_MICROSECOND = 1e-6


@dataclass(frozen=True)
class PrioritisedOrder:
    """`order` is the whole suite. `before` is the curve of the reference order, `after` that of this one. `reason`
    says why the order is the reference order, where it is."""

    order: Order
    before: Curve
    after: Curve
    reason: str = ""


def by_coverage(dependencies: Dependencies, coverage: Coverage) -> PrioritisedOrder:
    """What covers most that is new, per second, first."""
    return _best(dependencies, CoverageGain(dependencies, coverage), [_seconds(dependencies)])


def by_seconds(dependencies: Dependencies) -> PrioritisedOrder:
    """Short tests first: most verdicts per second."""
    return _best(dependencies, WeightGain([1.0] * len(dependencies.suite)), [_seconds(dependencies)])


def by_structure(dependencies: Dependencies) -> PrioritisedOrder:
    """Tests on which many others depend, directly or not, first; among equals those with the longest chain of them.

    The curve is the share of all dependencies whose prerequisite has run. Ranked by the dependents of a test, as the
    paper has it, and by its dependents per second; the better curve of both is taken.
    """
    volumes, heights = dependents(dependencies)
    return _best(dependencies, WeightGain(volumes), [[1.0] * len(dependencies.suite), _seconds(dependencies)], heights)


def _seconds(dependencies: Dependencies) -> list[float]:
    """A test that takes no time takes a little, so that there is something to divide by."""
    return [max(_MICROSECOND, dependencies.seconds.get(test, 0.0)) for test in dependencies.suite.tests]


def _best(
    dependencies: Dependencies, worth: Gain, prices: Sequence[Sequence[float]], ties: Sequence[int] = ()
) -> PrioritisedOrder:
    """Guarantee: the order is safe as far as the dependencies know, and its area is not less than the reference
    order's. Cost: tests times the logarithm of their number, for suites in which few tests have conflicts."""
    suite = dependencies.suite
    before = curve_of(suite.tests, dependencies.seconds, worth, suite.index)
    if dependencies.untried or not dependencies.complete:
        return PrioritisedOrder(
            suite.tests, before, before, "the search was not finished: only the reference order is known to be safe"
        )
    best = PrioritisedOrder(suite.tests, before, before, "no order was found that gives more earlier")
    for price in prices:
        order = suite.order(Ranking(dependencies, worth, price, ties).order())
        after = curve_of(order, dependencies.seconds, worth, suite.index)
        if after.area > best.after.area:
            best = PrioritisedOrder(order, before, after)
    return best


# Which test comes next: what is worth most for its price, as far as dependencies allow.
_ROUNDS = 5
"""Once all is covered, the rest of the suite is put in order as if nothing were, so many times at most."""

_Entry = tuple[float, int, int, int]
"""Minus the worth for the price, minus the tie, the test to take, and the test that it opens the way for, or -1."""


class Ranking:
    """Takes the test that is worth most for its price, with what it needs, again and again.

    A test's worth falls as others are taken, so the best of yesterday is looked at again before it is taken; its price
    falls when something that it needs is placed, and then it is put up again. A test that a conflict forbids for now
    waits until a test of that conflict is placed; and those which would open the way for it, the victim before its
    polluter or a cleaner before the victim, are put up for what they are worth together.
    """

    def __init__(self, dependencies: Dependencies, worth: Gain, prices: Sequence[float], ties: Sequence[int]) -> None:
        self._worth = worth
        self._running = SafeOrder(dependencies, prices)
        self._scale = WeightTable(prices)
        self._ties = ties or [0] * len(prices)
        self._heap: list[_Entry] = []
        self._waiting: dict[int, set[int]] = {}
        self._detours: set[tuple[int, int]] = set()
        self._dependents: dict[int, list[int]] = {}
        for need in dependencies.needs:
            for option in need.any_of:
                if option in dependencies.suite.index:
                    self._dependents.setdefault(dependencies.suite.index[option], []).append(
                        dependencies.suite.index[need.dependent]
                    )

    def order(self) -> list[int]:
        self._worth.forget()
        self._worth.take(self._running.placed)
        for _ in range(_ROUNDS):
            if not self._round():
                break
            self._worth.forget()
        self._worth.forget()
        return self._running.finished()

    def _round(self) -> bool:
        """Until nothing left is worth anything. Whether anything was."""
        running = self._running
        self._heap = [self._entry(test) for test in members(running.left)]
        heapify(self._heap)
        self._waiting.clear()
        gained = False
        while running.left:
            test = self._next()
            if test is not None:
                new = running.take(test)
                if not new:
                    self._wait(test)
                    continue
                gained = True
            elif any(running.is_left(other) for others in self._waiting.values() for other in others):
                new = running.take_first()
            else:
                break
            self._placed(new)
        return gained

    def _next(self) -> int | None:
        """The test that is worth most for its price, or none where nothing is worth anything."""
        heap = self._heap
        while heap:
            worth, _, test, opens = heappop(heap)
            if worth == 0:
                # Nothing behind it is worth more, and worth only falls.
                heap.clear()
            elif self._running.is_left(test):
                now = self._entry(test, opens)
                if now[0] < 0:
                    if not heap or now <= heap[0]:
                        return test
                    heappush(heap, now)
        return None

    def _wait(self, test: int) -> None:
        for other in self._running.obstacle:
            self._waiting.setdefault(other, set()).add(test)
            # Once each until something is placed: two tests may stand in each other's way.
            if other != test and self._running.is_left(other) and (other, test) not in self._detours:
                self._detours.add((other, test))
                heappush(self._heap, self._entry(other, test))

    def _placed(self, new: int) -> None:
        self._worth.take(new)
        self._detours.clear()
        again: set[int] = set()
        for test in members(new):
            again.update(self._dependents.get(test, ()), self._waiting.pop(test, ()))
        for other in again:
            if self._running.is_left(other):
                heappush(self._heap, self._entry(other))

    def _entry(self, test: int, opens: int = -1) -> _Entry:
        new = self._running.missing(test)
        if opens >= 0 and self._running.is_left(opens):
            new |= self._running.missing(opens)
        worth = self._worth.of(new)
        return (-worth / self._scale.weigh(new) if worth else 0.0, -self._ties[test], test, opens)
