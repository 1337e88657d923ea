"""What breaks a victim: minimal sets of polluters, and the cleaners that undo them.

Starts from a sequence after which the victim was seen broken. One minimal set of polluters is found in it, then the
tests that can take a polluter's place, each a pollution of its own, then for each pollution every cleaner.

Assumes that a group with a polluter breaks the victim unless a cleaner is in it; known cleaners are therefore left out
of the groups in which polluters are sought, and known polluters out of those in which cleaners are sought. What an
unknown cleaner hides is missed, never invented: every pollution found was seen to break, and every cleaner to clean.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from unknot.detect.findings import Pollution
from unknot.detect.lab import Lab
from unknot.detect.search import Search
from unknot.detect.subsets import minimal, singles
from unknot.model.run import Question, Run


def pollutions_of(lab: Lab, victim: int, before: Sequence[int]) -> Search[tuple[Pollution, ...]]:
    """All pollutions like the one that broke the victim after `before`; empty if it cannot be shown again."""
    first = yield from _first(lab, victim, before)
    if first is None:
        return ()
    hiding = yield from _cleaners(lab, first, first.polluters)
    others = yield from _stand_ins(lab, first, hiding)
    found = [first, *others]
    polluters = {polluter for pollution in found for polluter in pollution.polluters}
    cleaned: list[Pollution] = []
    for pollution in found:
        cleaners = yield from _cleaners(lab, pollution, polluters)
        cleaned.append(replace(pollution, cleaners=cleaners))
    return tuple(cleaned)


def _first(lab: Lab, victim: int, before: Sequence[int]) -> Search[Pollution | None]:
    base = set(lab.findings.closure(victim)[:-1])
    place = {test: number for number, test in enumerate(before)}

    def is_broken(run: Run) -> bool:
        return not lab.is_as_wanted(run)

    def in_place(group: Iterable[int]) -> list[int]:
        wanted = {*base, *lab.findings.closed(group)} - {victim}
        return sorted(wanted, key=lambda test: place.get(test, -1))

    def probe(group: Sequence[int]) -> Question:
        return lab.question([*in_place(group), victim])

    candidates = sorted(set(before) - base)
    polluters = yield from minimal(candidates, probe, is_broken)
    polluters = tuple(p for p in polluters if not lab.findings.rests_on(p, [o for o in polluters if o != p]))
    plain = tuple(test for test in lab.findings.closed([*polluters, *base]) if test != victim)
    asked = [lab.question([*plain, victim]), probe(polluters)]
    in_reference_order, as_seen = yield asked
    if polluters and is_broken(in_reference_order):
        return Pollution(victim, polluters, plain)
    if polluters and is_broken(as_seen):
        return Pollution(victim, polluters, tuple(in_place(polluters)))
    return None


def _stand_ins(lab: Lab, first: Pollution, hiding: Sequence[int]) -> Search[list[Pollution]]:
    """Others that break the victim alone, and others that do it in place of one of several polluters."""
    victim = first.victim
    left_out = {victim, *first.polluters, *hiding}
    candidates = [
        test
        for test in range(len(lab.suite))
        if test not in left_out
        and lab.suspects(victim, test)
        and not lab.findings.rests_on(test, (victim, *first.polluters, *hiding))
    ]
    bases: list[tuple[int, ...]] = [()]
    if len(first.polluters) > 1:
        bases += [tuple(p for p in first.polluters if p != polluter) for polluter in first.polluters]
    found: list[Pollution] = []
    alone: set[int] = set()
    for kept in bases:

        def probe(group: Sequence[int], kept: Sequence[int] = kept) -> Question:
            return lab.question([*_sequence(lab, victim, [*kept, *group]), victim])

        more = yield from singles(
            [test for test in candidates if test not in alone], probe, lambda run: not lab.is_as_wanted(run)
        )
        more = tuple(test for test in more if not lab.findings.rests_on(test, more))
        if not kept:
            alone.update(more)
        for test in more:
            polluters = tuple(sorted((*kept, test)))
            found.append(Pollution(victim, polluters, tuple(_sequence(lab, victim, polluters))))
    return found


def _cleaners(lab: Lab, pollution: Pollution, polluters: Iterable[int]) -> Search[tuple[int, ...]]:
    victim = pollution.victim
    left_out = {victim, *pollution.sequence, *polluters}
    candidates = [
        test
        for test in range(len(lab.suite))
        if test not in left_out and not lab.findings.rests_on(test, (victim, *polluters))
    ]

    def probe(group: Sequence[int]) -> Question:
        between = [test for test in lab.findings.closed(group) if test not in pollution.sequence]
        return lab.question([*pollution.sequence, *between, victim])

    cleaners = yield from singles(candidates, probe, lab.is_as_wanted)
    return tuple(c for c in cleaners if not lab.findings.rests_on(c, cleaners))


def _sequence(lab: Lab, victim: int, group: Iterable[int]) -> list[int]:
    return [test for test in lab.findings.closed([*group, *lab.findings.closure(victim)[:-1]]) if test != victim]
