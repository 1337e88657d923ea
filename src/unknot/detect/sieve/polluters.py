"""What breaks a victim: minimal sets of polluters, and the cleaners that undo them.

Starts from a sequence after which the victim was seen broken. One minimal set of polluters is found in it, then the
tests that can take a polluter's place, each a pollution of its own, then for each pollution every cleaner.

Assumes that a group with a polluter breaks the victim unless a cleaner is in it; known cleaners are therefore left out
of the groups in which polluters are sought, and known polluters out of those in which cleaners are sought. What an
unknown cleaner hides is missed, never invented: every pollution found was seen to break, and every cleaner to clean.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from unknot.detect.engine.findings import Pollution
from unknot.detect.engine.parallel import Search
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import Holds, Probe, minimal_near, singles
from unknot.model.run import OrderRequest, Run


@dataclass(frozen=True)
class Manner:
    """How a search asks. `one_by_one` tries every candidate by itself instead of in groups: n orders for each victim
    and each pollution, and nothing can hide. `breadth`: see `subsets`."""

    one_by_one: bool
    breadth: int = 1


def pollutions_of(
    session: SearchSession, victim: int, before: Sequence[int], manner: Manner
) -> Search[tuple[Pollution, ...]]:
    """All pollutions like the one that broke the victim after `before`; empty if it cannot be shown again."""
    first = yield from _first(session, victim, before, manner)
    if first is None:
        return ()
    hiding = () if manner.one_by_one else (yield from _cleaners(session, first, first.polluters, manner))
    others = yield from _others_like(session, first, hiding, manner)
    found = [first, *others]
    polluters = {polluter for pollution in found for polluter in pollution.polluters}
    complete = manner.one_by_one and _could_try_all(session, victim)
    cleaned: list[Pollution] = []
    for pollution in found:
        cleaners = yield from _cleaners(session, pollution, polluters, manner)
        cleaned.append(replace(pollution, cleaners=cleaners, complete=complete))
    return tuple(cleaned)


def _could_try_all(session: SearchSession, victim: int) -> bool:
    """Whether those who seem to need the victim, and so could not run between it and a polluter, surely do."""
    clauses = session.findings.clauses
    return all(clause.complete for test in session.findings.stranded({victim}) for clause in clauses.get(test, ()))


def _first(session: SearchSession, victim: int, before: Sequence[int], manner: Manner) -> Search[Pollution | None]:
    base = set(session.findings.closure(victim)[:-1])
    place = {test: number for number, test in enumerate(before)}

    def is_broken(run: Run) -> bool:
        return not session.is_as_wanted(run)

    def in_place(group: Iterable[int]) -> list[int]:
        wanted = {*base, *session.findings.closed(group, frozenset({victim}))} - {victim}
        return sorted(wanted, key=lambda test: place.get(test, -1))

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.request([*in_place(group), victim])

    pool = sorted(set(before) - base)
    polluters = yield from minimal_near(session.clues.polluters(victim, pool), pool, probe, is_broken, manner.breadth)
    polluters = yield from _smaller(polluters, probe, is_broken)
    if not polluters:
        return None
    plain = tuple(_sequence(session, victim, polluters))
    in_reference_order, as_seen = yield [session.request([*plain, victim]), probe(polluters)]
    if is_broken(in_reference_order):
        return Pollution(victim, polluters, plain)
    return Pollution(victim, polluters, tuple(in_place(polluters))) if is_broken(as_seen) else None


def _smaller(polluters: tuple[int, ...], probe: Probe, is_broken: Holds) -> Search[tuple[int, ...]]:
    """Tries to do without each polluter once more: a cleaner among the candidates misleads the search for a minimal
    set, which assumes that more tests break no less."""
    for polluter in polluters:
        rest = tuple(other for other in polluters if other != polluter)
        if not rest:
            break
        (run,) = yield [probe(rest)]
        if is_broken(run):
            polluters = rest
    return polluters


def _others_like(
    session: SearchSession, first: Pollution, hiding: Sequence[int], manner: Manner
) -> Search[list[Pollution]]:
    """Others that break the victim alone, and others that do it in place of one of two polluters."""
    victim = first.victim
    gone = {victim, *first.polluters, *hiding}
    lost = session.findings.stranded(gone)
    candidates = [
        test
        for test in range(len(session.suite))
        if test not in gone and test not in lost and session.suspects(victim, test)
    ]
    bases: list[tuple[int, ...]] = [()]
    if len(first.polluters) == 2:
        bases += [(first.polluters[0],), (first.polluters[1],)]
    found: list[Pollution] = []
    alone: set[int] = set()
    for kept in bases:

        def probe(
            group: Sequence[int], kept: Sequence[int] = kept, avoid: frozenset[int] = frozenset(gone)
        ) -> OrderRequest:
            return session.request([*_sequence(session, victim, [*kept, *group], avoid - set(kept)), victim])

        # Nothing can hide between a test and the one right before it.
        cleared = session.pairs.right_after[victim] if manner.one_by_one and not kept else 0
        more = yield from singles(
            [test for test in candidates if test not in alone and not cleared >> test & 1],
            probe,
            lambda run: not session.is_as_wanted(run),
            one_by_one=manner.one_by_one,
            likely=session.clues.stand_ins(victim),
            breadth=manner.breadth,
        )
        # A brittle one may only have brought another along: once more, without the others where there is a choice.
        doubtful = [test for test in more if test in session.findings.clauses]
        avoids = {test: frozenset({*gone, *alone, *more} - {test}) for test in doubtful}
        again = yield [probe([test], kept, avoids[test]) for test in doubtful]
        innocent = {test for test, run in zip(doubtful, again, strict=True) if session.is_as_wanted(run)}
        more = tuple(t for t in more if t not in innocent and not _brings(session, t, (*more, *alone), avoids.get(t)))
        if not kept:
            alone.update(more)
        for test in more:
            polluters = tuple(sorted((*kept, test)))
            avoid = avoids.get(test, frozenset(gone)) - set(kept)
            found.append(Pollution(victim, polluters, tuple(_sequence(session, victim, polluters, avoid))))
    return found


def _cleaners(
    session: SearchSession, pollution: Pollution, polluters: Iterable[int], manner: Manner
) -> Search[tuple[int, ...]]:
    victim = pollution.victim
    gone = {victim, *pollution.polluters} if manner.one_by_one else {victim, *polluters}
    out = gone | session.findings.stranded({victim}) | set(pollution.sequence)
    if manner.one_by_one:
        out |= _seen_not_to_clean(session, pollution, polluters)
    everyone = range(len(session.suite))
    candidates = [test for test in everyone if test not in out and not session.clues.rules_out(victim, test)]

    def probe(group: Sequence[int]) -> OrderRequest:
        between = [
            t
            for t in session.findings.closed(group, frozenset({victim}))
            if t not in pollution.sequence and t != victim
        ]
        return session.request([*pollution.sequence, *between, victim])

    cleaners = yield from singles(
        candidates,
        probe,
        session.is_as_wanted,
        one_by_one=manner.one_by_one,
        likely=session.clues.stand_ins(victim),
        breadth=manner.breadth,
    )
    return tuple(test for test in cleaners if not _brings(session, test, cleaners))


def _seen_not_to_clean(session: SearchSession, pollution: Pollution, polluters: Iterable[int]) -> set[int]:
    """Tests that did their work after the last polluter in some run in which the victim was broken all the same, and
    no other polluter had a part in it. Wrong only where one of them cleaned up and another then broke the victim
    again, together with the polluter.
    """
    wanted = session.findings.wanted
    known, needed = set(polluters), set(pollution.polluters)
    found: set[int] = set()
    for run in session.known.values():
        since, worked = set[int](), set[int]()
        for test, outcome in session.outcomes(run):
            as_wanted = outcome is wanted[test]
            if test == pollution.victim:
                if not as_wanted and known & worked == needed and session.findings.has_needs(test, worked):
                    found |= since
                break
            if as_wanted:
                worked.add(test)
                since.add(test)
            if as_wanted and test in known:
                since = set()
    return found


def _brings(session: SearchSession, test: int, others: Sequence[int], avoid: frozenset[int] | None = None) -> bool:
    """Whether another of them comes along whenever this one is run, and so may have done it."""
    return not set(others).isdisjoint(session.findings.closure(test, avoid or frozenset())[:-1])


def _sequence(
    session: SearchSession, victim: int, group: Iterable[int], avoid: frozenset[int] = frozenset()
) -> list[int]:
    """The group and what the victim needs, with all that they need, in place before the victim."""
    members = [*group, *session.findings.closure(victim)[:-1]]
    return [test for test in session.findings.closed(members, avoid | {victim}) if test != victim]
