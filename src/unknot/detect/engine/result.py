"""Builds the result from the state of a search. The result is true whenever the search was stopped."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reference import ReferenceRun
from unknot.detect.engine.session import SearchSession
from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in, rows_in
from unknot.model.suite import Suite, TestId


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


def usual_seconds(reference_run: ReferenceRun) -> Mapping[TestId, float]:
    """The median over the runs in which a test behaved as expected and was not the first of its order; if there is
    none, its seconds in the reference order. The reference order alone would charge its first test with the setup of
    the session, and one hiccup of the machine would count in full. For plans and reports only: no detector decides by
    it. Cost: linear in the results."""
    session = reference_run.session
    expected = dict(zip(session.suite.tests, session.findings.expected, strict=True))
    seen: dict[TestId, list[float]] = {}
    for run in session.known.values():
        for test, result in list(zip(run.order, run.results, strict=True))[1:]:
            if result.outcome is expected[test]:
                seen.setdefault(test, []).append(result.seconds)
    return {**reference_run.seconds, **{test: median(seconds) for test, seconds in seen.items()}}


def build_result(
    algorithm: str, suite: Suite, reference_run: ReferenceRun, *, complete: bool, cost: Cost | None = None
) -> Dependencies:
    """Runs nothing: reports what two runs have shown so far. `cost`, if not given, is that of all orders so far."""
    session = reference_run.session
    tests = session.suite.tests
    found = dict(session.findings.clauses)
    needs = prove_needs(session, may_run=False)
    # A test that needs more than is reported is marked; otherwise nothing about it would count as untried.
    session.findings.mark_unresolved(
        test for test, clauses in found.items() if session.findings.clauses.get(test) != clauses
    )
    conflicts = prove_conflicts(session, may_run=False)
    rows = without_claimed_pairs(untried_rows(session, suite), suite, needs, conflicts)
    usual = {tests[test]: outcome for test, outcome in session.findings.usual.items()}
    seconds = usual_seconds(reference_run)
    return Dependencies(
        suite=suite,
        outcomes={test: usual.get(test, reference_run.outcomes.get(test, Outcome.NOT_RUN)) for test in suite.tests},
        seconds={test: seconds.get(test, 0.0) for test in suite.tests},
        needs=needs,
        conflicts=conflicts,
        flaky=session.suite.order(sorted(session.findings.flaky)),
        untried=pairs_in(rows),
        untried_rows=rows,
        complete=complete and not session.findings.unresolved,
        cost=cost or search_cost(algorithm, reference_run),
        confidence={
            tests[test]: Confidence(verdict.probability, verdict.differed, verdict.runs)
            for test, verdict in sorted(session.findings.flakiness.items())
        },
    )


def search_cost(algorithm: str, reference_run: ReferenceRun) -> Cost:
    """Orders and tests run so far. The caller knows the seconds."""
    return Cost(
        algorithm,
        reference_run.orders + reference_run.session.orders,
        reference_run.tests + reference_run.session.tests,
    )
