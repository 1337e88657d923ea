"""Builds the result from the state of a search. The result is true whenever the search was stopped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unknot.detect.engine.findings import Positions
from unknot.detect.engine.proofs import prove_conflicts, prove_conflicts_when_failing, prove_needs
from unknot.detect.engine.reference import ReferenceRun
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.suspicions import NOTHING_CONJECTURED, conjectured_partners, suspicions
from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need, Sought
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in, rows_in
from unknot.model.suite import Suite, TestId


def build_result(
    algorithm: str, suite: Suite, reference_run: ReferenceRun, *, complete: bool, cost: Cost | None = None
) -> Dependencies:
    """Runs nothing: reports what two runs have shown so far. `cost`, if not given, is that of all orders so far."""
    session = reference_run.session
    found = dict(session.findings.clauses)
    conjectured = conjectured_partners(session.findings)
    needs = prove_needs(session, may_run=False)
    # A test that needs more than is reported is marked; otherwise nothing about it would count as untried.
    session.findings.mark_unresolved(
        test for test, clauses in found.items() if session.findings.clauses.get(test) != clauses
    )
    conflicts = prove_conflicts(session, may_run=False)
    return assemble_result(
        suite,
        reference_run,
        needs,
        conflicts,
        untried_rows(session, suite),
        seconds=reference_run.usual_seconds(),
        complete=complete,
        cost=cost or reference_run.cost(algorithm),
        conjectured=conjectured,
        conflicts_when_failing=prove_conflicts_when_failing(session, may_run=False),
        only_in_company=sum(row.bit_count() for row in only_in_company(session)),
    )


def what_was_sought(found: Dependencies, *, reorders: bool, each_was_first: bool) -> tuple[Sought, ...]:
    """What a detection by our own detectors has looked for exhaustively, by its result, and by whether every test was
    the first of an order: otherwise it may have found in each what it needs."""
    if not found.complete:
        return ()
    kinds = {
        Sought.SETTERS: each_was_first,
        Sought.ALTERNATIVES: all(need.complete for need in found.needs),
        Sought.POLLUTERS_IN_REFERENCE_ORDER: True,
        Sought.POLLUTERS_IN_ANY_ORDER: reorders,
        Sought.HIDDEN_POLLUTERS: reorders and not found.only_in_company,
    }
    return tuple(kind for kind, was_sought in kinds.items() if was_sought)


def with_open_needs(found: Dependencies) -> Dependencies:
    """The result of a search that did not reach its end: it may have missed alternatives to every prerequisite."""
    return replace(found, needs=tuple(replace(need, complete=False) for need in found.needs))


def only_in_company(session: SearchSession) -> list[int]:
    """For each test, as a bitset, the tests after which it behaved as expected, but never directly after them."""
    return [session.pairs.after[test] & session.never_directly_after(test) for test in range(len(session.suite))]


def assemble_result(
    suite: Suite,
    reference_run: ReferenceRun,
    needs: tuple[Need, ...],
    conflicts: tuple[Conflict, ...],
    untried: Sequence[int],
    *,
    seconds: Mapping[TestId, float],
    complete: bool,
    cost: Cost,
    conjectured: Mapping[int, Positions] = NOTHING_CONJECTURED,
    conflicts_when_failing: tuple[Conflict, ...] = (),
    unnamed: int = 0,
    only_in_company: int = 0,
) -> Dependencies:
    """`untried` are rows of pairs, as in `untried_rows`; `unnamed` is the number of more such pairs that cannot be
    named. `conjectured` are, for each test, those that it was thought to depend on before claims were proved."""
    session = reference_run.session
    findings, tests = session.findings, session.suite
    outcomes = dict.fromkeys(suite.tests, Outcome.NOT_RUN) | reference_run.outcomes
    outcomes.update((tests.tests[test], outcome) for test, outcome in findings.usual.items())
    rows = without_claimed_pairs(untried, suite, needs, conflicts)
    complete = complete and not findings.unresolved
    return Dependencies(
        suite=suite,
        outcomes=outcomes,
        seconds={test: seconds.get(test, 0.0) for test in suite.tests},
        needs=needs,
        conflicts=conflicts,
        conflicts_when_failing=conflicts_when_failing,
        flaky=tests.order(sorted(findings.flaky)),
        untried=pairs_in(rows) + unnamed,
        untried_rows=() if unnamed else rows,
        complete=complete,
        only_in_company=only_in_company,
        cost=cost,
        confidence={
            tests.tests[test]: Confidence(verdict.probability, verdict.differed, verdict.runs)
            for test, verdict in sorted(findings.flakiness.items())
        },
        suspected=() if complete else suspicions(session, needs, (*conflicts, *conflicts_when_failing), conjectured),
    )


def untried_rows(session: SearchSession, suite: Suite) -> tuple[int, ...]:
    """For each test of the suite, as a bitset, the tests about which nothing is known when they run before it. Tests
    that crash the process were set aside and are in no pair."""
    return rows_in(suite, [session.untried(test) for test in range(len(session.suite))], session.suite)


def without_claimed_pairs(
    rows: Sequence[int], suite: Suite, needs: Iterable[Need], conflicts: Iterable[Conflict]
) -> tuple[int, ...]:
    """The rows without the pairs that a claim covers; empty if nothing is left. For a test with unknown needs a search
    counts all pairs as untried, even those that it has shown."""
    left = list(rows)
    place = suite.index
    for need in needs:
        for option in need.any_of:
            left[place[need.dependent]] &= ~(1 << place[option])
    for conflict in conflicts:
        for other in (*conflict.polluters, *conflict.cleaners):
            left[place[conflict.victim]] &= ~(1 << place[other])
    return tuple(left) if any(left) else ()
