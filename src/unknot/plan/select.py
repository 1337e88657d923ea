"""Selected tests of a suite with their prerequisites, in one safe order."""

from collections.abc import Collection
from dataclasses import dataclass

from unknot.model.bits import bits, members
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError, UsageError
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.check import ViolationKind, check_plan
from unknot.plan.constraints.implications import implications_of
from unknot.plan.constraints.subset import Closing


@dataclass(frozen=True)
class ClosedSelection:
    """`order` is what to run, from one clean state: the `wanted` tests and the others that are `needed` with them."""

    order: Order
    wanted: Order
    needed: Order


def select_tests(dependencies: Dependencies, wanted: Collection[TestId]) -> ClosedSelection:
    """The wanted tests and few others, so that each wanted test behaves as in the reference order.

    - The needs of a test are added; of several alternatives, one that is selected anyway, otherwise the first.
    - If a selected test would break another one, a cleaner is added in between.
    - If no cleaner is known, or the dependencies are incomplete, all earlier tests are added: only the reference order
      itself is then known to be safe.
    - The order is the reference order, except that tests which end their process come last.

    Guarantee: `check_plan` finds no violation in the order, and each test is in it once. Assumes that the dependencies
    hold for every subsequence of the reference order. Raises UsageError for a test that is not in the suite. Cost: that
    of `close_tests`.
    """
    for test in wanted:
        if test not in dependencies.suite.index:
            raise UsageError(
                f"there is no test {test}", hint="Run `unknot detect` again if it is new.", slug="no-such-test"
            )
    order = _safe_order(dependencies, wanted)
    _check(order, dependencies)
    chosen = frozenset(wanted)
    return ClosedSelection(
        order,
        wanted=tuple(test for test in order if test in chosen),
        needed=tuple(test for test in order if test not in chosen),
    )


def _safe_order(dependencies: Dependencies, wanted: Collection[TestId]) -> Order:
    suite = dependencies.suite
    closing = Closing(dependencies, implications_of(dependencies), prefer_first=True)
    tests = suite.order(members(closing.closed(bits(suite.index[test] for test in wanted))))
    return tuple(sorted(tests, key=lambda test: dependencies.outcomes[test].ends_process))


def _check(order: Order, dependencies: Dependencies) -> None:
    for violation in check_plan(Plan((Lane((order,)),), 0.0), dependencies):
        # A test that ends its process does so at any place.
        is_expected = dependencies.outcomes[violation.test].ends_process
        if violation.kind is not ViolationKind.MISSING_TEST and not is_expected:
            raise UnknotError(
                f"the selection is not safe: {violation.message}", hint="Please report this bug.", slug="unsafe-result"
            )
