"""Checks a graph by running closures, and adds what a failing test lacks.

Idea
    Run the closures of some tests. The first test that fails in one gets edges to all tests before it that were not
    there; these are removed again one by one, the latest first, as long as the test behaves as expected among the tests
    with which it had failed. Repeat until every closure passes.
Assumptions
    All tests behave as expected in the reference order, so that with all earlier tests the failing one passes.
Guarantee
    Edges are only added, and each was shown by two runs that differ in nothing but its prerequisite. In the end every
    test passes in each of the closures. Of several tests that would serve, the earliest is kept: alternatives become a
    single need.
Cost
    One order for each closure. For a failing test at position p at most p orders more, and one for each closure that
    has grown.
"""

from collections.abc import Iterable

from unknot.detect.engine.options import Options
from unknot.detect.engine.session import SearchSession, last_test_failed, unexpected_claimable
from unknot.detect.published.graph import NeedGraph
from unknot.model.bits import positions


def check_closures(session: SearchSession, _: Options) -> bool:
    """Checks every closure that follows from the findings, also those that are part of others: outside its assumptions,
    a detector can be wrong about these although the larger ones pass. Returns whether no test is unresolved."""
    edges = NeedGraph.of(session.findings, len(session.suite))
    with edges.stored_if_stopped(session.findings):
        repair(session, edges, range(1, len(session.suite)))
    edges.reduce()
    edges.store_in(session.findings)
    return not session.findings.unresolved


def repair(session: SearchSession, edges: NeedGraph, heads: Iterable[int]) -> None:
    """Adds edges until the closures of the heads pass. A test that fails now and then in the same order cannot be
    repaired and becomes unresolved."""
    closure_of = list(heads)
    while failing := _failing(session, edges, closure_of):
        # Earlier tests first: what a later one lacks may follow from what an earlier one gets.
        for test, context in sorted(failing.items()):
            added = _missing(session, edges, test, context)
            edges.rows[test] |= added
            if not added:
                session.findings.mark_unresolved([test])


def _failing(session: SearchSession, edges: NeedGraph, heads: list[int]) -> dict[int, int]:
    """The tests that fail first in the closure of one of the heads, each with the tests that ran before it there."""
    given_up = session.findings.unresolved
    session.start_step("running what follows from the graph", len(heads))
    closures = [edges.closure(test) for test in heads if test not in given_up]
    runs = session.runs([session.request(positions(closure)) for closure in closures])
    found: dict[int, int] = {}
    for closure, run in zip(closures, runs, strict=True):
        test = next(unexpected_claimable(session, run), None)
        if test is not None and test not in given_up:
            found.setdefault(test, closure & ((1 << test) - 1))
    return found


def _missing(session: SearchSession, edges: NeedGraph, test: int, context: int) -> int:
    """Earlier tests without which the test fails in this context; one sufficient set of several."""
    session.start_step("finding what a test lacks", test)
    kept = 0
    before = (1 << test) - 1
    for candidate in reversed(range(test)):
        included = context | edges.reached_from(kept)
        if included >> candidate & 1:
            continue
        fewer = before & ~(1 << candidate)
        (run,) = session.runs([session.request([*positions(fewer), test])])
        if session.is_as_expected(run):
            before = fewer
        else:
            kept |= 1 << candidate
            if last_test_failed(session, run):
                session.findings.observe_need(test, candidate, positions(before), positions(fewer))
    return kept
