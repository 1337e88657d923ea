"""Lanes for workers that are never reset: each lane is one order.

pytest-xdist's workers are of this kind, and so are shards that plain pytest runs.
"""

from collections.abc import Collection, Iterable, Sequence

from unknot.model.dependencies import Conflict, Dependencies
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.constraints.subset import close_tests
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
    in_one = _plan(dependencies, [dependencies.suite.tests])
    if workers == 1 or dependencies.untried or not dependencies.complete or _needs_reference_order(dependencies):
        return in_one
    greedy = make_plan(dependencies, workers, clean_state=0.0)
    lanes = _OpenLanes(dependencies, [lane.orders[0] for lane in greedy.lanes], workers)
    # From last to first: a lane that must start with a prefix of the reference order settles all tests in it.
    for test in sorted(
        {test for lane in greedy.lanes for test in lane.tests}, key=lambda test: -dependencies.suite.index[test]
    ):
        lanes.settle(test)
    plan = _plan(dependencies, lanes.lanes)
    return in_one if plan.predicted_seconds > in_one.predicted_seconds else plan


class _OpenLanes:
    """Lanes that tests are added to. Each is closed and safe in reference order at any time."""

    def __init__(self, dependencies: Dependencies, lanes: Sequence[Order], workers: int) -> None:
        self._dependencies = dependencies
        self.lanes = [set(lane) for lane in lanes] + [set[TestId]() for _ in range(workers - len(lanes))]
        self._ends = [_seconds(dependencies, lane) for lane in self.lanes]
        self._settled = set[TestId]().union(*self.lanes)
        self._conflicts_with: dict[TestId, list[Conflict]] = {}
        for conflict in dependencies.conflicts:
            for test in (conflict.victim, *conflict.polluters):
                self._conflicts_with.setdefault(test, []).append(conflict)

    def settle(self, test: TestId) -> None:
        """Adds the test to a lane unless some lane has it."""
        if test in self._settled:
            return
        closure = close_tests(self._dependencies, [test])
        by_end = sorted(range(len(self.lanes)), key=self._ends.__getitem__)
        for number in by_end:
            if self._is_safe(self.lanes[number], closure):
                self._add(number, closure)
                return
        shortest = by_end[0]
        self._add(shortest, close_tests(self._dependencies, (*self.lanes[shortest], *closure)))

    def _is_safe(self, lane: set[TestId], closure: Order) -> bool:
        """Two sets that are safe by themselves can only break each other by a conflict of a newly added test."""
        fresh = [test for test in closure if test not in lane]
        together = lane | set(closure)
        return not any(
            self._strikes(conflict, together) for test in fresh for conflict in self._conflicts_with.get(test, ())
        )

    def _strikes(self, conflict: Conflict, tests: set[TestId]) -> bool:
        index, victim = self._dependencies.suite.index, conflict.victim
        if victim not in tests or not conflict.polluters or self._dependencies.outcomes[victim].is_bad:
            return False
        if not tests.issuperset(conflict.polluters):
            return False
        polluted = max(index[polluter] for polluter in conflict.polluters)
        cleaned = any(polluted < index[cleaner] < index[victim] for cleaner in tests.intersection(conflict.cleaners))
        return polluted < index[victim] and not cleaned

    def _add(self, number: int, tests: Iterable[TestId]) -> None:
        fresh = set(tests) - self.lanes[number]
        self.lanes[number] |= fresh
        self._ends[number] += _seconds(self._dependencies, fresh)
        self._settled |= fresh


def _needs_reference_order(dependencies: Dependencies) -> bool:
    """Whether a test that ends its process has a need that no test before it meets. Its outcome is then known only at
    its own place, after all that precede it."""
    index = dependencies.suite.index
    return any(
        not any(
            index.get(option, len(index)) < index[need.dependent] and _lives(dependencies, option)
            for option in need.any_of
        )
        for need in dependencies.needs
        if not _lives(dependencies, need.dependent)
    )


def _plan(dependencies: Dependencies, lanes: Iterable[Collection[TestId]]) -> Plan:
    """Lanes sorted by their first tests. Tests that end their process come last, unless only the reference order is
    known to be safe."""
    index = dependencies.suite.index
    in_place = bool(dependencies.untried) or not dependencies.complete or _needs_reference_order(dependencies)
    orders = [
        tuple(sorted(lane, key=lambda test: (not in_place and not _lives(dependencies, test), index[test])))
        for lane in lanes
        if lane
    ]
    orders.sort(key=lambda order: [index[test] for test in order])
    longest = max((_seconds(dependencies, order) for order in orders), default=0.0)
    return Plan(tuple(Lane((order,)) for order in orders), longest, maker="one state")


def _seconds(dependencies: Dependencies, tests: Iterable[TestId]) -> float:
    return sum(dependencies.seconds.get(test, 0.0) for test in tests)


def _lives(dependencies: Dependencies, test: TestId) -> bool:
    outcome = dependencies.outcomes.get(test)
    return outcome is None or not outcome.ends_process
