"""Who can be affected by tests that do something else than before."""

from collections.abc import Collection

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId


def affected_through(dependencies: Dependencies, changed: Collection[TestId]) -> dict[TestId, TestId]:
    """Tests that are not among the changed ones, and of each the test through which a change may reach it: it needs
    that one, or that one breaks it or cleans up for it. What they leave behind may be different now.

    Reaches on from test to test, nearest first. Cost: linear in the needs and conflicts and in whom they name.
    """
    reaches: dict[TestId, list[TestId]] = {}
    for need in dependencies.needs:
        _add(reaches, need.any_of, need.dependent)
    for conflict in dependencies.conflicts:
        _add(reaches, (*conflict.polluters, *conflict.cleaners), conflict.victim)
    found: dict[TestId, TestId] = {}
    waiting = [test for test in dependencies.suite.tests if test in changed]
    known = set(waiting)
    for source in waiting:
        for test in reaches.get(source, ()):
            if test not in known:
                known.add(test)
                found[test] = source
                waiting.append(test)
    return found


def _add(reaches: dict[TestId, list[TestId]], sources: Order, target: TestId) -> None:
    for source in sources:
        reaches.setdefault(source, []).append(target)
