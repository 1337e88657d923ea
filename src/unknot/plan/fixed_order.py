"""Puts tests that fail because what they need comes later behind what they need."""

from dataclasses import replace

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId


def with_fixed_order(dependencies: Dependencies) -> Dependencies:
    """The same in an order in which `misplaced` tests come directly after what they need, and tests that need them
    after that; they are expected to pass. All others keep their order. Unchanged if no test is misplaced.

    Assumes nothing about conflicts: a test that a polluter would break in the new order is kept apart from it by the
    plan, as in any other order. Cost: quadratic in the tests that have to wait.
    """
    misplaced = set(dependencies.misplaced)
    if not misplaced:
        return dependencies
    placed: dict[TestId, None] = {}
    waiting: list[TestId] = []

    def is_ready(test: TestId) -> bool:
        needs = dependencies.needs_of.get(test, ())
        return all(any(option in placed for option in need.any_of) for need in needs)

    for test in dependencies.suite.tests:
        waiting.append(test)
        while ready := next(filter(is_ready, waiting), None):
            placed[ready] = None
            waiting.remove(ready)
    outcomes = {test: Outcome.PASSED if test in misplaced else was for test, was in dependencies.outcomes.items()}
    return replace(dependencies, outcomes=outcomes).among((*placed, *waiting))
