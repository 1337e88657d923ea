"""Shows single needs: all tests but one, which is the reference order without one test.

Two runs that differ only in the prerequisite: the reference order, in which the dependent behaves as expected, and the
same without the prerequisite, in which it does not. One order shows all direct dependents of a test. As all other tests
are present, alternatives are not mistaken for single needs.
"""

from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import decide_flakiness
from unknot.model.outcome import Outcome
from unknot.model.run import Run

_REPETITIONS = 3


def show_single_needs(session: SearchSession) -> frozenset[int]:
    """Records an observed need for every single need that shows; returns the dependents of those that do not.

    Each order is run once; then all dependents are run a few times without their prerequisites, and one that passes
    sometimes is flaky rather than dependent. Cost: one order for each prerequisite that was not shown yet, and
    `_REPETITIONS` of the dependents.
    """
    unseen = _unseen(session)
    requests = {
        needed: session.request(test for test in range(max(dependents) + 1) if test != needed)
        for needed, dependents in unseen.items()
    }
    session.start_step("leaving out one needed test at a time", len(requests))
    answers = session.run_orders(list(requests.values()))
    refuted = {
        dependent
        for needed, dependents in unseen.items()
        for dependent in dependents
        if not record_observed_need(session, needed, dependent, answers[requests[needed]])
    }
    refuted |= _passing_without(session)
    if refuted:
        decide_flakiness(session)
    return frozenset(refuted)


def _passing_without(session: SearchSession) -> set[int]:
    """Dependents that passed at least once with only other dependents present, none of which can work."""
    dependents = sorted(session.findings.clauses)
    if not dependents:
        return set()
    runs = session.runs([session.request(dependents, attempt) for attempt in range(_REPETITIONS)])
    expected = session.findings.expected
    return {test for run in runs for test, outcome in session.outcomes(run) if outcome is expected[test]}


def record_observed_need(session: SearchSession, needed: int, dependent: int, run: Run) -> bool:
    """Returns whether the run, of all tests but the needed one, shows that the dependent needs it."""
    before: list[int] = []
    for test, outcome in session.outcomes(run):
        if test == dependent:
            if outcome is session.findings.expected[test] or outcome is Outcome.NOT_RUN:
                return False
            session.findings.observe_need(dependent, needed, range(dependent), before)
            return True
        before.append(test)
    return False


def _unseen(session: SearchSession) -> dict[int, list[int]]:
    """By prerequisite: its presumed dependents for which that was not shown yet."""
    found: dict[int, list[int]] = {}
    for dependent, clauses in sorted(session.findings.clauses.items()):
        for clause in clauses:
            (needed, *others) = clause.any_of
            if not others and needed < dependent and (dependent, needed) not in session.findings.observed_needs:
                found.setdefault(needed, []).append(dependent)
    return dict(sorted(found.items()))
