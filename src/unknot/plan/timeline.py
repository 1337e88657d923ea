"""When each test of a plan will run."""

from collections.abc import Mapping

from unknot.model.plan import Lane, Plan, Timeline, TimelineItem
from unknot.model.suite import TestId


def predicted(plan: Plan, seconds: Mapping[TestId, float], clean_state: float) -> Timeline:
    """Where orders share their beginnings, a test that was run for an earlier order of its lane has no second slot, and
    going back to a copy of the state costs a clean state. Cost: linear in the tests run."""
    return tuple(_slots(lane, seconds, clean_state, shares=plan.shares) for lane in plan.lanes)


def _slots(
    lane: Lane, seconds: Mapping[TestId, float], clean_state: float, *, shares: bool
) -> tuple[TimelineItem, ...]:
    slots: list[TimelineItem] = []
    clock = 0.0
    # The tree of beginnings: a node is known by the node above it and its test.
    known: dict[tuple[int, TestId], int] = {}
    for number, order in enumerate(lane.orders):
        clock += clean_state
        above = -1
        for test in order:
            if shares:
                is_new = (above, test) not in known
                above = known.setdefault((above, test), len(known))
                if not is_new:
                    continue
            end = clock + seconds.get(test, 0.0)
            slots.append(TimelineItem(test, number, clock, end))
            clock = end
    return tuple(slots)
