"""Tests that failed the last time, as early as they can run."""

from collections.abc import Collection
from dataclasses import replace

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, TestId
from unknot.plan.check import ViolationKind, check_plan


def with_failed_first(plan: Plan, dependencies: Dependencies, failed: Collection[TestId]) -> Plan:
    """The same orders in the same lanes, those with a failed test first; within an order the failed tests and what they
    need come first, where that is safe. A test that ends its process stays the last one. Cost: each order with a failed
    test is checked once."""

    def ends(test: TestId) -> bool:
        outcome = dependencies.outcomes.get(test)
        return outcome is not None and outcome.ends_process

    def place(order: Order) -> tuple[bool, bool]:
        return any(map(ends, order)), not any(test in failed for test in order)

    first = {test for test in failed if test in dependencies.suite.index and not ends(test)}
    return replace(
        plan,
        lanes=tuple(
            Lane(tuple(sorted((_failed_first(order, dependencies, first) for order in lane.orders), key=place)))
            for lane in plan.lanes
        ),
    )


def _failed_first(order: Order, dependencies: Dependencies, failed: Collection[TestId]) -> Order:
    needed = {other for test in order if test in failed for other in dependencies.closure(test)}
    if not needed:
        return order
    moved = (*(test for test in order if test in needed), *(test for test in order if test not in needed))
    violations = check_plan(Plan((Lane((moved,)),), 0.0), dependencies)
    return order if any(found.kind is not ViolationKind.MISSING_TEST for found in violations) else moved
