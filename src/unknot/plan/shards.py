"""Shards: parts of a suite for machines that know nothing of each other, such as the jobs of a CI matrix."""

from dataclasses import dataclass

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import Order
from unknot.plan.makers.one_state import make_one_state_plan


@dataclass(frozen=True)
class Shard:
    """`number` counts from 1. `tests` are all that the shard runs, in a safe order; `own` are those whose verdict it
    gives: a test that several shards run belongs to the first of them, the others run it because they need it."""

    number: int
    of: int
    tests: Order
    own: Order
    seconds: float


def make_shards(dependencies: Dependencies, count: int) -> tuple[Order, ...]:
    """Exactly `count` orders that together run every test; the last ones may be empty.

    Guarantees: each shard is closed (needs, and cleaners between polluters and victims), so that it is safe by itself,
    in its own order or by any plan for `restricted(dependencies, shard)`; the same dependencies give the same shards on
    every machine. Balanced by time as lanes are: prerequisites are run in several shards only where that was found to
    make the slowest one shorter. Dependencies that are not complete give a single shard with the reference order.

    Cost: that of a plan.
    """
    if count < 1:
        raise UsageError(f"there must be at least one shard, not {count}", hint="give --shards 1 or more")
    orders = [lane.orders[0] for lane in make_one_state_plan(dependencies, count).lanes]
    return (*orders, *((),) * (count - len(orders)))


def shard_of(dependencies: Dependencies, index: int, count: int) -> Order:
    """The shard with this number, counted from 1: what one machine runs."""
    if not 1 <= index <= count:
        raise UsageError(
            f"there is no shard {index} of {count}", hint="shards count from 1: --shard 1/6 to --shard 6/6"
        )
    return make_shards(dependencies, count)[index - 1]


def described(dependencies: Dependencies, shards: tuple[Order, ...]) -> tuple[Shard, ...]:
    """The shards with their time, and each test's verdict given to one of them."""
    taken: set[str] = set()
    found = []
    for number, tests in enumerate(shards, 1):
        own = tuple(test for test in tests if test not in taken)
        taken.update(own)
        found.append(Shard(number, len(shards), tests, own, sum(dependencies.seconds.get(test, 0.0) for test in tests)))
    return tuple(found)
