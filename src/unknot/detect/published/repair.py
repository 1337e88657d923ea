"""Checks a graph by running what follows from it, and gives whoever fails what it lacks.

Idea
    Run the closures of some tests. The first test that fails in one gets edges to all tests before it that were not
    there; these are taken away again one by one, the latest first, as long as the test does as wanted in the company in
    which it had failed. Repeat until every closure passes.
Assumptions
    The reference order does as wanted, so that with all earlier tests the failing one passes.
Guarantee
    Edges are added, never taken away, and each was seen in two runs that differ in nothing but its prerequisite. In
    the end every test passes in each of the closures. Of several tests that would do, the earliest is kept: an
    either-or need becomes a plain one.
Cost
    One order for each closure. For a failing test at position p at most p orders more, and one for each closure that
    has grown.
"""

from collections.abc import Iterable

from unknot.detect.engine.deviation import failed_in_the_end, first_to_blame
from unknot.detect.engine.findings import Sight
from unknot.detect.engine.options import Options
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.edges import Edges
from unknot.model.bits import positions
from unknot.model.run import Run


def check_closures(session: SearchSession, _: Options) -> bool:
    """For what the session's findings hold: every closure passes in the end, also those that are part of others. Beyond
    its assumptions a detector can be wrong about these where the larger ones pass. Whether nobody was given up on."""
    edges = Edges.of(session.findings, len(session.suite))
    with edges.stored_if_stopped(session.findings):
        repair(session, edges, range(1, len(session.suite)))
    edges.reduce()
    edges.store_in(session.findings)
    return not session.findings.unresolved


def repair(session: SearchSession, edges: Edges, heads: Iterable[int]) -> None:
    """Adds edges until the closures of the heads pass. A test that fails now and then in one and the same order cannot
    be helped and is given up on."""
    closed = list(heads)
    while failing := _failing(session, edges, closed):
        # Earlier tests first: what a later one lacks may come along with what an earlier one gets.
        for test, company in sorted(failing.items()):
            added = _missing(session, edges, test, company)
            edges.rows[test] |= added
            if not added:
                session.findings.give_up_on([test])


def _failing(session: SearchSession, edges: Edges, heads: list[int]) -> dict[int, int]:
    """Those that fail first in the closure of one of the heads, each with the tests that ran before it there."""
    given_up = session.findings.unresolved
    session.start_step("running what follows from the graph", len(heads))
    closures = [edges.closure(test) for test in heads if test not in given_up]
    runs = session.runs([session.request(positions(closure)) for closure in closures])
    found: dict[int, int] = {}
    for closure, run in zip(closures, runs, strict=True):
        test = first_to_blame(session, run)
        if test is not None and test not in given_up:
            found.setdefault(test, closure & ((1 << test) - 1))
    return found


def _missing(session: SearchSession, edges: Edges, test: int, company: int) -> int:
    """Earlier tests without which the test fails in this company; one way of several."""
    session.start_step("finding what a test lacks", test)
    kept = 0
    before = (1 << test) - 1
    for candidate in reversed(range(test)):
        comes_along = company | edges.reached_from(kept)
        if comes_along >> candidate & 1:
            continue
        fewer = before & ~(1 << candidate)
        run = _after(session, fewer, test)
        if session.is_as_wanted(run):
            before = fewer
        else:
            kept |= 1 << candidate
            if failed_in_the_end(session, run):
                session.findings.sights[test, candidate] = Sight(tuple(positions(before)), tuple(positions(fewer)))
    return kept


def _after(session: SearchSession, before: int, test: int) -> Run:
    (run,) = session.runs([session.request([*positions(before), test])])
    return run
