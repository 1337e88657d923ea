"""Whom a refining detector starts to suspect."""

from unknot.detect.engine.session import SearchSession
from unknot.hints.recorded import rows_among
from unknot.model.graph import DependencyGraph
from unknot.model.suite import Suite


def suspected(session: SearchSession, suite: Suite, candidates: DependencyGraph | None) -> list[int]:
    """For each of the session's tests, as a bitset, whom it may need; without candidates every earlier test.

    `candidates` is drawn over the positions of `suite`. The session may hold fewer tests, those that took the process
    down being set aside: its positions are other ones.
    """
    if candidates is None:
        return [(1 << test) - 1 for test in range(len(session.suite))]
    return rows_among(candidates.rows, suite, session.suite)


def earlier_only(rows: list[int]) -> list[int]:
    """Without what points forward: the reference order says nothing about who needs a later test."""
    return [row & ((1 << test) - 1) for test, row in enumerate(rows)]


def components(rows: list[int]) -> list[int]:
    """The weakly connected components that have an edge, as bitsets, in the order of their first tests.

    >>> components([0, 0, 0b1, 0b10, 0])
    [5, 10]
    """
    found: list[int] = []
    for test, row in enumerate(rows):
        if row:
            joined = row | 1 << test
            for touched in [other for other in found if other & joined]:
                found.remove(touched)
                joined |= touched
            found.append(joined)
    return sorted(found, key=lambda members: members & -members)
