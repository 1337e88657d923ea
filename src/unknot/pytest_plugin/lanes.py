"""The plan for the collected tests: which worker runs what, and notes for the user."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.check import check_plan
from unknot.plan.constraints.subset import close_tests, match_suite, restrict
from unknot.plan.makers.one_state import make_one_state_plan
from unknot.pytest_plugin.messages import list_few
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

    Unknown tests run in the sequence in which they were collected: on a worker of their own if one is left, otherwise
    at the end of the shortest lane. Raises UsageError if a collected test needs one that was not collected. With
    `with_needs`, all needed tests were searched for, so a missing one was deleted; its dependent then runs with the
    unknown tests.
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
        raise UnknotError(
            f"the plan is not safe: {violations[0].message}", hint="Please report this bug.", slug="unsafe-result"
        )
    orders = [lane.orders[0] for lane in plan.lanes]
    if new and len(orders) < workers:
        orders.append(new)
    elif new:
        seconds = [sum(part.seconds[test] for test in order) for order in orders]
        shortest = seconds.index(min(seconds))
        orders[shortest] = (*orders[shortest], *new)
    return Lanes(tuple(orders), tuple(_notes(part, new, orders)))


def rest_of(dependencies: Dependencies, lane: Order, wanted: Collection[TestId], lost: Collection[TestId]) -> Order:
    """What a new worker must run so that `wanted`, tests of this lane, are still run: these tests and their needs from
    the lane, without `lost` tests, which crashed a worker."""
    left = [test for test in lane if test not in lost]
    needed = set(close_tests(dependencies, (test for test in left if test in wanted), left))
    # The lane's own order is safe.
    return tuple(test for test in left if test in needed or test in wanted)


def _notes(part: Dependencies, new: Order, orders: Sequence[Order]) -> Iterable[str]:
    if part.untried or not part.complete:
        yield ("unknot: the detection is unfinished: tests run in suite order on one worker; run `unknot detect` again")
    if new:
        yield f"unknot: not in the lock file, run last in their own order: {counted(len(new), 'test')}: {list_few(new)}"
    ending = [test for test in part.suite.tests if part.outcomes[test].ends_process]
    if ending:
        tests = f"{counted(len(ending), 'test')}: {list_few(ending)}"
        yield f"unknot: run last because they ended their process before: {tests}"
    if len(orders) > 1:
        again = sum(map(len, orders)) - len(part.suite) - len(new)
        twice = f", with {counted(again, 'prerequisite')} run again on another worker" if again else ""
        yield f"unknot: {counted(len(orders), 'lane')}{twice}"
