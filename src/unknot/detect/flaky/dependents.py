"""The needs of flaky tests, passed on to the tests that depend on them.

Idea
    Nothing is claimed about a flaky test, so nothing may follow from its needs: a test that depends on it must list
    them as its own. If the closure of such a test fails without them, its needs are searched for again.
Assumptions
    Those of the search for setters; the session repeats runs that a flaky test has spoilt.
Guarantee
    Only what the search has shown is recorded; as with any need, two orders must show it before it is claimed.
Cost
    Nothing if no test is flaky. One order for each test that needs a flaky one, and about 2k log2(n/k) for each of
    them that lacks something.
"""

from unknot.detect.engine.findings import reduce_clauses
from unknot.detect.engine.parallel import run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.setters import Needs, needs_of


def transfer_needs_of_flaky_tests(session: SearchSession) -> None:
    """Removes the needs of flaky tests, and finds which of these their dependents need."""
    findings = session.findings
    for flaky in findings.flaky & findings.clauses.keys():
        findings.learn(flaky, ())
    findings.mark_resolved(findings.flaky)
    dependents = sorted(
        test
        for test, clauses in findings.clauses.items()
        if test not in findings.unresolved and any(findings.flaky.intersection(clause.any_of) for clause in clauses)
    )
    waiting = sorted(session.failing_closures(dependents)) if dependents else []
    for place, test in enumerate(waiting):
        session.start_step("finding the needs of tests that depend on a flaky one", len(waiting) - place)
        polluters = session.polluters_of(test)
        out = {*waiting[place:], *polluters, *findings.unrunnable_without(polluters)}
        usable = [other for other in range(len(session.suite)) if other not in out]
        known = findings.clauses[test]
        findings.learn(test, ())
        needs = run_searches({test: needs_of(session, test, usable, Needs())}, session.run_orders)[test]
        findings.learn(test, needs.clauses if needs else known)
    if waiting:
        reduce_clauses(findings)
