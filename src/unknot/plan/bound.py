"""How fast a safe plan could be at best."""

from unknot.model.errors import UsageError
from unknot.model.knots import Knots
from unknot.plan.wide import Scale


def lower_bound(knots: Knots, workers: int) -> float:
    """max(longest closure, work / workers) in seconds: no safe plan for so many workers takes less.

    Clean states are not counted. A closure counts what a test cannot do without: with alternatives, that is what all
    of them have in common, so the bound holds whichever a plan takes. Cost: linear in the alternatives, times the
    width of a bitset.
    """
    if workers < 1:
        raise UsageError(f"a bound needs at least one worker, not {workers}", hint="give -n 1 or more")
    seconds = [knots.seconds.get(test, 0.0) for test in knots.suite.tests]
    scale = Scale(seconds)
    longest = max(map(scale.weigh, _indispensable(knots)), default=0.0)
    return max(longest, sum(seconds) / workers)


def _indispensable(knots: Knots) -> list[int]:
    """For each test, those that every order in which it does as expected must hold."""
    index = knots.suite.index
    # A test not reached yet counts as itself alone: less than it may need, so the bound stays one.
    rows = [1 << place for place in range(len(index))]
    for place, test in enumerate(knots.suite.tests):
        for need in knots.needs_of.get(test, ()):
            options = [rows[index[option]] for option in need.any_of if option in index]
            common = options[0] if options else 0
            for option in options[1:]:
                common &= option
            rows[place] |= common
    return rows
