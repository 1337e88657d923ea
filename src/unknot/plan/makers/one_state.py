"""Lanes for workers that are never reset: each lane is one order.

pytest-xdist's workers are of this kind, and so are shards that plain pytest runs.
"""

from collections.abc import Iterable, Sequence

from unknot.model.bits import members, wide_bits
from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.plan.constraints.implications import Implication, ending_tests, implications_of
from unknot.plan.constraints.subset import Closing
from unknot.plan.makers.greedy import make_plan


def make_one_state_plan(dependencies: Dependencies, workers: int) -> Plan:
    """At most `workers` lanes of one order each, in which every test runs at least once and does as it does in the
    reference order.

    Guarantees: each order follows the reference order, except that tests which crashed or timed out there come last;
    needs are met and no conflict strikes a test that is expected to pass; the plan is predicted to take no longer than
    the reference order; the same arguments give the same plan. A test is in two lanes only if both need it.

    The lanes are those of the greedy maker. A test that greedy separates by a clean state goes, with its closure, to
    the shortest lane in which no conflict strikes. If there is none, it goes to the shortest lane, together with what
    makes it safe there: a cleaner or, if none is known, the reference order up to the victim. Incomplete dependencies
    give a single lane with the reference order.

    Assumes that the dependencies hold for every subsequence of the reference order. Cost: that of greedy, plus little
    for each separated test, or the size of a lane if no lane is safe for it.
    """
    rules, ending = implications_of(dependencies), ending_tests(dependencies)
    # The outcome of a test that ends its process is then known only at its own place, after all that precede it.
    needs_reference_order = any(rule.needs_all and rule.when & ending for rule in rules)
    if dependencies.untried or not dependencies.complete or needs_reference_order:
        return _plan(dependencies, [-1], ending=0)
    in_one = _plan(dependencies, [-1], ending)
    if workers == 1:
        return in_one
    greedy = make_plan(dependencies, workers, clean_state=0.0)
    index = dependencies.suite.index
    firsts = [wide_bits(index[test] for test in lane.orders[0]) for lane in greedy.lanes]
    lanes = _OpenLanes(dependencies, rules, firsts + [0] * (workers - len(firsts)))
    # From last to first: a lane that must start with a prefix of the reference order settles all tests in it.
    for test in reversed(range(len(dependencies.suite))):
        lanes.settle(test)
    plan = _plan(dependencies, lanes.lanes, ending)
    return in_one if plan.predicted_seconds > in_one.predicted_seconds else plan


class _OpenLanes:
    """Lanes, as bitsets, that tests are added to. Each is closed and safe in reference order at any time."""

    def __init__(self, dependencies: Dependencies, rules: Sequence[Implication], lanes: list[int]) -> None:
        self._seconds = [dependencies.seconds.get(test, 0.0) for test in dependencies.suite.tests]
        self._closing = Closing(dependencies, rules)
        self.lanes = lanes
        self._ends = [self._weigh(lane) for lane in lanes]

    def settle(self, test: int) -> None:
        """Adds the test to a lane unless some lane has it."""
        if any(lane >> test & 1 for lane in self.lanes):
            return
        closure = self._closing.closed(1 << test)
        by_end = sorted(range(len(self.lanes)), key=self._ends.__getitem__)
        for number in by_end:
            lane = self.lanes[number]
            # Two sets that are safe by themselves can only break each other by a conflict of a newly added test.
            if self._closing.is_safe(lane | closure, closure & ~lane):
                self._add(number, closure)
                return
        self._add(by_end[0], self._closing.closed(self.lanes[by_end[0]] | closure))

    def _add(self, number: int, tests: int) -> None:
        self._ends[number] += self._weigh(tests & ~self.lanes[number])
        self.lanes[number] |= tests

    def _weigh(self, tests: int) -> float:
        return sum(self._seconds[test] for test in members(tests))


def _plan(dependencies: Dependencies, lanes: Iterable[int], ending: int) -> Plan:
    """Lanes sorted by their first tests; in each, the `ending` tests come last."""
    everything = (1 << len(dependencies.suite)) - 1
    places = sorted(
        [*members(lane & everything & ~ending), *members(lane & everything & ending)] for lane in lanes if lane
    )
    orders = [dependencies.suite.order(order) for order in places if order]
    longest = max((sum(dependencies.seconds.get(test, 0.0) for test in order) for order in orders), default=0.0)
    return Plan(tuple(Lane((order,)) for order in orders), longest, maker="one state")
