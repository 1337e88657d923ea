"""Long orders that try to refute what is known about many victims at once.

A victim with known polluters raises two questions: does anything else break it, and does anything else clean up? Each
is answered by a run after nearly all other tests. The orders of all victims are run in one batch and begin alike, so
that a runner that can branch runs what they share once.
"""

from collections.abc import Collection, Container, Sequence

from unknot.detect.engine import orders
from unknot.detect.engine.findings import Findings
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.shared_prefixes import Levels, shared_prefixes
from unknot.model.bits import bits
from unknot.model.run import OrderRequest


def without_polluters(session: SearchSession, victims: Collection[int]) -> list[OrderRequest]:
    """Each victim after all tests that may affect it, without its polluters, which would break it, and its cleaners,
    which would hide others. If it behaves as expected, nothing else breaks it, as far as such company shows."""
    findings = session.findings
    apart = {victim: bits(_known_about(findings, victim)) for victim in victims}
    levels = shared_prefixes(findings, apart, len(session.suite))
    breaking = {polluter for pollution in findings.pollutions for polluter in pollution.polluters}
    return [
        session.request([*_without_known(session, victim, levels[victim], breaking), victim])
        for victim in sorted(victims)
    ]


def _without_known(session: SearchSession, victim: int, levels: Levels, breaking: Container[int]) -> list[int]:
    """The other tests, by levels and, in each, polluters of other victims last, each after what it needs."""
    findings = session.findings
    needed = findings.closure(victim)[:-1]
    gone = frozenset(_known_about(findings, victim) - set(needed) | {victim})
    lost = findings.unrunnable_without(gone)
    usable = [test for test in range(len(session.suite)) if test not in gone and test not in lost]
    usable.sort(key=lambda test: (levels[test], test in breaking))
    return [
        test for test in orders.respecting_needs(usable, lambda test: findings.closure(test, gone)) if test != victim
    ]


def polluters_first(session: SearchSession, victims: Collection[int]) -> list[OrderRequest]:
    """Each victim after its polluters and then all tests not known to clean up, or to be broken themselves. If it does
    not behave as expected, none of them cleans up. The polluters of all victims come first, so that the orders differ
    only in their last test."""
    findings = session.findings
    known = [pollution for pollution in findings.pollutions if pollution.victim in victims]
    polluters = sorted({polluter for pollution in known for polluter in pollution.polluters} - set(victims))
    gone = frozenset({*victims, *(cleaner for pollution in known for cleaner in pollution.cleaners)} - set(polluters))
    lost = findings.unrunnable_without(gone)
    broken = {pollution.victim for pollution in findings.pollutions}
    breaking = {polluter for pollution in findings.pollutions for polluter in pollution.polluters}
    usable = [test for test in range(len(session.suite)) if test not in gone and test not in lost]
    # Tests that break or are broken come last, so that the others can show what they do.
    usable.sort(key=lambda test: (test in breaking or test in broken, test))
    before = [
        *findings.closure_of([test for test in polluters if test not in lost], gone),
        *orders.respecting_needs(usable, lambda test: findings.closure(test, gone)),
    ]
    prefix = [test for test in dict.fromkeys(before) if test not in gone]
    return [session.request([*_with_needs(findings, prefix, victim), victim]) for victim in sorted(victims)]


def _with_needs(findings: Findings, prefix: Sequence[int], victim: int) -> list[int]:
    """The prefix with what the victim needs in addition, at its end."""
    more = [member for member in findings.closure(victim)[:-1] if member not in prefix]
    return [*prefix, *more]


def _known_about(findings: Findings, victim: int) -> set[int]:
    known = [pollution for pollution in findings.pollutions if pollution.victim == victim]
    return {test for pollution in known for test in (*pollution.polluters, *pollution.cleaners)}
