"""Dependencies fitted to the suite as it is now: tests come and go after a detection."""

from dataclasses import dataclass

from unknot.model.dependencies import Dependencies, Need
from unknot.model.suite import Order, Suite, TestId


@dataclass(frozen=True)
class Fitted:
    """`dependencies` are of the tests that can be planned for, in the order that the suite has now. All others of the
    suite are `unknown`, in its order: those that are new, which nobody has looked at, and those `adrift`, of whom
    something is known, but what they need is no longer there. `gone` are tests that only the dependencies know."""

    dependencies: Dependencies
    unknown: Order
    adrift: Order
    gone: Order

    @property
    def new(self) -> Order:
        return tuple(test for test in self.unknown if test not in self.adrift)


def fitted(dependencies: Dependencies, suite: Suite) -> Fitted:
    """Guarantee: every test of the suite is either planned for or unknown, and whatever is planned for has, for each of
    its needs, an alternative that is planned for too. Of a conflict all polluters are left; its cleaners may be fewer,
    then the victim is kept apart. Cost: linear in the dependencies, times the length of the longest chain of tests
    adrift."""
    there = {test for test in suite.tests if test in dependencies.suite.index}
    adrift: set[TestId] = set()
    while lost := {need.dependent for need in dependencies.needs if _is_lost(need, there)}:
        adrift |= lost
        there -= lost
    return Fitted(
        dependencies=dependencies.among(tuple(test for test in suite.tests if test in there)),
        unknown=tuple(test for test in suite.tests if test not in there),
        adrift=tuple(test for test in suite.tests if test in adrift),
        gone=tuple(test for test in dependencies.suite.tests if test not in suite.index),
    )


def _is_lost(need: Need, there: set[TestId]) -> bool:
    return need.dependent in there and there.isdisjoint(need.any_of)
