"""Reasons for what was proved, taken from why it was suspected."""

from collections.abc import Mapping
from dataclasses import replace

from unknot.model.candidates import Candidates
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId

_MOST = 3

_Reasons = Mapping[tuple[TestId, TestId], tuple[str, ...]]


def with_suspicions(dependencies: Dependencies, suspects: Candidates, *, beside_known: bool) -> Dependencies:
    """The same, with the reasons of suspicion for each need and conflict that was suspected, between whichever of the
    two. They stand before the reasons that are known, or else, as these may be of another day, in their place. A reason
    is what was seen, and proves nothing; the two runs do."""
    tests = suspects.suite.tests
    reasons = {(tests[edge.dependent], tests[edge.prerequisite]): edge.reasons for edge in suspects.edges}

    def why(test: TestId, others: Order, known: tuple[str, ...]) -> tuple[str, ...]:
        told = [reason for other in others for reason in _between(test, other, reasons)][:_MOST]
        return tuple(dict.fromkeys((*told, *known) if beside_known or not told else told))

    return replace(
        dependencies,
        needs=tuple(replace(need, why=why(need.dependent, need.any_of, need.why)) for need in dependencies.needs),
        conflicts=tuple(
            replace(each, why=why(each.victim, each.polluters, each.why)) for each in dependencies.conflicts
        ),
    )


def _between(one: TestId, other: TestId, reasons: _Reasons) -> tuple[str, ...]:
    return (*reasons.get((one, other), ()), *reasons.get((other, one), ()))
