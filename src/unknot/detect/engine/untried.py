"""Which pairs of tests a result knows nothing of."""

from collections.abc import Iterable, Sequence

from unknot.detect.engine.session import SearchSession
from unknot.model.dependencies import Conflict, Need
from unknot.model.pairs import rows_in
from unknot.model.suite import Suite


def untried_rows(session: SearchSession, suite: Suite) -> tuple[int, ...]:
    """For each test of the suite those that the session knows nothing of when they run before it, as a bitset. Tests
    that the session has set aside, because they end the process, are in no pair."""
    return rows_in(suite, [session.untried(test) for test in range(len(session.suite))], session.suite)


def less_claimed(
    rows: Sequence[int], suite: Suite, needs: Iterable[Need], conflicts: Iterable[Conflict]
) -> tuple[int, ...]:
    """The rows without the pairs of which a claim says what they do; none at all if nothing is left. A search takes a
    test whose needs it does not know all of to have tried nothing, not even what it has shown."""
    left = list(rows)
    place = suite.index
    for need in needs:
        for option in need.any_of:
            left[place[need.dependent]] &= ~(1 << place[option])
    for conflict in conflicts:
        for other in (*conflict.polluters, *conflict.cleaners):
            left[place[conflict.victim]] &= ~(1 << place[other])
    return tuple(left) if any(left) else ()
