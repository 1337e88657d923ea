"""Planning again for tests that a run has lost: those that were to come after a worker had died."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.constraints.restricted import closed, restricted
from unknot.plan.makers.greedy import make_plan


def plan_remaining(
    dependencies: Dependencies,
    lost: Collection[TestId],
    suspects: Collection[TestId],
    workers: int,
    *,
    clean_state: float = 0.02,
) -> Plan:
    """A plan that runs all of `lost`, and each of `suspects` last in an order of its own, each after all that it needs;
    a test that has its verdict already runs again only for them.

    Guarantee: each order is safe as far as the dependencies know; only a suspect's order can be ended by a suspect,
    unless one of the lost needs it. While pairs are untried, each order is a beginning of the reference order. Cost:
    that of a plan for the part.
    """
    members = _company(dependencies, [test for test in lost if test not in suspects])
    plan = make_plan(restricted(dependencies, members), workers, clean_state=clean_state) if members else Plan((), 0.0)
    orders = [
        (*_before(dependencies, suspect), suspect)
        for suspect in sorted(suspects, key=dependencies.suite.index.__getitem__)
    ]
    lanes = _appended([list(lane.orders) for lane in plan.lanes], orders, dependencies, workers)
    return replace(plan, lanes=tuple(Lane(tuple(lane)) for lane in lanes))


def _company(dependencies: Dependencies, tests: Sequence[TestId]) -> Order:
    if dependencies.untried or not dependencies.complete:
        last = max((dependencies.suite.index[test] for test in tests), default=-1)
        return dependencies.suite.tests[: last + 1]
    return closed(dependencies, tests)


def _before(dependencies: Dependencies, test: TestId) -> Order:
    return tuple(other for other in _company(dependencies, [test]) if other != test)


def _appended(
    lanes: list[list[Order]], orders: Sequence[Order], dependencies: Dependencies, workers: int
) -> list[list[Order]]:
    """Each order at the end of the lane that is done first."""
    lanes = lanes + [[] for _ in range(min(workers - len(lanes), len(orders)))]
    ends = [sum(dependencies.seconds.get(test, 0.0) for order in lane for test in order) for lane in lanes]
    for order in orders:
        first = ends.index(min(ends))
        lanes[first].append(order)
        ends[first] += sum(dependencies.seconds.get(test, 0.0) for test in order)
    return lanes
