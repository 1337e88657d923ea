"""What a search that was stopped suspects: tests that failed where no proved dependency accounts for it."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from unknot.detect.engine.findings import Findings, Positions
from unknot.detect.engine.session import SearchSession, is_claimable
from unknot.model.bits import bits, positions
from unknot.model.dependencies import Conflict, Need, Suspicion, SuspicionKind
from unknot.model.run import Run
from unknot.model.suite import TestId, by_test

NOTHING_CONJECTURED: Mapping[int, Positions] = MappingProxyType({})

_MOST_OTHERS = 10
"""So many tests are named that a test may depend on; more say no more than that any may be."""


def conjectured_partners(findings: Findings) -> Mapping[int, Positions]:
    """For each test those that it is thought to need or to be broken by, proved or not."""
    found: dict[int, dict[int, None]] = {}
    for test, clauses in findings.clauses.items():
        found.setdefault(test, {}).update(dict.fromkeys(option for clause in clauses for option in clause.any_of))
    for known in findings.pollutions:
        found.setdefault(known.victim, {}).update(dict.fromkeys(known.polluters))
    return {test: tuple(others) for test, others in found.items()}


def suspicions(
    session: SearchSession,
    needs: Iterable[Need],
    conflicts: Iterable[Conflict],
    conjectured: Mapping[int, Positions],
) -> tuple[Suspicion, ...]:
    """At most one for each test, in reference order, given what is proved. Cost: linear in the runs in which a test
    failed."""
    needs_of = by_test(tuple(needs), lambda need: need.dependent)
    conflicts_of = by_test(tuple(conflicts), lambda conflict: conflict.victim)
    found: list[Suspicion] = []
    for place, test in enumerate(session.suite.tests):
        if not is_claimable(session, place):
            continue
        unexplained = [
            run
            for run in session.failures(place)
            if not _accounts_for(session, run, test, needs_of.get(test, ()), conflicts_of.get(test, ()))
        ]
        if unexplained:
            shortest = min((run.order.index(test), run.order) for run in unexplained)[1]
            kind = _kind(session, place, test)
            others = _suspects(session, place, shortest, kind, conjectured.get(place, ()))
            found.append(Suspicion(test, kind, session.suite.order(others)))
        elif test not in conflicts_of and (untried := _recorded_and_untried(session, place)):
            found.append(Suspicion(test, SuspicionKind.RECORDED, session.suite.order(untried)))
    return tuple(found)


def _accounts_for(
    session: SearchSession, run: Run, test: TestId, needs: Sequence[Need], conflicts: Sequence[Conflict]
) -> bool:
    """Whether a proved dependency, a flaky test that failed before, or a crash is why the test failed in this run."""
    expected, index = session.findings.expected, session.suite.index
    before = run.order[: run.order.index(test)]
    failed = {
        other
        for other, result in zip(before, run.results, strict=False)
        if result.outcome is not expected[index[other]]
    }
    if not run.results[len(before)].outcome.is_verdict or any(index[one] in session.findings.flaky for one in failed):
        return True
    worked = {*before} - failed
    if any(worked.isdisjoint(need.any_of) for need in needs):
        return True
    last = {other: place for place, other in enumerate(before)}
    return any(
        all(polluter in last for polluter in known.polluters)
        and not any(last.get(each, -1) > max(last[one] for one in known.polluters) for each in known.cleaners)
        for known in conflicts
    )


def _kind(session: SearchSession, place: int, test: TestId) -> SuspicionKind:
    alone = [run.last for request, run in session.known.items() if request.order == (test,)]
    if not alone:
        return SuspicionKind.UNCLEAR
    is_brittle = any(outcome is not session.findings.expected[place] for outcome in alone)
    return SuspicionKind.BRITTLE if is_brittle else SuspicionKind.VICTIM


def _suspects(
    session: SearchSession, place: int, order: Sequence[TestId], kind: SuspicionKind, conjectured: Positions
) -> Positions:
    """What it was thought to depend on; else, by the recording, the tests that share state with it; else those that
    ran before it and were never shown to be harmless. None if they are many."""
    if conjectured:
        return conjectured[:_MOST_OTHERS]
    before = bits(session.suite.index[test] for test in order[: order.index(session.suite.tests[place])])
    if kind is SuspicionKind.BRITTLE:
        groups = [session.flows.related(place) & ((1 << place) - 1)]
    else:
        left = before & ~session.pairs.after[place]
        groups = [left & session.flows.related(place), left]
    for group in groups:
        if 0 < group.bit_count() <= _MOST_OTHERS:
            return tuple(positions(group))
    return ()


def _recorded_and_untried(session: SearchSession, place: int) -> Positions:
    row = session.flows.may_be_broken_by[place] & session.never_directly_after(place)
    return tuple(positions(row))[:_MOST_OTHERS]
