"""The plan for what pytest has collected: which worker runs what, and what the user should hear about it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.check import check_plan
from unknot.plan.constraints.subset import close_tests, match_suite, restrict
from unknot.plan.makers.one_state import make_one_state_plan
from unknot.pytest_plugin.messages import named
from unknot.report.wording import counted


@dataclass(frozen=True)
class Lanes:
    """`orders[i]` is what worker i runs, from first to last. `notes` are lines for the user."""

    orders: tuple[Order, ...]
    notes: tuple[str, ...]


def lanes_for(
    dependencies: Dependencies, collected: Sequence[TestId], workers: int, *, with_needs: bool = False
) -> Lanes:
    """At most `workers` orders that are safe in one state each and together run what was collected.

    Tests that the dependencies do not know run in the sequence in which they were collected: on a worker of their own
    if one is left, otherwise at the end of the shortest lane. Raises UsageError if a collected test needs one that is
    not; unless whatever is needed was looked for, `with_needs`: then that one is gone from the suite, and the test runs
    with those that are not known.
    """
    known = [test for test in collected if test in dependencies.suite.index]
    if with_needs:
        known.sort(key=dependencies.suite.index.__getitem__)
        part = match_suite(dependencies, Suite(tuple(known))).dependencies
    else:
        part = restrict(dependencies, known)
    new = tuple(test for test in collected if test not in part.suite.index)
    plan = make_one_state_plan(part, workers)
    if violations := check_plan(plan, part):
        raise UnknotError(f"the plan is not safe: {violations[0].message}", hint="please report this as a bug")
    orders = [lane.orders[0] for lane in plan.lanes]
    if new and len(orders) < workers:
        orders.append(new)
    elif new:
        seconds = [sum(part.seconds[test] for test in order) for order in orders]
        shortest = seconds.index(min(seconds))
        orders[shortest] = (*orders[shortest], *new)
    return Lanes(tuple(orders), tuple(_notes(part, new, orders)))


def rest_of(dependencies: Dependencies, lane: Order, wanted: Collection[TestId], lost: Collection[TestId]) -> Order:
    """What a fresh worker must run so that `wanted`, tests of this lane, are run after all: they and what they need
    of the lane, but for tests that are `lost`, since they took a worker down."""
    left = [test for test in lane if test not in lost]
    needed = set(close_tests(dependencies, (test for test in left if test in wanted), left))
    # The lane's own order is a safe one.
    return tuple(test for test in left if test in needed or test in wanted)


def _notes(part: Dependencies, new: Order, orders: Sequence[Order]) -> Iterable[str]:
    if part.untried or not part.complete:
        yield (
            "unknot: the detection was not finished: tests keep the suite's own order, on one worker;"
            " run `unknot detect` again"
        )
    if new:
        yield f"unknot: not in the lock file, run last in their own order: {counted(len(new), 'test')}: {named(new)}"
    ending = [test for test in part.suite.tests if part.outcomes[test] in (Outcome.CRASHED, Outcome.TIMED_OUT)]
    if ending:
        yield f"unknot: run last, as they ended their process before: {counted(len(ending), 'test')}: {named(ending)}"
    if len(orders) > 1:
        again = sum(map(len, orders)) - len(part.suite) - len(new)
        twice = f", with {counted(again, 'prerequisite')} run again on another worker" if again else ""
        yield f"unknot: {counted(len(orders), 'lane')}{twice}"
