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


def find_polluters(session: SearchSession, evidence: Mapping[int, Positions], *, one_by_one: bool) -> None:
    """Finds every pollution like those that broke these victims after these sequences. With `one_by_one`, every
    candidate is tried alone instead of in groups: n orders for each victim and each pollution, and nothing can hide.

    Guarantee: a pollution is recorded only if the search showed it. A failure that cannot be reproduced is checked for
    flakiness and dropped. Cost: that of the search for each victim, all searches side by side.
    """
    findings = session.findings
    session.start_step("finding polluters", len(evidence))
    breadth = session.breadth(len(evidence))
    searches = {
        victim: _PollutionSearch(session, victim, one_by_one, breadth).all_like(before)
        for victim, before in evidence.items()
    }
    for victim, pollutions in run_searches(searches, session.run_orders).items():
        known = {known.polluters for known in findings.pollutions if known.victim == victim}
        new = [pollution for pollution in pollutions if pollution.polluters not in known]
        findings.pollutions.extend(new)
        if not new:
            # It cannot be reproduced, or only by what is known: the test may be flaky.
            check_flakiness(session, session.request([*evidence[victim], victim]))
            findings.broken[victim] = [before for before in findings.broken[victim] if before != evidence[victim]]


def sequence_before(
    session: SearchSession, victim: int, group: Iterable[int], avoid: frozenset[int] = frozenset()
) -> Positions:
    """The group and what the victim needs, with all that they need, in an order that runs before the victim."""
    members = [*group, *session.findings.closure(victim)[:-1]]
    return tuple(test for test in session.findings.closure_of(members, avoid | {victim}) if test != victim)


@dataclass(frozen=True)
class _PollutionSearch:
    """`breadth`: see `subsets`."""

    session: SearchSession
    victim: int
    one_by_one: bool
    breadth: int

    def all_like(self, before: Sequence[int]) -> Search[tuple[Pollution, ...]]:
        """All pollutions like the one that broke the victim after `before`; empty if it cannot be reproduced."""
        first = yield from self._first(before)
        if first is None:
            return ()
        hiding = () if self.one_by_one else (yield from self._cleaners(first, first.polluters))
        others = yield from self._others_like(first, hiding)
        found = [first, *others]
        polluters = {polluter for pollution in found for polluter in pollution.polluters}
        complete = self.one_by_one and self._could_try_all()
        cleaned: list[Pollution] = []
        for pollution in found:
            cleaners = yield from self._cleaners(pollution, polluters)
            cleaned.append(replace(pollution, cleaners=cleaners, complete=complete))
        return tuple(cleaned)

    def _could_try_all(self) -> bool:
        """Whether the tests that seem to need the victim, and so could not run before it, certainly do."""
        findings = self.session.findings
        dependents = findings.unrunnable_without({self.victim})
        return all(clause.complete for test in dependents for clause in findings.clauses.get(test, ()))

    def _is_broken(self, run: Run) -> bool:
        return not self.session.is_as_expected(run)

    def _first(self, before: Sequence[int]) -> Search[Pollution | None]:
        session, victim = self.session, self.victim
        base = set(session.findings.closure(victim)[:-1])
        place = {test: number for number, test in enumerate(before)}

        def in_place(group: Iterable[int]) -> Positions:
            members = {*base, *session.findings.closure_of(group, frozenset({victim}))} - {victim}
            return tuple(sorted(members, key=lambda test: place.get(test, -1)))

        def probe(group: Sequence[int]) -> OrderRequest:
            return session.request([*in_place(group), victim])

        pool = sorted(set(before) - base)
        preferred = session.flows.polluters(victim, pool)
        polluters = yield from minimal_preferring(preferred, pool, probe, self._is_broken, self.breadth)
        polluters = yield from _smaller(polluters, probe, self._is_broken)
        if not polluters:
            return None
        plain = sequence_before(session, victim, polluters)
        in_reference_order, as_seen = yield [session.request([*plain, victim]), probe(polluters)]
        if self._is_broken(in_reference_order):
            return Pollution(victim, polluters, plain)
        return Pollution(victim, polluters, in_place(polluters)) if self._is_broken(as_seen) else None

    def _singles(self, candidates: Sequence[int], probe: Probe, holds: Holds) -> Search[Positions]:
        return singles(
            candidates,
            probe,
            holds,
            one_by_one=self.one_by_one,
            likely=self.session.flows.related(self.victim),
            breadth=self.breadth,
        )

    def _others_like(self, first: Pollution, hiding: Sequence[int]) -> Search[list[Pollution]]:
        """Other tests that break the victim alone, and others that do it in place of one of two polluters."""
        session = self.session
        gone = frozenset({self.victim, *first.polluters, *hiding})
        lost = session.findings.unrunnable_without(gone)
        candidates = [
            test
            for test in range(len(session.suite))
            if test not in gone and test not in lost and session.may_affect(self.victim, test)
        ]
        # No cleaner can hide between a test and the one directly before it.
        cleared = session.pairs.directly_after[self.victim] if self.one_by_one else 0
        uncleared = [test for test in candidates if not cleared >> test & 1]
        alone = yield from self._with_kept((), uncleared, gone, ())
        found = list(alone)
        breaking_alone = {pollution.polluters[0] for pollution in alone}
        for kept in first.polluters if len(first.polluters) == 2 else ():
            rest = [test for test in candidates if test not in breaking_alone]
            found += yield from self._with_kept((kept,), rest, gone, breaking_alone)
        return found

    def _with_kept(
        self, kept: Positions, candidates: Sequence[int], gone: frozenset[int], alone: Iterable[int]
    ) -> Search[list[Pollution]]:
        """The candidates that break the victim after the kept test, if any, and without those that are gone. `alone`
        are tests that break it alone."""
        session = self.session

        def before(group: Sequence[int], avoid: frozenset[int]) -> Positions:
            return sequence_before(session, self.victim, [*kept, *group], avoid - set(kept))

        def probe(group: Sequence[int], avoid: frozenset[int] = gone) -> OrderRequest:
            return session.request([*before(group, avoid), self.victim])

        more = yield from self._singles(candidates, probe, self._is_broken)
        # A brittle one may only bring along another polluter: try it again without the others, if there is a choice.
        doubtful = [test for test in more if test in session.findings.clauses]
        avoids = {test: frozenset({*gone, *alone, *more} - {test}) for test in doubtful}
        again = yield [probe([test], avoids[test]) for test in doubtful]
        bystanders = {test for test, run in zip(doubtful, again, strict=True) if session.is_as_expected(run)}
        return [
            Pollution(self.victim, tuple(sorted((*kept, test))), before([test], avoids.get(test, gone)))
            for test in more
            if test not in bystanders and not self._brings_along(test, (*more, *alone), avoids.get(test, frozenset()))
        ]

    def _cleaners(self, pollution: Pollution, polluters: Iterable[int]) -> Search[Positions]:
        session, victim = self.session, self.victim
        out = {victim, *pollution.sequence, *session.findings.unrunnable_without({victim})}
        out |= self._seen_not_to_clean(pollution, polluters) if self.one_by_one else set(polluters)
        all_tests = range(len(session.suite))
        candidates = [test for test in all_tests if test not in out and not session.rules_out(victim, test)]

        def probe(group: Sequence[int]) -> OrderRequest:
            between = session.findings.closure_of(group, frozenset({victim}))
            more = (test for test in between if test not in pollution.sequence and test != victim)
            return session.request([*pollution.sequence, *more, victim])

        cleaners = yield from self._singles(candidates, probe, session.is_as_expected)
        return tuple(test for test in cleaners if not self._brings_along(test, cleaners))

    def _seen_not_to_clean(self, pollution: Pollution, polluters: Iterable[int]) -> set[int]:
        """Tests that passed after the last polluter in some run in which the victim was broken all the same, without
        any other polluter. Wrong only if one of them cleaned up and another then broke the victim again, together with
        the polluter."""
        session = self.session
        expected = session.findings.expected
        known, needed = set(polluters), set(pollution.polluters)
        found: set[int] = set()
        for run in session.known.values():
            since, worked = set[int](), set[int]()
            for test, outcome in session.outcomes(run):
                as_expected = outcome is expected[test]
                if test == self.victim:
                    if not as_expected and known & worked == needed and session.findings.has_needs(test, worked):
                        found |= since
                    break
                if as_expected:
                    worked.add(test)
                    since.add(test)
                if as_expected and test in known:
                    since = set()
        return found

    def _brings_along(self, test: int, others: Iterable[int], avoid: frozenset[int] = frozenset()) -> bool:
        """Whether another of these runs whenever this one does, and so may be the cause."""
        return not set(others).isdisjoint(self.session.findings.closure(test, avoid)[:-1])


def _smaller(polluters: Positions, probe: Probe, is_broken: Holds) -> Search[Positions]:
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
