"""Shows plain needs: everyone but one test, which is the reference order with one test less.

Two runs that differ only in the prerequisite: the reference order, in which the dependent does as wanted, and the same
without the prerequisite, in which it does not. One order shows all that need the same test directly. With everyone else
present, an either-or need does not pass for a plain one.
"""

from unknot.detect.engine.findings import Sight
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import settle
from unknot.model.outcome import Outcome
from unknot.model.run import Run

_REPETITIONS = 3


def show_plain_needs(session: SearchSession) -> frozenset[int]:
    """Notes a sight for every need of a single test that shows; returns the dependents of those that do not.

    Each order is run once; then all dependents are run a few times without anybody whom they need, and whoever passes
    now and then is flaky rather than dependent. Cost: one order for each test that is needed and was not seen to be,
    and `_REPETITIONS` of the dependents.
    """
    unseen = _unseen(session)
    asked = {
        needed: session.request(test for test in range(max(dependents) + 1) if test != needed)
        for needed, dependents in unseen.items()
    }
    session.start_step("leaving out one needed test at a time", len(asked))
    answers = session.run_orders(list(asked.values()))
    refuted = {
        dependent
        for needed, dependents in unseen.items()
        for dependent in dependents
        if not note_sight(session, needed, dependent, answers[asked[needed]])
    }
    refuted |= _who_can_do_without(session)
    if refuted:
        settle(session)
    return frozenset(refuted)


def _who_can_do_without(session: SearchSession) -> set[int]:
    """Dependents that did as wanted at least once with nobody there but other dependents, none of which can work."""
    dependents = sorted(session.findings.clauses)
    if not dependents:
        return set()
    runs = session.runs([session.request(dependents, attempt) for attempt in range(_REPETITIONS)])
    wanted = session.findings.wanted
    return {test for run in runs for test, outcome in session.outcomes(run) if outcome is wanted[test]}


def note_sight(session: SearchSession, needed: int, dependent: int, run: Run) -> bool:
    """Whether the run, of everyone but the needed test, shows that the dependent needs it."""
    before: list[int] = []
    for test, outcome in session.outcomes(run):
        if test == dependent:
            if outcome is session.findings.wanted[test] or outcome is Outcome.NOT_RUN:
                return False
            session.findings.sights[dependent, needed] = Sight(tuple(range(dependent)), tuple(before))
            return True
        before.append(test)
    return False


def _unseen(session: SearchSession) -> dict[int, list[int]]:
    """By prerequisite, who is said to need it and has not been seen to."""
    found: dict[int, list[int]] = {}
    for dependent, clauses in sorted(session.findings.clauses.items()):
        for clause in clauses:
            (needed, *others) = clause.any_of
            if not others and needed < dependent and (dependent, needed) not in session.findings.sights:
                found.setdefault(needed, []).append(dependent)
    return dict(sorted(found.items()))
