"""Tests that break others only when they fail themselves: a brittle test that fails halfway, before it cleans up."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from unknot.detect.engine.findings import Pollution, Positions
from unknot.detect.engine.isolation import record_broken_tests
from unknot.detect.engine.session import SearchSession, is_claimable
from unknot.model.bits import positions
from unknot.model.run import OrderRequest


def find_failing_polluters(session: SearchSession, most: int) -> None:
    """Runs all brittle tests without what they need, and then all others; in a small suite also backwards. Then tries
    each brittle test directly before those that were broken in some run after it had failed, and those that read what
    it writes, by the recording.

    Guarantee: what is recorded was shown by a run in which the polluter failed and the victim, with all it needs, did
    too. Cost: one order of all tests, and an order of a few tests for each pair, of recorded ones at most `most`."""
    requests = without_needs(session)
    if not requests:
        return
    session.start_step("running brittle tests without what they need")
    session.runs(requests)
    pairs = list(dict.fromkeys([*_seen(session), *islice(_recorded(session), most)]))
    if not pairs:
        return
    session.start_step("trying tests that fail before others", len(pairs))
    requests = [_request(session, polluter, victim) for polluter, victim in pairs]
    expected = session.findings.expected
    for (polluter, victim), run in zip(pairs, session.runs(requests), strict=True):
        *before, (_, at_polluter), (_, at_victim) = session.outcomes(run)
        is_broken = at_victim.is_verdict and at_victim is not expected[victim]
        failed = at_polluter.is_verdict and at_polluter is not expected[polluter]
        if is_broken and failed and all(outcome is expected[test] for test, outcome in before):
            sequence = (*(test for test, _ in before), polluter)
            session.findings.pollutions_when_failing.append(Pollution(victim, (polluter,), sequence, complete=False))


def without_needs(session: SearchSession) -> list[OrderRequest]:
    """All brittle tests and then all others; in a small suite also backwards. None if no test is brittle."""
    brittle = [test for test in session.findings.clauses if test not in session.findings.flaky]
    if not brittle:
        return []
    free = [test for test in range(len(session.suite)) if test not in session.findings.clauses]
    steps = (1, -1) if session.is_small else (1,)
    return [session.request([*brittle[::step], *free[::step]]) for step in steps]


def _request(session: SearchSession, polluter: int, victim: int) -> OrderRequest:
    return session.request([*session.findings.closure(victim)[:-1], polluter, victim])


def _recorded(session: SearchSession) -> Iterator[tuple[int, int]]:
    for victim, row in enumerate(session.flows.written_by):
        yield from _possible(session, victim, positions(row))


def _seen(session: SearchSession) -> Iterator[tuple[int, int]]:
    findings = session.findings
    broken: defaultdict[int, list[Positions]] = defaultdict(list)
    record_broken_tests(session, session.known.values(), broken)
    for victim, sequences in broken.items():
        for before in sequences:
            failed = findings.failed[victim, before]
            if failed and not findings.explains(victim, [test for test in before if test not in failed]):
                yield from _possible(session, victim, (test for test in reversed(before) if test in failed))


def _possible(session: SearchSession, victim: int, polluters: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The pairs that can be tried: the polluter is brittle and the victim does not need it."""
    findings = session.findings
    if not is_claimable(session, victim) or victim in findings.unresolved:
        return
    out = {*findings.closure(victim), *findings.flaky, *session.polluters_of(victim)}
    for polluter in polluters:
        if polluter not in out and findings.clauses.get(polluter):
            yield polluter, victim
