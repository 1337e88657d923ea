"""Tests that used to pass in the reference order and fail now; and new tests that fail there.

Idea
    A test that passes with all it needs, and nothing else, is a victim of a test that runs before it now; so is a new
    test that passes alone. Nothing is claimed about the others: a prerequisite is gone, or they fail for reasons of
    their own; and no test can rely on them.
Guarantee
    Conclusions are drawn from repeated runs only.
Cost
    Three orders for each such test, and three of the reference order.
"""

from collections import Counter

from unknot.detect.engine.findings import Clause, Findings
from unknot.detect.engine.isolation import REPETITIONS, check_flakiness, run_each_alone
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import decide_flakiness
from unknot.detect.incremental.baseline import BaselineFindings
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest


def classify_failing_tests(session: SearchSession, baseline: BaselineFindings) -> None:
    findings = session.findings
    if not baseline.regressions and not any(findings.expected[test].is_bad for test in baseline.affected):
        return
    # Before tests are compared with their outcome in a single run of the reference order.
    check_flakiness(session, OrderRequest(session.suite.tests))
    for test in baseline.regressions:
        if test in findings.flaky or not findings.expected[test].is_bad:
            continue
        expected = baseline.expected(test)
        can_be_served = all(has_member_left(findings, test, clause) for clause in baseline.clauses.get(test, ()))
        if can_be_served and _with_all_it_needs(session, test) is expected and test not in findings.flaky:
            _mark_victim(findings, test, expected)
        else:
            _forget_claims(findings, test)
    failing = sorted(test for test in baseline.affected - findings.flaky if findings.expected[test].is_bad)
    for test, outcome in run_each_alone(session, failing).items():
        if outcome is Outcome.PASSED and test not in findings.flaky:
            _mark_victim(findings, test, outcome)
    session.rebuild_pairs()


def has_member_left(findings: Findings, test: int, clause: Clause) -> bool:
    """Whether any member of a clause of the baseline is left."""
    return any({*known.any_of} <= {*clause.any_of} for known in findings.clauses.get(test, ()))


def remove_member(findings: Findings, dependent: int, member: int, *, may_still_serve: bool) -> None:
    """Removes the member from the clauses of the dependent."""

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
    decide_flakiness(session)
    return Counter(run.last for run in runs).most_common(1)[0][0]


def _mark_victim(findings: Findings, test: int, expected: Outcome) -> None:
    findings.expected[test] = expected
    findings.reference_victims.add(test)
    findings.broken[test].append(tuple(range(test)))


def _forget_claims(findings: Findings, test: int) -> None:
    findings.learn(test, ())
    findings.pollutions[:] = [known for known in findings.pollutions if known.victim != test]
    for dependent, clauses in list(findings.clauses.items()):
        if any(test in clause.any_of for clause in clauses):
            remove_member(findings, dependent, test, may_still_serve=True)
