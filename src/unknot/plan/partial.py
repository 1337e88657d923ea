"""Plans for a part of the suite: shards for separate machines, and what remains after a worker crashed."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from unknot.model.bits import bits, members
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.constraints.implications import implications_of
from unknot.plan.constraints.subset import Closing, restrict
from unknot.plan.makers.greedy import make_plan
from unknot.plan.makers.one_state import make_one_state_plan


def make_shards(dependencies: Dependencies, count: int) -> tuple[Order, ...]:
    """Exactly `count` orders that together run every test; the last ones may be empty.

    Guarantees: each shard is closed (needs, and cleaners between polluters and victims), so that it is safe by itself,
    in its own order or by any plan for `restrict(dependencies, shard)`. The same dependencies give the same shards on
    every machine. Shards are balanced by time like lanes: prerequisites run in several shards only if that makes the
    slowest one shorter. Incomplete dependencies give a single shard with the reference order.

    Cost: that of a plan.
    """
    if count < 1:
        raise UsageError(
            f"there must be at least one shard, not {count}", hint="Ask for 1 shard or more.", slug="shard-invalid"
        )
    orders = [lane.orders[0] for lane in make_one_state_plan(dependencies, count).lanes]
    return (*orders, *((),) * (count - len(orders)))


def shard_of(dependencies: Dependencies, index: int, count: int) -> Order:
    """The tests of the shard with this number, counted from 1."""
    if not 1 <= index <= count:
        raise UsageError(
            f"there is no shard {index} of {count}",
            hint="Count shards from 1: of six, 1/6 to 6/6.",
            slug="shard-invalid",
        )
    return make_shards(dependencies, count)[index - 1]


def plan_remaining(
    dependencies: Dependencies,
    lost: Collection[TestId],
    suspected: Collection[TestId],
    workers: int,
    *,
    clean_state: float = 0.02,
) -> Plan:
    """A plan for tests that did not run because their worker crashed (`lost`) and for those that may have caused the
    crash (`suspected`). Each suspected test runs last in an order of its own. All run after their needs; a test that
    already has an outcome runs again only as a prerequisite.

    Guarantee: each order is safe as far as the dependencies are known. A suspected test can end only its own order,
    unless a lost test needs it. While pairs are untried, each order is a prefix of the reference order. Cost: that of a
    plan for the part.
    """
    suite = dependencies.suite
    closing = Closing(dependencies, implications_of(dependencies))
    places = [suite.index[test] for test in lost if test not in suspected]
    part = suite.order(members(closing.closed(bits(places))))
    plan = make_plan(restrict(dependencies, part), workers, clean_state=clean_state) if part else Plan((), 0.0)
    orders = []
    for suspect in sorted(suite.index[test] for test in suspected):
        before = closing.closed(1 << suspect) ^ 1 << suspect
        orders.append(suite.order([*members(before), suspect]))
    lanes = _append_orders([list(lane.orders) for lane in plan.lanes], orders, dependencies, workers)
    return replace(plan, lanes=tuple(Lane(tuple(lane)) for lane in lanes))


def _append_orders(
    lanes: list[list[Order]], orders: Sequence[Order], dependencies: Dependencies, workers: int
) -> list[list[Order]]:
    """The lanes with each order appended to the one that ends first."""
    lanes = lanes + [[] for _ in range(min(workers - len(lanes), len(orders)))]
    ends = [sum(dependencies.seconds.get(test, 0.0) for order in lane for test in order) for lane in lanes]
    for order in orders:
        first = ends.index(min(ends))
        lanes[first].append(order)
        ends[first] += sum(dependencies.seconds.get(test, 0.0) for test in order)
    return lanes
