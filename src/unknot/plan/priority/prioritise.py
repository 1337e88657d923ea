"""An order of the whole suite that reaches coverage early and respects dependencies.

Idea: a greedy order by density. The next test is the one with the highest gain per second, where both count the whole
sequence that must run with it: its needs, and what resolves the conflicts that block it (`SafeOrder.sequence_for`).
Ranking whole sequences matters: a cheap and valuable test may have to wait for a cleaner or a prerequisite that gains
nothing itself, and no rule for single tests ever runs that one early. A sequence counts with its whole
density in one candidate order, and with the density of its best prefix in another; the better order is returned.

Guarantee: the order is safe as far as the dependencies are known, and its area is not less than that of the reference
order. No distance to the best order is proved: without dependencies this is min-sum set cover, which is NP-hard, and
conflicts can hide a good sequence from any search of limited size. Measured against all safe orders of random suites of
up to six tests with many needs and conflicts: on 700 suites not used to develop it, the area was the best possible for
all but two and at least 95 % of it; on the 1,500 used to develop it, for all but four, and at least 78 %. The tests
assert half.

Cost: tests times the logarithm of their number, for suites in which few tests have conflicts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from unknot.model.bits import members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order
from unknot.plan.priority.gain import CoverageGain, Curve, Gain, curve_of, dependents
from unknot.plan.priority.safe_order import SafeOrder

_MICROSECOND = 1e-6
_ROUNDS = 5
"""Once all is covered, the rest of the suite is ordered as if nothing were, at most this many times."""

_Entry = tuple[float, int, int, bool]
"""Minus the gain for the price, minus the tie break, the test, and whether conflicts block it for now."""


@dataclass(frozen=True)
class PrioritisedOrder:
    """`order` is the whole suite. `before` is the curve of the reference order, `after` that of this one. If the order
    is the reference order, `reason` says why."""

    order: Order
    before: Curve
    after: Curve
    reason: str = ""


def by_coverage(dependencies: Dependencies, coverage: Coverage) -> PrioritisedOrder:
    """Tests with the most newly covered elements per second first."""
    return _best(dependencies, CoverageGain(dependencies, coverage), [_seconds(dependencies)])


def by_seconds(dependencies: Dependencies) -> PrioritisedOrder:
    """Short tests first: most outcomes per second."""
    return _best(dependencies, Gain([1.0] * len(dependencies.suite)), [_seconds(dependencies)])


def by_structure(dependencies: Dependencies) -> PrioritisedOrder:
    """Tests with many direct and indirect dependents first; among equals, those with the longest chain of dependents.

    The curve is the share of all dependencies whose prerequisite has run. Tests are ranked by their dependents, as in
    the paper, and by their dependents per second; the order with the better curve is returned.
    """
    volumes, heights = dependents(dependencies)
    return _best(dependencies, Gain(volumes), [[1.0] * len(dependencies.suite), _seconds(dependencies)], heights)


def _seconds(dependencies: Dependencies) -> list[float]:
    """Seconds as prices, at least a microsecond each, to divide by."""
    return [max(_MICROSECOND, dependencies.seconds.get(test, 0.0)) for test in dependencies.suite.tests]


def _best(
    dependencies: Dependencies, gain: Gain, prices: Sequence[Sequence[float]], tie_breaks: Sequence[int] = ()
) -> PrioritisedOrder:
    """The reference order, or the best of the orders ranked by one of the `prices` each."""
    suite = dependencies.suite
    before = curve_of(suite.tests, dependencies.seconds, gain, suite.index)
    if dependencies.untried or not dependencies.complete:
        return PrioritisedOrder(
            suite.tests, before, before, "the search is unfinished, so only the reference order is known to be safe"
        )
    best = PrioritisedOrder(suite.tests, before, before, "no better order was found")
    for price in prices:
        for by_best_prefix in (False, True) if dependencies.conflicts else (False,):
            ranking = _Ranking(dependencies, gain, price, tie_breaks, by_best_prefix=by_best_prefix)
            order = suite.order(ranking.order())
            after = curve_of(order, dependencies.seconds, gain, suite.index)
            if after.area > best.after.area:
                best = PrioritisedOrder(order, before, after)
    return best


class _Ranking:
    """Places the test with the highest gain for its price, together with what it requires, again and again.

    The gain of a test falls as others are placed, so the best entry is evaluated again before it is placed. Its price
    falls when one of its needs is placed, and then it is entered again. If a conflict blocks a test, the whole sequence
    that resolves the conflict is entered, with the gain and the price of all its tests, or `by_best_prefix` with those
    of the prefix that has the highest gain for its price.
    """

    def __init__(
        self,
        dependencies: Dependencies,
        gain: Gain,
        prices: Sequence[float],
        tie_breaks: Sequence[int],
        *,
        by_best_prefix: bool,
    ) -> None:
        self._by_best_prefix = by_best_prefix
        self._gain = gain
        self._running = SafeOrder(dependencies, prices)
        self._prices = prices
        self._tie_breaks = tie_breaks or [0] * len(prices)
        self._heap: list[_Entry] = []
        self._blocked: dict[int, set[int]] = {}
        self._sequences: dict[int, list[int]] = {}
        self._dependents: dict[int, list[int]] = {}
        index = dependencies.suite.index
        for need in dependencies.needs:
            for option in need.any_of:
                if option in index:
                    self._dependents.setdefault(index[option], []).append(index[need.dependent])

    def order(self) -> list[int]:
        self._gain.reset()
        self._gain.take(self._running.order)
        for _ in range(_ROUNDS):
            if not self._round():
                break
            self._gain.reset()
        self._gain.reset()
        return self._running.completed()

    def _round(self) -> bool:
        """Places tests until none left has a gain. Whether any had."""
        running = self._running
        self._heap = [self._entry(test) for test in members(running.left)]
        heapify(self._heap)
        self._blocked.clear()
        gained = False
        while running.left:
            sequence = self._next()
            if sequence:
                gained = True
            elif any(running.is_left(other) for others in self._blocked.values() for other in others):
                sequence = running.sequence_for(running.first_left())
            else:
                break
            running.place(sequence)
            self._placed(sequence)
        return gained

    def _next(self) -> list[int]:
        """The sequence with the highest gain for its price, empty if no test left has a gain."""
        heap = self._heap
        while heap:
            ratio, _, test, is_blocked = heappop(heap)
            if ratio == 0:
                # Gains only fall, so no entry after this one has any.
                heap.clear()
            elif self._running.is_left(test):
                now = self._blocked_entry(test) if is_blocked else self._entry(test)
                if now is None or now[0] == 0:
                    continue
                if heap and now > heap[0]:
                    heappush(heap, now)
                elif is_blocked:
                    return self._sequences[test]
                elif sequence := self._running.sequence_for(test, most_tries=1):
                    return sequence
                elif longer := self._blocked_entry(test):
                    heappush(heap, longer)
        return []

    def _placed(self, sequence: Sequence[int]) -> None:
        self._gain.take(sequence)
        self._sequences.clear()
        again: set[int] = set()
        for test in sequence:
            again.update(self._dependents.get(test, ()), self._blocked.pop(test, ()))
        for other in again:
            if self._running.is_left(other):
                heappush(self._heap, self._entry(other))

    def _entry(self, test: int) -> _Entry:
        return (-self._ratio(self._running.missing(test)), -self._tie_breaks[test], test, False)

    def _blocked_entry(self, test: int) -> _Entry | None:
        """An entry for the sequence that resolves the conflicts of a test, if one is found."""
        if test not in self._sequences:
            self._sequences[test] = self._running.sequence_for(test)
            for other in self._running.obstacles:
                self._blocked.setdefault(other, set()).add(test)
        sequence = self._sequences[test]
        if not sequence:
            return None
        ends = range(1, len(sequence) + 1) if self._by_best_prefix else [len(sequence)]
        ratio = max(self._ratio(sequence[:end]) for end in ends)
        return (-ratio, -self._tie_breaks[test], test, True)

    def _ratio(self, tests: Sequence[int]) -> float:
        gain = self._gain.of(tests)
        # Sorted, so that the same tests cost exactly the same in any sequence.
        return gain / sum(self._prices[test] for test in sorted(tests)) if gain else 0.0
