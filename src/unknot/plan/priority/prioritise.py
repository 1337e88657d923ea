"""An order of the whole suite that gives most as early as possible, and breaks no dependency."""

from collections.abc import Sequence
from dataclasses import dataclass

from unknot.model.coverage import Coverage
from unknot.model.knots import Knots
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


def by_coverage(knots: Knots, coverage: Coverage) -> Priority:
    """What covers most that is new, per second, first."""
    return _best(knots, NewElements(knots, coverage), [_seconds(knots)])


def by_seconds(knots: Knots) -> Priority:
    """Short tests first: most verdicts per second."""
    return _best(knots, OwnWeight([1.0] * len(knots.suite)), [_seconds(knots)])


def by_structure(knots: Knots) -> Priority:
    """Tests on which many others depend, directly or not, first; among equals those with the longest chain of them.

    The curve is the share of all dependencies whose prerequisite has run. Ranked by the dependents of a test, as the
    paper has it, and by its dependents per second; the better curve of both is taken.
    """
    volumes, heights = dependents(knots)
    return _best(knots, OwnWeight(volumes), [[1.0] * len(knots.suite), _seconds(knots)], heights)


def _seconds(knots: Knots) -> list[float]:
    """A test that takes no time takes a little, so that there is something to divide by."""
    return [max(_MICROSECOND, knots.seconds.get(test, 0.0)) for test in knots.suite.tests]


def _best(knots: Knots, worth: Worth, prices: Sequence[Sequence[float]], ties: Sequence[int] = ()) -> Priority:
    """Guarantee: the order is safe as far as the knots know, and its area is not less than the reference order's.
    Cost: tests times the logarithm of their number, for suites in which few tests have conflicts."""
    suite = knots.suite
    before = curve_of(suite.tests, knots.seconds, worth, suite.index)
    if knots.untried or not knots.complete:
        return Priority(
            suite.tests, before, before, "the search was not finished: only the reference order is known to be safe"
        )
    best = Priority(suite.tests, before, before, "no order was found that gives more earlier")
    for price in prices:
        order = suite.order(Ranking(knots, worth, price, ties).order())
        after = curve_of(order, knots.seconds, worth, suite.index)
        if after.area > best.after.area:
            best = Priority(order, before, after)
    return best
