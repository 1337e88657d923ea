"""Tests that used to do well in the reference order and do so no more; and new ones that do not do well there.

Idea
    Who does well with all it needs, and nothing else, is a victim of whoever stands before it now; so is a new test
    that does well alone. Of the others nothing is claimed: who they need is gone, or they fail for reasons of their
    own; and nobody can be said to rely on them.
Guarantee
    Only what repeated runs gave is concluded.
Cost
    Three orders for each such test, and three of the reference order.
"""

from collections import Counter

from unknot.detect.engine.findings import Clause, Findings
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import settle
from unknot.detect.incremental.baseline import Yesterday
from unknot.detect.sieve.isolation import REPETITIONS, Seen, each_alone, find_flaky
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest


def settle_the_failing(session: SearchSession, yesterday: Yesterday, seen: Seen) -> None:
    findings = session.findings
    if not yesterday.fallen and not any(findings.wanted[test].is_bad for test in yesterday.touched):
        return
    # Before anything is measured by what tests did in the one run of the reference order.
    find_flaky(session, OrderRequest(session.suite.tests))
    for test in yesterday.fallen:
        if test in findings.flaky or not findings.wanted[test].is_bad:
            continue
        wanted = yesterday.wanted(test)
        can_be_served = all(is_left(findings, test, clause) for clause in yesterday.clauses.get(test, ()))
        if can_be_served and _with_all_it_needs(session, test) is wanted and test not in findings.flaky:
            _rescue(findings, test, wanted, seen)
        else:
            _bury(findings, test)
    failing = sorted(test for test in yesterday.touched - findings.flaky if findings.wanted[test].is_bad)
    for test, outcome in each_alone(session, failing).items():
        if outcome is Outcome.PASSED and test not in findings.flaky:
            _rescue(findings, test, outcome, seen)
    session.learn_again()


def is_left(findings: Findings, test: int, clause: Clause) -> bool:
    """Whether anybody of a clause of yesterday is left."""
    return any({*known.any_of} <= {*clause.any_of} for known in findings.clauses.get(test, ()))


def learn_without(findings: Findings, dependent: int, member: int, *, may_still_serve: bool) -> None:
    """Takes the member out of the clauses of the dependent."""

    def less(clause: Clause) -> Clause:
        if member not in clause.any_of:
            return clause
        rest = tuple(other for other in clause.any_of if other != member)
        return Clause(rest, clause.complete and not may_still_serve)

    clauses = map(less, findings.clauses[dependent])
    findings.learn(dependent, tuple(clause for clause in clauses if clause.any_of))


def _with_all_it_needs(session: SearchSession, test: int) -> Outcome:
    closure = session.findings.closure(test)
    runs = session.runs([session.request(closure, attempt) for attempt in range(REPETITIONS)])
    settle(session)
    return Counter(run.last for run in runs).most_common(1)[0][0]


def _rescue(findings: Findings, test: int, wanted: Outcome, seen: Seen) -> None:
    findings.wanted[test] = wanted
    findings.rescued.add(test)
    seen.note(test, range(test))


def _bury(findings: Findings, test: int) -> None:
    findings.learn(test, ())
    findings.pollutions[:] = [known for known in findings.pollutions if known.victim != test]
    for dependent, clauses in list(findings.clauses.items()):
        if any(test in clause.any_of for clause in clauses):
            learn_without(findings, dependent, test, may_still_serve=True)
