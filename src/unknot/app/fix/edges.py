"""Needs and conflicts as one type, to explain or remove them."""

from collections.abc import Collection
from dataclasses import dataclass

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.reason import Reason
from unknot.model.recording import Recording
from unknot.model.suite import Order, TestId
from unknot.recorder.reasons import Line, reasons_for_conflict, reasons_for_need


@dataclass(frozen=True)
class Edge:
    """One claim about one test."""

    claim: Need | Conflict

    @property
    def dependent(self) -> TestId:
        return self.claim.dependent if isinstance(self.claim, Need) else self.claim.victim

    @property
    def others(self) -> Order:
        return self.claim.any_of if isinstance(self.claim, Need) else self.claim.polluters

    @property
    def proof(self) -> Proof:
        return self.claim.proof

    @property
    def description(self) -> str:
        """`test_total needs test_add`."""
        is_need = isinstance(self.claim, Need)
        verb = "needs" if is_need else "is broken by"
        joined = (" or " if is_need else " and ").join(self.others)
        return f"{self.dependent} {verb} {joined}"

    def reasons(self, recording: Recording, failing: Collection[Line] = ()) -> tuple[Reason, ...]:
        if isinstance(self.claim, Need):
            return reasons_for_need(self.claim, recording, failing)
        return reasons_for_conflict(self.claim, recording, failing)


def edges_of(dependencies: Dependencies, test: TestId) -> tuple[Edge, ...]:
    """In the order in which the claims of a test are reported."""
    needs = [Edge(need) for need in dependencies.needs_of.get(test, ())]
    return (*needs, *(Edge(conflict) for conflict in dependencies.conflicts_of.get(test, ())))


def all_edges(dependencies: Dependencies) -> tuple[Edge, ...]:
    """Those of later tests first: a test that gets its own setup may no longer leave anything for others, so the tests
    that depend on it must be fixed before it."""
    return tuple(edge for test in reversed(dependencies.suite.tests) for edge in edges_of(dependencies, test))
