"""What a flaky test needs, for the sake of those who need it.

Idea
    Nothing is claimed about a flaky test, so nothing may follow from its needs: whoever needs it has to be given them
    as its own. Where the closure of such a test fails without them, what it needs is searched for once more.
Assumptions
    As in the search for what a brittle test needs; the session repeats runs that a flaky test spoilt.
Guarantee
    Only what the search has seen is learned; as with any need, two orders must show it before it is claimed.
Cost
    Nothing if nobody is flaky. One order for each test that needs a flaky one, and about 2k log2(n/k) for each of
    them that goes without something.
"""

from unknot.detect.engine.parallel import side_by_side
from unknot.detect.engine.reduction import reduce_clauses
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.setters import Needs, needs_of


def provide_for_heirs(session: SearchSession) -> None:
    """Takes their needs from the flaky tests, and finds out which of them others need."""
    findings = session.findings
    for flaky in findings.flaky & findings.clauses.keys():
        findings.learn(flaky, ())
    findings.take_back(findings.flaky)
    heirs = sorted(
        test
        for test, clauses in findings.clauses.items()
        if test not in findings.unresolved and any(findings.flaky.intersection(clause.any_of) for clause in clauses)
    )
    waiting = sorted(session.failing_closures(heirs)) if heirs else []
    for place, test in enumerate(waiting):
        session.start_step("finding out what tests need that need a flaky one", len(waiting) - place)
        polluters = session.polluters_of(test)
        out = {*waiting[place:], *polluters, *findings.stranded(polluters)}
        usable = [other for other in range(len(session.suite)) if other not in out]
        known = findings.clauses[test]
        findings.learn(test, ())
        needs = side_by_side({test: needs_of(session, test, usable, Needs())}, session.run_orders)[test]
        findings.learn(test, needs.clauses if needs else known)
    if waiting:
        reduce_clauses(findings)
