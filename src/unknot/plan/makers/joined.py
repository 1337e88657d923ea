"""One order for a lane that has several, where nothing has to be kept apart."""

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.plan.timeline import predicted

_ENDS_PROCESS = frozenset({Outcome.CRASHED, Outcome.TIMED_OUT})


def joined(plan: Plan, dependencies: Dependencies, clean_state: float) -> Plan:
    """The same lanes, each with all its tests once, in reference order. A plan stays as it is where a conflict, a test
    that ends its process or a need that nothing earlier meets may be what keeps orders apart, and where beginnings are
    shared.

    Guarantee: never slower, and as safe: in reference order a lane's tests stand after all that they stood after in
    orders which follow the reference order. Cost: linear in the tests run, but for sorting.
    """
    if plan.shares or all(len(lane.orders) < 2 for lane in plan.lanes) or not _is_plain(dependencies):
        return plan
    place = dependencies.suite.index
    lanes = tuple(Lane((tuple(sorted(set(lane.tests), key=place.__getitem__)),)) for lane in plan.lanes)
    found = Plan(lanes, 0.0, maker=plan.maker, bound=plan.bound)
    ends = (lane[-1].end for lane in predicted(found, dependencies.seconds, clean_state) if lane)
    return Plan(lanes, max(ends, default=0.0), maker=plan.maker, bound=plan.bound)


def _is_plain(dependencies: Dependencies) -> bool:
    place = dependencies.suite.index
    return (
        not dependencies.conflicts
        and _ENDS_PROCESS.isdisjoint(dependencies.outcomes.values())
        and all(
            any(place.get(option, len(place)) < place[need.dependent] for option in need.any_of)
            for need in dependencies.needs
        )
    )
