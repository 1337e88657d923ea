"""Tries to refute that a dependent needs one of the tests of a clause.

The search for setters assumes that more tests never take away what the dependent needs. Where a test breaks another,
that is wrong: the dependent, or the one that could serve it, may have been broken in the run of all other tests. So
each clause that is called complete is compared with all runs: every other test has to have worked in a run in which the
dependent failed and nothing known broke it. Those that have not are run in the place of the clause. If the dependent
then behaves as expected, its needs have to be searched again. If no single run had all of them, the clause is not
called complete.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from unknot.detect.engine.findings import Clause
from unknot.detect.engine.proofs import with_other_clauses
from unknot.detect.engine.session import SearchSession
from unknot.model.bits import bits, positions
from unknot.model.run import OrderRequest

_FEW_UNTRIED = 8
"""So many tests are tried in the place of a clause if the suite is not tiny."""

_FEW_BROUGHT_ALONG = 4
"""So many tests that run only to serve a member of a clause are tried in its place."""


def refute_clauses(session: SearchSession) -> set[int]:
    """Returns the dependents of which a clause was refuted. A clause that more tests may be missing in is no longer
    called complete. Cost: if tests break others, one short order for each test that was not seen in the place of a
    clause, if these are few; if any order counts, one for each test that only a member of the clause brings along, if
    these are several and few; and in a tiny suite one for each test."""
    findings = session.findings
    claims = [
        (test, clause)
        for test, clauses in sorted(findings.clauses.items())
        if test not in findings.unresolved and test not in findings.flaky
        for clause in clauses
        if clause.complete
    ]
    trials = {claim: [in_place_of(session, *claim, other) for other in _doubtful(session, *claim)] for claim in claims}
    answers = session.run_orders([request for orders in trials.values() for request in orders])
    refuted: set[int] = set()
    for (test, clause), orders in trials.items():
        if any(session.is_as_expected(answers[request]) for request in orders):
            refuted.add(test)
        elif _has_conflicts(session) and not _is_tried_together(session, test, clause):
            weaker = replace(clause, complete=False)
            findings.learn(test, tuple(weaker if one == clause else one for one in findings.clauses[test]))
    return refuted


def _has_conflicts(session: SearchSession) -> bool:
    return bool(session.findings.broken or session.findings.pollutions)


def _doubtful(session: SearchSession, test: int, clause: Clause) -> list[int]:
    """The tests to try in the place of the clause."""
    if session.is_tiny and session.reorders:
        return list(positions(_candidates(session, test, clause)))
    brought = _brought_along(session, test, clause) if session.reorders else ()
    left = bits(brought) if 2 <= len(brought) <= _FEW_BROUGHT_ALONG else 0
    if _has_conflicts(session):
        untried = _untried(session, test, clause)
        left |= untried if untried.bit_count() <= _FEW_UNTRIED else 0
    return list(positions(left))


def _brought_along(session: SearchSession, test: int, clause: Clause) -> set[int]:
    """The tests of the closure that run only to serve the member of the clause. The dependent fails after all of them,
    and after none; it may need one of them, and the member only clean up after another."""
    closure = set(session.findings.closure(test)[:-1])
    bare = {session.suite.index[other] for other in with_other_clauses(session, test, clause).order}
    return closure - bare - set(clause.any_of) - session.findings.unrunnable_without(frozenset(clause.any_of))


def in_place_of(session: SearchSession, test: int, clause: Clause, other: int) -> OrderRequest:
    """The test after the other one and what its other clauses require."""
    findings = session.findings
    gone = frozenset(clause.any_of)
    lost = findings.unrunnable_without(gone)
    closure = findings.closure(test)
    served = []
    for required in findings.clauses[test]:
        if required != clause:
            able = [option for option in required.any_of if option not in gone and option not in lost]
            if able and other not in able:
                served.append(next((option for option in able if option in closure), able[0]))
    return session.after([*served, other], test, gone)


def _candidates(session: SearchSession, test: int, clause: Clause) -> int:
    """The tests, as a bitset, that could be missing in the clause."""
    findings = session.findings
    members = frozenset(clause.any_of)
    out = {test, *members, *findings.flaky, *findings.unrunnable_without(members), *findings.unrunnable_without({test})}
    return session.candidates(test) & ~bits(out)


def _untried(session: SearchSession, test: int, clause: Clause) -> int:
    """Those of them that worked in no run in which the test lacked only this clause."""
    return reduce(
        lambda left, worked: left & ~worked, _lacking(session, test, clause), _candidates(session, test, clause)
    )


def _is_tried_together(session: SearchSession, test: int, clause: Clause) -> bool:
    """Whether all of them worked in one such run: several may serve the test only together."""
    candidates = _candidates(session, test, clause)
    return any(not candidates & ~worked for worked in _lacking(session, test, clause))


def _lacking(session: SearchSession, test: int, clause: Clause) -> Iterator[int]:
    """For each run in which the test failed, nothing known broke it, and it lacked only this clause: the tests, as a
    bitset, that had worked before it."""
    findings = session.findings
    others = [set(one.any_of) for one in findings.clauses[test] if one != clause]
    pollutions = [set(known.polluters) for known in findings.pollutions if known.victim == test]
    for run in session.failures(test):
        worked: set[int] = set()
        before: set[int] = set()
        for other, outcome in session.outcomes(run):
            if other == test:
                break
            before.add(other)
            if outcome is findings.expected[other]:
                worked.add(other)
        if (
            worked.isdisjoint(clause.any_of)
            and all(worked & one for one in others)
            and not any(polluters <= before for polluters in pollutions)
            and not session.is_unreliable(run)
        ):
            yield bits(worked)
