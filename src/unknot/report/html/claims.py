"""The claims as the graph draws them: arrows from the tests that run first to the test that they affect."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple

from unknot.model.cause import Cause
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId
from unknot.report.roles import Roles


class GraphClaim(NamedTuple):
    """`before`: the prerequisites or polluters. `cause`: a number in `causes`, None if no shared state is known."""

    test: TestId
    before: Order
    cleaners: Order
    is_need: bool
    cause: int | None

    @property
    def tests(self) -> Order:
        return (self.test, *self.before, *self.cleaners)

    @property
    def arrows(self) -> Iterator[tuple[TestId, TestId]]:
        for other in (*self.before, *self.cleaners):
            if other != self.test:
                yield other, self.test


Claims = Mapping[int, GraphClaim]
"""By their numbers in the page: for each dependent in suite order, the claims as `relations_of` has them."""


def graph_claims(dependencies: Dependencies, causes: tuple[Cause, ...]) -> Claims:
    """Without those of tests that break others only if they fail: they are not drawn, but have a number."""
    cause = {claim: number for number, known in enumerate(causes) for claim in known.claims}
    found: dict[int, GraphClaim] = {}
    numbers = count()
    for test in Roles(dependencies).dependents:
        for need in dependencies.needs_of.get(test, ()):
            found[next(numbers)] = GraphClaim(test, need.any_of, (), True, cause.get(need))
        for conflict in dependencies.conflicts_of.get(test, ()):
            found[next(numbers)] = GraphClaim(test, conflict.polluters, conflict.cleaners, False, cause.get(conflict))
        for one in dependencies.conflicts_when_failing:
            if one.victim == test:
                next(numbers)
    return found
