"""How far a test is from taking each transition of a graph."""

from collections.abc import Sequence

from unknot.model.navigation_graph import Transition
from unknot.web.generate.call import CallOutcome, ExecutedPath

COVERED, REFUSED, OTHER_PAGE, NEVER_CALLED = 0.0, 1.0, 2.0, 3.0
"""A guard that does not hold is at distance 1: it says yes or no, and nothing in between. A call on another page, and
one that was never made, miss one and two branches more."""


def distances(test: ExecutedPath, transitions: Sequence[Transition]) -> dict[Transition, float]:
    """For each transition, the least distance of the calls of its action."""
    nearest = dict.fromkeys(transitions, NEVER_CALLED)
    by_call: dict[tuple[str, str], float] = {}
    for each in test.calls:
        wanted = each.planned.transition
        distance = OTHER_PAGE if each.outcome is CallOutcome.NOT_POSSIBLE else REFUSED
        key = wanted.source, wanted.action
        by_call[key] = min(distance, by_call.get(key, NEVER_CALLED))
    for transition in transitions:
        nearest[transition] = by_call.get((transition.source, transition.action), NEVER_CALLED)
    nearest |= {each: COVERED for each in test.taken() if each in nearest}
    return nearest
