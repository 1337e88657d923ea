"""Knots fitted to the suite as it is now: tests come and go after a detection."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from unknot.model.knots import Conflict, Knots, Need
from unknot.model.suite import Order, Suite, TestId


@dataclass(frozen=True)
class Fitted:
    """`knots` are of the tests that can be planned for, in the order that the suite has now. All others of the suite
    are `unknown`, in its order: those that are new, which nobody has looked at, and those `adrift`, of whom something
    is known, but what they need is no longer there. `gone` are tests that only the knots know."""

    knots: Knots
    unknown: Order
    adrift: Order
    gone: Order

    @property
    def new(self) -> Order:
        return tuple(test for test in self.unknown if test not in self.adrift)


def fitted(knots: Knots, suite: Suite) -> Fitted:
    """Guarantee: every test of the suite is either planned for or unknown, and whatever is planned for has, for each
    of its needs, an alternative that is planned for too. Of a conflict all polluters are left; its cleaners may be
    fewer, then the victim is kept apart. Cost: linear in the knots, times the length of the longest chain of tests
    adrift."""
    there = {test for test in suite.tests if test in knots.suite.index}
    adrift: set[TestId] = set()
    while lost := {need.dependent for need in knots.needs if _is_lost(need, there)}:
        adrift |= lost
        there -= lost
    return Fitted(
        knots=_of(knots, suite, there),
        unknown=tuple(test for test in suite.tests if test not in there),
        adrift=tuple(test for test in suite.tests if test in adrift),
        gone=tuple(test for test in knots.suite.tests if test not in suite.index),
    )


def _is_lost(need: Need, there: set[TestId]) -> bool:
    return need.dependent in there and there.isdisjoint(need.any_of)


def _of(knots: Knots, suite: Suite, there: set[TestId]) -> Knots:
    return replace(
        knots,
        suite=Suite(_those(suite.tests, there)),
        outcomes={test: outcome for test, outcome in knots.outcomes.items() if test in there},
        seconds={test: seconds for test, seconds in knots.seconds.items() if test in there},
        needs=tuple(
            replace(need, any_of=_those(need.any_of, there)) for need in knots.needs if need.dependent in there
        ),
        conflicts=tuple(
            replace(conflict, cleaners=_those(conflict.cleaners, there))
            for conflict in knots.conflicts
            if _is_left(conflict, there)
        ),
        flaky=_those(knots.flaky, there),
        confidence={test: known for test, known in knots.confidence.items() if test in there},
    )


def _is_left(conflict: Conflict, there: set[TestId]) -> bool:
    return conflict.victim in there and there.issuperset(conflict.polluters)


def _those(tests: Iterable[TestId], there: set[TestId]) -> Order:
    return tuple(test for test in tests if test in there)
