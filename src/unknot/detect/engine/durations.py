"""How long each test takes, by all that was run of it.

The reference order alone would say too much of its first test, which waits for whatever a session sets up, and takes
one hiccup of the machine for a habit.
"""

from collections.abc import Mapping
from statistics import median

from unknot.detect.engine.reference import Opening
from unknot.model.suite import TestId


def usual_seconds(opening: Opening) -> Mapping[TestId, float]:
    """The median of the runs in which a test did as wanted and was not the first of its order; where there is none, its
    seconds in the reference order. For plans and pictures: what a detector asks never goes by it. Cost: a look at every
    result."""
    session = opening.session
    wanted = dict(zip(session.suite.tests, session.findings.wanted, strict=True))
    seen: dict[TestId, list[float]] = {}
    for run in session.known.values():
        for test, result in list(zip(run.order, run.results, strict=True))[1:]:
            if result.outcome is wanted[test]:
                seen.setdefault(test, []).append(result.seconds)
    return {**opening.seconds, **{test: median(seconds) for test, seconds in seen.items()}}
