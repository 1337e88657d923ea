"""From a search's state to what is told: true whenever the search was stopped."""

from unknot.detect.engine.durations import usual_seconds
from unknot.detect.engine.proofs import prove_conflicts, prove_needs
from unknot.detect.engine.reference import Opening
from unknot.detect.engine.untried import less_claimed, untried_rows
from unknot.model.dependencies import Confidence, Cost, Dependencies
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in
from unknot.model.suite import Suite


def result(algorithm: str, suite: Suite, opening: Opening, *, complete: bool, cost: Cost | None = None) -> Dependencies:
    """Asks nothing: holds what two runs have shown so far. `cost`, if not given, is all that was asked."""
    session = opening.session
    tests = session.suite.tests
    found = dict(session.findings.clauses)
    needs = prove_needs(session, may_ask=False)
    # Whoever needs more than is told is marked, or it would seem that nothing about it is untried.
    session.findings.give_up_on(
        test for test, clauses in found.items() if session.findings.clauses.get(test) != clauses
    )
    conflicts = prove_conflicts(session, may_ask=False)
    rows = less_claimed(untried_rows(session, suite), suite, needs, conflicts)
    usual = {tests[test]: outcome for test, outcome in session.findings.usual.items()}
    seconds = usual_seconds(opening)
    return Dependencies(
        suite=suite,
        outcomes={test: usual.get(test, opening.outcomes.get(test, Outcome.NOT_RUN)) for test in suite.tests},
        seconds={test: seconds.get(test, 0.0) for test in suite.tests},
        needs=needs,
        conflicts=conflicts,
        flaky=session.suite.order(sorted(session.findings.flaky)),
        untried=pairs_in(rows),
        untried_rows=rows,
        complete=complete and not session.findings.unresolved,
        cost=cost or spent(algorithm, opening),
        confidence={
            tests[test]: Confidence(said.sure, said.differed, said.runs)
            for test, said in sorted(session.findings.certainty.items())
        },
    )


def spent(algorithm: str, opening: Opening) -> Cost:
    """Orders and tests asked so far; how many seconds they took is the caller's to know."""
    return Cost(algorithm, opening.orders + opening.session.orders, opening.tests + opening.session.tests)
