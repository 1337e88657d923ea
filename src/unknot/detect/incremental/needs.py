"""What some tests need, found out anew while the needs of all others are known.

Idea
    The same search as for any brittle test, test by test, as soon as those it may need are known themselves; then once
    more with all of them, until nobody learns anything new: a brittle test may serve another in its turn.
Assumptions
    Those of `brittle.needs_of`.
Guarantee
    Nothing beyond what the searches found is learned; whoever cannot be served is unresolved. The caller verifies.
Cost
    That of the searches for these tests; none for the others.
"""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from unknot.detect.engine.reduction import reduce_clauses
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.setters import Needs, needs_of_all

_MOST_ROUNDS = 4

NOTHING: Mapping[int, Needs] = MappingProxyType({})


def relearn_needs(session: SearchSession, tests: Collection[int], ways: Mapping[int, Needs] = NOTHING) -> None:
    """`ways` are those that are known already and still lead there."""
    findings = session.findings
    waiting = set(tests)
    if not waiting:
        return
    known = dict(ways)
    for test in sorted(waiting):
        findings.learn(test, ())
    everyone = range(len(session.suite))
    while waiting:
        usable = [test for test in everyone if waiting.isdisjoint(findings.closure(test))]
        found = _search(session, waiting, usable, known)
        if not found:
            # Nobody can be served by the others alone: take the tests as they are, with whatever they need.
            found = _search(session, waiting, everyone, known)
            findings.give_up_on(waiting - found.keys())
            for test in waiting - found.keys():
                known.pop(test, None)
            waiting = set(found)
        known.update(found)
        waiting -= found.keys()
    for _ in range(_MOST_ROUNDS if len(tests) > 1 else 0):
        before = dict(findings.clauses)
        known.update(_search(session, sorted(known), everyone, known))
        if before == findings.clauses:
            break
    reduce_clauses(findings)


def _search(
    session: SearchSession, tests: Collection[int], usable: Sequence[int], known: Mapping[int, Needs]
) -> dict[int, Needs]:
    session.start_step("finding out what new and changed tests need", len(tests))
    found = needs_of_all(session, tests, usable, known)
    for test, needs in found.items():
        session.findings.learn(test, needs.clauses)
    return found


def known_ways(session: SearchSession, test: int, avoid: Collection[int]) -> Needs:
    """The ways that the clauses known of the test tell: one member for each of them, and each other member in its
    place. None that takes one of those to avoid along."""
    findings = session.findings
    clauses = findings.clauses.get(test, ())
    closure = findings.closure(test)
    chosen = [next(member for member in clause.any_of if member in closure) for clause in clauses]
    ways = []
    for place, clause in enumerate(clauses):
        for member in clause.any_of:
            heads = frozenset((*chosen[:place], member, *chosen[place + 1 :]))
            run = frozenset(findings.closed(heads, frozenset(clause.any_of) - {member} | {test})) - {test}
            if run.isdisjoint(avoid) and (heads, run) not in ways:
                ways.append((heads, run))
    return Needs((), tuple(ways))
