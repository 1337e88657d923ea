"""An order of the whole suite that gives most as early as possible, and breaks no dependency."""

from collections.abc import Sequence
from dataclasses import dataclass

from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order
from unknot.plan.priority.coverage_curve import Curve, curve_of
from unknot.plan.priority.ranking import Ranking
from unknot.plan.priority.worth import NewElements, OwnWeight, Worth, dependents

_MICROSECOND = 1e-6


@dataclass(frozen=True)
class Priority:
    """`order` is the whole suite. `before` is the curve of the reference order, `after` that of this one. `reason`
    says why the order is the reference order, where it is."""

    order: Order
    before: Curve
    after: Curve
    reason: str = ""


def by_coverage(dependencies: Dependencies, coverage: Coverage) -> Priority:
    """What covers most that is new, per second, first."""
    return _best(dependencies, NewElements(dependencies, coverage), [_seconds(dependencies)])


def by_seconds(dependencies: Dependencies) -> Priority:
    """Short tests first: most verdicts per second."""
    return _best(dependencies, OwnWeight([1.0] * len(dependencies.suite)), [_seconds(dependencies)])


def by_structure(dependencies: Dependencies) -> Priority:
    """Tests on which many others depend, directly or not, first; among equals those with the longest chain of them.

    The curve is the share of all dependencies whose prerequisite has run. Ranked by the dependents of a test, as the
    paper has it, and by its dependents per second; the better curve of both is taken.
    """
    volumes, heights = dependents(dependencies)
    return _best(dependencies, OwnWeight(volumes), [[1.0] * len(dependencies.suite), _seconds(dependencies)], heights)


def _seconds(dependencies: Dependencies) -> list[float]:
    """A test that takes no time takes a little, so that there is something to divide by."""
    return [max(_MICROSECOND, dependencies.seconds.get(test, 0.0)) for test in dependencies.suite.tests]


def _best(
    dependencies: Dependencies, worth: Worth, prices: Sequence[Sequence[float]], ties: Sequence[int] = ()
) -> Priority:
    """Guarantee: the order is safe as far as the dependencies know, and its area is not less than the reference
    order's. Cost: tests times the logarithm of their number, for suites in which few tests have conflicts."""
    suite = dependencies.suite
    before = curve_of(suite.tests, dependencies.seconds, worth, suite.index)
    if dependencies.untried or not dependencies.complete:
        return Priority(
            suite.tests, before, before, "the search was not finished: only the reference order is known to be safe"
        )
    best = Priority(suite.tests, before, before, "no order was found that gives more earlier")
    for price in prices:
        order = suite.order(Ranking(dependencies, worth, price, ties).order())
        after = curve_of(order, dependencies.seconds, worth, suite.index)
        if after.area > best.after.area:
            best = Priority(order, before, after)
    return best
