"""What breaks a victim: minimal sets of polluters, and the cleaners that undo them.

Starts from a sequence after which the victim was broken. One minimal set of polluters is found in it, then the tests
that can take the place of a polluter, each a pollution of its own, then every cleaner for each pollution.

Assumes that a group with a polluter breaks the victim unless it has a cleaner; known cleaners are therefore left out of
the groups in which polluters are searched, and known polluters out of those in which cleaners are searched. What an
unknown cleaner hides is missed, never invented: every pollution was shown to break, and every cleaner to clean.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from unknot.detect.engine.findings import Pollution, Positions
from unknot.detect.engine.isolation import check_flakiness
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import Holds, Probe, minimal_preferring, singles
from unknot.model.run import OrderRequest, Run


@dataclass(frozen=True)
class SearchStyle:
    """How a search chooses orders. `one_by_one` tries every candidate alone instead of in groups: n orders for each
    victim and each pollution, and nothing can hide. `breadth`: see `subsets`."""

    one_by_one: bool
    breadth: int = 1


def pollutions_of(
    session: SearchSession, victim: int, before: Sequence[int], style: SearchStyle
) -> Search[tuple[Pollution, ...]]:
    """All pollutions like the one that broke the victim after `before`; empty if it cannot be reproduced."""
    first = yield from _first(session, victim, before, style)
    if first is None:
        return ()
    hiding = () if style.one_by_one else (yield from _cleaners(session, first, first.polluters, style))
    others = yield from _others_like(session, first, hiding, style)
    found = [first, *others]
    polluters = {polluter for pollution in found for polluter in pollution.polluters}
    complete = style.one_by_one and _could_try_all(session, victim)
    cleaned: list[Pollution] = []
    for pollution in found:
        cleaners = yield from _cleaners(session, pollution, polluters, style)
        cleaned.append(replace(pollution, cleaners=cleaners, complete=complete))
    return tuple(cleaned)


def _could_try_all(session: SearchSession, victim: int) -> bool:
    """Whether the tests that seem to need the victim, and so could not run before it, certainly do."""
    clauses = session.findings.clauses
    return all(
        clause.complete for test in session.findings.unrunnable_without({victim}) for clause in clauses.get(test, ())
    )


def _first(session: SearchSession, victim: int, before: Sequence[int], style: SearchStyle) -> Search[Pollution | None]:
    base = set(session.findings.closure(victim)[:-1])
    place = {test: number for number, test in enumerate(before)}

    def is_broken(run: Run) -> bool:
        return not session.is_as_expected(run)

    def in_place(group: Iterable[int]) -> list[int]:
        expected = {*base, *session.findings.closure_of(group, frozenset({victim}))} - {victim}
        return sorted(expected, key=lambda test: place.get(test, -1))

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.request([*in_place(group), victim])

    pool = sorted(set(before) - base)
    polluters = yield from minimal_preferring(
        session.flows.polluters(victim, pool), pool, probe, is_broken, style.breadth
    )
    polluters = yield from _smaller(polluters, probe, is_broken)
    if not polluters:
        return None
    plain = tuple(sequence_before(session, victim, polluters))
    in_reference_order, as_seen = yield [session.request([*plain, victim]), probe(polluters)]
    if is_broken(in_reference_order):
        return Pollution(victim, polluters, plain)
    return Pollution(victim, polluters, tuple(in_place(polluters))) if is_broken(as_seen) else None


def _smaller(polluters: tuple[int, ...], probe: Probe, is_broken: Holds) -> Search[tuple[int, ...]]:
    """Tries to remove each polluter once more: a cleaner among the candidates misleads the search for a minimal set,
    which assumes that adding tests does not repair the victim."""
    for polluter in polluters:
        rest = tuple(other for other in polluters if other != polluter)
        if not rest:
            break
        (run,) = yield [probe(rest)]
        if is_broken(run):
            polluters = rest
    return polluters


def _others_like(
    session: SearchSession, first: Pollution, hiding: Sequence[int], style: SearchStyle
) -> Search[list[Pollution]]:
    """Other tests that break the victim alone, and others that do it in place of one of two polluters."""
    victim = first.victim
    gone = {victim, *first.polluters, *hiding}
    lost = session.findings.unrunnable_without(gone)
    candidates = [
        test
        for test in range(len(session.suite))
        if test not in gone and test not in lost and session.may_affect(victim, test)
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
            return session.request([*sequence_before(session, victim, [*kept, *group], avoid - set(kept)), victim])

        # No cleaner can hide between a test and the one directly before it.
        cleared = session.pairs.directly_after[victim] if style.one_by_one and not kept else 0
        more = yield from singles(
            [test for test in candidates if test not in alone and not cleared >> test & 1],
            probe,
            lambda run: not session.is_as_expected(run),
            one_by_one=style.one_by_one,
            likely=session.flows.related(victim),
            breadth=style.breadth,
        )
        # A brittle one may only bring along another polluter: try it again without the others, if there is a choice.
        doubtful = [test for test in more if test in session.findings.clauses]
        avoids = {test: frozenset({*gone, *alone, *more} - {test}) for test in doubtful}
        again = yield [probe([test], kept, avoids[test]) for test in doubtful]
        innocent = {test for test, run in zip(doubtful, again, strict=True) if session.is_as_expected(run)}
        more = tuple(
            t for t in more if t not in innocent and not _brings_along(session, t, (*more, *alone), avoids.get(t))
        )
        if not kept:
            alone.update(more)
        for test in more:
            polluters = tuple(sorted((*kept, test)))
            avoid = avoids.get(test, frozenset(gone)) - set(kept)
            found.append(Pollution(victim, polluters, tuple(sequence_before(session, victim, polluters, avoid))))
    return found


def _cleaners(
    session: SearchSession, pollution: Pollution, polluters: Iterable[int], style: SearchStyle
) -> Search[tuple[int, ...]]:
    victim = pollution.victim
    gone = {victim, *pollution.polluters} if style.one_by_one else {victim, *polluters}
    out = gone | session.findings.unrunnable_without({victim}) | set(pollution.sequence)
    if style.one_by_one:
        out |= _seen_not_to_clean(session, pollution, polluters)
    all_tests = range(len(session.suite))
    candidates = [test for test in all_tests if test not in out and not session.rules_out(victim, test)]

    def probe(group: Sequence[int]) -> OrderRequest:
        between = [
            t
            for t in session.findings.closure_of(group, frozenset({victim}))
            if t not in pollution.sequence and t != victim
        ]
        return session.request([*pollution.sequence, *between, victim])

    cleaners = yield from singles(
        candidates,
        probe,
        session.is_as_expected,
        one_by_one=style.one_by_one,
        likely=session.flows.related(victim),
        breadth=style.breadth,
    )
    return tuple(test for test in cleaners if not _brings_along(session, test, cleaners))


def _seen_not_to_clean(session: SearchSession, pollution: Pollution, polluters: Iterable[int]) -> set[int]:
    """Tests that passed after the last polluter in some run in which the victim was broken all the same, without any
    other polluter. Wrong only if one of them cleaned up and another then broke the victim again, together with the
    polluter."""
    expected = session.findings.expected
    known, needed = set(polluters), set(pollution.polluters)
    found: set[int] = set()
    for run in session.known.values():
        since, worked = set[int](), set[int]()
        for test, outcome in session.outcomes(run):
            as_expected = outcome is expected[test]
            if test == pollution.victim:
                if not as_expected and known & worked == needed and session.findings.has_needs(test, worked):
                    found |= since
                break
            if as_expected:
                worked.add(test)
                since.add(test)
            if as_expected and test in known:
                since = set()
    return found


def _brings_along(
    session: SearchSession, test: int, others: Sequence[int], avoid: frozenset[int] | None = None
) -> bool:
    """Whether another of these runs whenever this one does, and so may be the cause."""
    return not set(others).isdisjoint(session.findings.closure(test, avoid or frozenset())[:-1])


def sequence_before(
    session: SearchSession, victim: int, group: Iterable[int], avoid: frozenset[int] = frozenset()
) -> list[int]:
    """The group and what the victim needs, with all that they need, in an order that runs before the victim."""
    members = [*group, *session.findings.closure(victim)[:-1]]
    return [test for test in session.findings.closure_of(members, avoid | {victim}) if test != victim]


def find_polluters(session: SearchSession, evidence: Mapping[int, Positions], *, one_by_one: bool) -> None:
    """Finds every pollution like those that broke these victims after these sequences.

    Guarantee: a pollution is recorded only if the search showed it. A failure that cannot be reproduced is checked for
    flakiness and dropped. Cost: that of `pollutions_of` for each victim, all searches side by side.
    """
    findings = session.findings
    session.start_step("finding polluters", len(evidence))
    style = SearchStyle(one_by_one, session.breadth(len(evidence)))
    searches = {victim: pollutions_of(session, victim, before, style) for victim, before in evidence.items()}
    for victim, pollutions in run_searches(searches, session.run_orders).items():
        known = {known.polluters for known in findings.pollutions if known.victim == victim}
        new = [pollution for pollution in pollutions if pollution.polluters not in known]
        findings.pollutions.extend(new)
        if not new:
            # It cannot be reproduced, or only by what is known: the test may be flaky.
            check_flakiness(session, session.request([*evidence[victim], victim]))
            findings.broken[victim] = [before for before in findings.broken[victim] if before != evidence[victim]]
