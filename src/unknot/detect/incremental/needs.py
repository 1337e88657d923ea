"""Searches the needs of some tests while the needs of all others are known.

Idea
    The same search as for any brittle test, test by test, as soon as the tests it may need are known themselves; then
    again with all of them, until nothing changes: a brittle test may serve another one.
Assumptions
    Those of `setters.needs_of`.
Guarantee
    Only what the searches found is recorded; a test that cannot be served is unresolved. The caller verifies.
Cost
    That of the searches for these tests; none for the others.
"""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from unknot.detect.engine.findings import reduce_clauses
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.setters import Needs, needs_of_all

_MAX_ROUNDS = 4

NO_SETUPS: Mapping[int, Needs] = MappingProxyType({})


def relearn_needs(session: SearchSession, tests: Collection[int], setups: Mapping[int, Needs] = NO_SETUPS) -> None:
    """`setups` are those that are already known and still valid."""
    findings = session.findings
    waiting = set(tests)
    if not waiting:
        return
    known = dict(setups)
    for test in sorted(waiting):
        findings.learn(test, ())
    all_tests = range(len(session.suite))
    while waiting:
        usable = [test for test in all_tests if waiting.isdisjoint(findings.closure(test))]
        found = _search(session, waiting, usable, known)
        if not found:
            # The other tests alone can serve none of these: allow all tests, with whatever they need.
            found = _search(session, waiting, all_tests, known)
            findings.mark_unresolved(waiting - found.keys())
            for test in waiting - found.keys():
                known.pop(test, None)
            waiting = set(found)
        known.update(found)
        waiting -= found.keys()
    for _ in range(_MAX_ROUNDS if len(tests) > 1 else 0):
        before = dict(findings.clauses)
        known.update(_search(session, sorted(known), all_tests, known))
        if before == findings.clauses:
            break
    reduce_clauses(findings)


def _search(
    session: SearchSession, tests: Collection[int], usable: Sequence[int], known: Mapping[int, Needs]
) -> dict[int, Needs]:
    session.start_step("finding the needs of new and changed tests", len(tests))
    found = needs_of_all(session, tests, usable, known)
    for test, needs in found.items():
        session.findings.learn(test, needs.clauses)
    return found


def known_setups(session: SearchSession, test: int, avoid: Collection[int]) -> Needs:
    """The setups that follow from the known clauses of the test: one member for each clause, and each other member in
    its place. None that includes a test to avoid."""
    findings = session.findings
    clauses = findings.clauses.get(test, ())
    closure = findings.closure(test)
    chosen = [next(member for member in clause.any_of if member in closure) for clause in clauses]
    setups = []
    for place, clause in enumerate(clauses):
        for member in clause.any_of:
            heads = frozenset((*chosen[:place], member, *chosen[place + 1 :]))
            run = frozenset(findings.closure_of(heads, frozenset(clause.any_of) - {member} | {test})) - {test}
            if run.isdisjoint(avoid) and (heads, run) not in setups:
                setups.append((heads, run))
    return Needs((), tuple(setups))
