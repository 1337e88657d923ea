"""What a brittle test needs: one minimal set of setters, and for each of them whoever can take its place.

A need is a clause, any one of several tests; the clauses of a test hold together. Found in this way:

1. one minimal set M of tests after which the dependent does as wanted (QuickXplain);
2. for each m in M, with the others of M kept, every single test that can stand in for m (group testing): the clause;
3. everything but the members of the clauses together: if the dependent still does as wanted, there is another way,
   and the clauses are distributed over it: (A and B) or (x and y) is (A or x) and (A or y) and (B or x) and (B or y).

Assumes that adding tests never takes away what the dependent needs; where a polluter does, alternatives may be missed,
never invented. Cost: about 2k log2(n/k) orders for a set of k, as many again for each set of alternatives.
"""

from collections.abc import Sequence

from unknot.detect.findings import Clause
from unknot.detect.lab import Lab
from unknot.detect.search import Search
from unknot.detect.subsets import minimal, singles
from unknot.model.run import Question

_MOST_WAYS = 3
"""Disjoint ways to satisfy one test that are looked for; beyond that the clauses are marked as not complete."""


def needs_of(lab: Lab, test: int, usable: Sequence[int]) -> Search[tuple[Clause, ...] | None]:
    """The clauses of a brittle test over `usable`, tests whose own needs are known; None if those are not enough.

    Alternatives that stand after the test in reference order count only if the lab suspects them.
    """
    earlier = [other for other in usable if other < test]
    (everything,) = yield [_probe(lab, test, earlier)]
    if not lab.is_as_wanted(everything):
        return None
    clingers = lab.findings.stranded({test})
    others = [other for other in usable if lab.suspects(test, other) and other not in clingers]
    clauses = yield from _one_way(lab, test, earlier, others)
    for _ in range(_MOST_WAYS):
        members = {member for clause in clauses for member in clause.any_of}
        lost = lab.findings.stranded(members)
        rest = [other for other in others if other not in members and other not in lost]
        (run,) = yield [_probe(lab, test, rest, frozenset(members))]
        if not lab.is_as_wanted(run):
            return clauses
        another = yield from _one_way(lab, test, rest, rest)
        clauses = _either(clauses, another)
    return tuple(Clause(clause.any_of, complete=False) for clause in clauses)


def late_alternatives(
    lab: Lab, test: int, clauses: tuple[Clause, ...], brittle: Sequence[int]
) -> Search[tuple[Clause, ...]]:
    """The clauses with those alternatives added that are brittle themselves: their needs were not known when the
    clauses were searched for."""
    grown: list[Clause] = []
    for clause in clauses:
        kept = [other.any_of[0] for other in clauses if other is not clause]
        more = yield from _stand_ins(lab, test, clause.any_of, kept, brittle)
        grown.append(Clause(tuple(sorted((*clause.any_of, *more))), clause.complete))
    return tuple(grown)


def _one_way(lab: Lab, test: int, pool: Sequence[int], others: Sequence[int]) -> Search[tuple[Clause, ...]]:
    setters = yield from minimal(pool, lambda group: _probe(lab, test, group), lab.is_as_wanted)
    setters = tuple(s for s in setters if not lab.findings.rests_on(s, [o for o in setters if o != s]))
    clauses: list[Clause] = []
    for setter in setters:
        kept = [other for other in setters if other != setter]
        more = yield from _stand_ins(lab, test, (setter,), kept, others)
        clauses.append(Clause(tuple(sorted((setter, *more)))))
    return tuple(clauses)


def _stand_ins(
    lab: Lab, test: int, known: Sequence[int], kept: Sequence[int], others: Sequence[int]
) -> Search[tuple[int, ...]]:
    """Who among the others can do what one of `known` does, with `kept` in place."""
    gone = frozenset(known)
    out = {*gone, *kept, test} | lab.findings.stranded(gone) | lab.findings.stranded({test})
    candidates = [other for other in others if other not in out and lab.suspects(test, other)]

    def probe(group: Sequence[int], avoid: frozenset[int] = gone) -> Question:
        return _probe(lab, test, [*kept, *group], avoid)

    found = yield from singles(candidates, probe, lab.is_as_wanted)
    # A brittle one may owe its success to another that came along to serve it: once more, without the others.
    doubtful = [o for o in found if o in lab.findings.clauses]
    again = yield [probe([o], gone | (set(found) - {o})) for o in doubtful]
    own = {o for o, run in zip(doubtful, again, strict=True) if lab.is_as_wanted(run)}
    rivals = [o for o in found if o not in doubtful or o in own]
    return tuple(o for o in rivals if not lab.findings.rests_on(o, [*gone, *(r for r in rivals if r != o)]))


def _probe(lab: Lab, test: int, group: Sequence[int], avoid: frozenset[int] = frozenset()) -> Question:
    return lab.question([*(other for other in lab.findings.closed(group, avoid) if other != test), test])


def _either(one: Sequence[Clause], other: Sequence[Clause]) -> tuple[Clause, ...]:
    merged = {tuple(sorted({*a.any_of, *b.any_of})) for a in one for b in other}
    return tuple(Clause(members) for members in sorted(merged))
