"""Checks any plan against any dependencies. Shares no code with the makers, so as not to repeat their mistakes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from unknot.model.dependencies import Conflict, Dependencies
from unknot.model.plan import Plan
from unknot.model.suite import Order, TestId


class ViolationKind(StrEnum):
    MISSING_TEST = "missing-test"
    UNKNOWN_TEST = "unknown-test"
    REPEATED_TEST = "repeated-test"
    UNMET_NEED = "unmet-need"
    CONFLICT = "conflict"
    UNTRIED_ORDER = "untried-order"


@dataclass(frozen=True)
class Violation:
    """`lane` and `order` count from 0; both are None for a test that no lane runs."""

    kind: ViolationKind
    lane: int | None
    order: int | None
    test: TestId
    message: str


def check_plan(plan: Plan, dependencies: Dependencies) -> tuple[Violation, ...]:
    """Empty if and only if the plan is safe: every test runs, and in each order every test has its expected outcome, as
    far as the dependencies are known.

    - As long as an order is a prefix of the reference order, its tests are safe by definition: their outcomes were
      recorded in that order. Tests that crashed or timed out there may be left out of it, as they ended their process.
      After such a prefix the dependencies decide.
    - While pairs are untried, nothing else is safe: which pairs is not recorded, so each order must be such a prefix.
    - A conflict that strikes a test which fails in the reference order anyway is no violation.

    Cost: linear in the tests run and the clauses and conflicts of each.
    """
    ran = {test for lane in plan.lanes for order in lane.orders for test in order}
    missing = [
        Violation(ViolationKind.MISSING_TEST, None, None, test, f"{test} is in no lane")
        for test in dependencies.suite.tests
        if test not in ran
    ]
    inside = [
        Violation(kind, lane_number, order_number, test, message)
        for lane_number, lane in enumerate(plan.lanes)
        for order_number, order in enumerate(lane.orders)
        for kind, test, message in _judge(order, dependencies)
    ]
    return (*missing, *inside)


_Finding = tuple[ViolationKind, TestId, str]


def _judge(order: Order, dependencies: Dependencies) -> Iterator[_Finding]:
    is_open = bool(dependencies.untried) or not dependencies.complete
    as_seen = _length_as_in_reference(order, dependencies)
    place_of: dict[TestId, int] = {}
    for place, test in enumerate(order):
        if test not in dependencies.suite.index:
            yield ViolationKind.UNKNOWN_TEST, test, f"{test} is not in the suite"
        elif test in place_of:
            yield ViolationKind.REPEATED_TEST, test, f"{test} runs twice in one order"
        elif place >= as_seen:
            if is_open:
                yield (
                    ViolationKind.UNTRIED_ORDER,
                    test,
                    f"{test} does not run after all tests that precede it in the suite",
                )
            yield from _unmet(test, place_of, dependencies)
            yield from _struck(test, place_of, dependencies)
        place_of[test] = place


def _length_as_in_reference(order: Order, dependencies: Dependencies) -> int:
    """The number of tests at the start of the order that ran in the same way in the reference order."""
    expected = iter(dependencies.suite.tests)
    for length, test in enumerate(order):
        following = next(expected, None)
        while following is not None and following != test and dependencies.outcomes[following].ends_process:
            following = next(expected, None)
        if following != test:
            return length
    return len(order)


def _unmet(test: TestId, before: Mapping[TestId, int], dependencies: Dependencies) -> Iterator[_Finding]:
    for need in dependencies.needs_to_keep.get(test, ()):
        if not any(option in before for option in need.any_of):
            wanted = " or ".join(need.any_of)
            yield ViolationKind.UNMET_NEED, test, f"{test} needs {wanted} before it in the same order"


def _struck(test: TestId, before: Mapping[TestId, int], dependencies: Dependencies) -> Iterator[_Finding]:
    if dependencies.outcomes[test].is_bad:
        return
    for conflict in dependencies.conflicts_of.get(test, ()):
        if _strikes(conflict, before):
            polluters = " and ".join(conflict.polluters)
            yield ViolationKind.CONFLICT, test, f"{test} breaks after {polluters} with no cleaner in between"


def _strikes(conflict: Conflict, before: Mapping[TestId, int]) -> bool:
    if not conflict.polluters or not all(polluter in before for polluter in conflict.polluters):
        return False
    polluted = max(before[polluter] for polluter in conflict.polluters)
    return not any(before.get(cleaner, -1) > polluted for cleaner in conflict.cleaners)
