"""What breaks a victim: minimal sets of polluters, and the cleaners that undo them.

Starts from a sequence after which the victim was broken. One minimal set of polluters is found in it; a polluter that
breaks one victim is tried on the others first. Then come the tests that were recorded to write what the victim reads,
each alone: they may break it too, or clean up. Then long orders for all victims at once try to refute that there are no
others (joint_trials.py); only what they refute is searched by halving.

Assumes that a group with a polluter breaks the victim unless it has a cleaner; known cleaners are therefore left out of
the groups in which polluters are searched, and known polluters out of those in which cleaners are searched. What an
unknown cleaner hides is missed, never invented: every pollution was shown to break, and every cleaner to clean.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from unknot.detect.engine.findings import Pollution, Positions
from unknot.detect.engine.isolation import check_flakiness, record_broken_tests
from unknot.detect.engine.joint_trials import polluters_first, without_polluters
from unknot.detect.engine.parallel import Key, Search, run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import Holds, Probe, minimal_preferring, singles
from unknot.model.bits import bits, positions
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run

_PARTS = 8
"""A long order of all candidates has shown whether there is something to find: they are tried in so many parts."""

_MANY_VICTIMS = 4
"""For each worker."""


def find_polluters(
    session: SearchSession,
    evidence: Mapping[int, Positions],
    *,
    one_by_one: bool,
    likely: Sequence[Positions] = (),
) -> None:
    """Finds every pollution like those that broke these victims after these sequences: see `find_first_polluters` and
    `find_other_polluters`. The sets of `likely` polluters are tried first, each in a short order."""
    victims = find_first_polluters(session, evidence, one_by_one=one_by_one, likely=likely)
    find_other_polluters(session, victims, one_by_one=one_by_one)


def find_first_polluters(
    session: SearchSession,
    evidence: Mapping[int, Positions],
    *,
    one_by_one: bool = False,
    likely: Sequence[Positions] = (),
    on_first: Callable[[], None] = lambda: None,
) -> Collection[int]:
    """Records one new pollution for each of these victims, which were broken after these sequences, and those that can
    be expected after that; returns the victims for which there is one. `on_first` is called in between.

    Guarantee: a pollution is recorded as soon as the search showed it, and only then. A failure that cannot be
    reproduced is checked for flakiness and dropped. Cost: about 2 log2 n orders for each cause; short orders for each
    recorded pair and for each victim of a known polluter.
    """
    findings = session.findings
    session.start_step("finding polluters", len(evidence))
    found = _find_first(session, evidence, likely, one_by_one=one_by_one)
    for victim in evidence:
        if victim not in found:
            # It cannot be reproduced, or only by what is known: the test may be flaky.
            check_flakiness(session, session.request([*evidence[victim], victim]))
            findings.broken[victim] = [before for before in findings.broken[victim] if before != evidence[victim]]
    if found:
        on_first()
    if not one_by_one:
        searches = {victim: _PollutionSearch(session, victim, one_by_one=False, breadth=1) for victim in found}
        _run(session, {victim: search.likely_others() for victim, search in searches.items()})
        _run(session, _cleaner_searches(searches, only_likely=True))
    return found


def find_other_polluters(session: SearchSession, victims: Collection[int], *, one_by_one: bool) -> None:
    """Records all other pollutions of these victims that are like the known ones, and all cleaners. With `one_by_one`,
    every candidate is tried alone instead of in groups: n orders for each victim and each pollution, and nothing can
    hide. Cost without: two long orders, of which the victims share nearly all, and searches for what these show."""
    if not victims:
        return
    session.start_step("finding other polluters and cleaners", len(victims))
    if session.branches and not one_by_one:
        together = [*without_polluters(session, victims), *polluters_first(session, victims)]
        record_broken_tests(session, session.runs(together))
    breadth = session.breadth(len(victims))
    searches = {victim: _PollutionSearch(session, victim, one_by_one, breadth) for victim in sorted(victims)}
    _run(session, {victim: search.others_alone() for victim, search in searches.items()})
    pairs = [(victim, kept) for victim, search in searches.items() for kept in search.members_of_pairs()]
    _run(session, {(victim, kept): searches[victim].other_partners(kept) for victim, kept in pairs})
    _run(session, _cleaner_searches(searches, only_likely=False))


def _cleaner_searches(
    searches: Mapping[int, "_PollutionSearch"], *, only_likely: bool
) -> dict[tuple[int, Positions], Search[list[Pollution]]]:
    return {
        (victim, pollution.polluters): search.with_cleaners(pollution, only_likely=only_likely)
        for victim, search in searches.items()
        for pollution in search.known()
    }


def _run(session: SearchSession, searches: Mapping[Key, Search[list[Pollution]]]) -> None:
    """Adds what the searches find to the findings; a pollution that is known already is replaced."""
    _record(session, [new for found in run_searches(searches, session.run_orders).values() for new in found])


def _record(session: SearchSession, pollutions: Iterable[Pollution]) -> None:
    by_key = {(known.victim, known.polluters): known for known in session.findings.pollutions}
    by_key.update({(new.victim, new.polluters): new for new in pollutions})
    session.findings.pollutions = list(by_key.values())


def _find_first(
    session: SearchSession, evidence: Mapping[int, Positions], expected: Sequence[Positions], *, one_by_one: bool
) -> dict[int, Pollution]:
    """One new pollution for each victim for which the failure can be reproduced, recorded at once. If there are many
    victims, or their searches would share nothing, most wait until others are found: what breaks one often breaks the
    next."""
    found: dict[int, Pollution] = {}
    waiting = sorted(evidence)
    while waiting:
        few = max(1, session.price.workers)
        is_first_of_many = not found and len(waiting) > _MANY_VICTIMS * few
        together = len(waiting) if session.price.shares_prefixes and not is_first_of_many else few
        now, waiting = waiting[:together], waiting[together:]
        breadth = session.breadth(len(now))
        likely = list(dict.fromkeys([*(known.polluters for known in found.values()), *expected]))
        searches = {
            victim: _PollutionSearch(session, victim, one_by_one, breadth).first(evidence[victim], likely)
            for victim in now
        }
        new = {victim: first for victim, first in run_searches(searches, session.run_orders).items() if first}
        known = {(pollution.victim, pollution.polluters) for pollution in session.findings.pollutions}
        new = {victim: first for victim, first in new.items() if (victim, first.polluters) not in known}
        _record(session, new.values())
        found.update(new)
    return found


def sequence_before(
    session: SearchSession, victim: int, group: Iterable[int], avoid: frozenset[int] = frozenset()
) -> Positions:
    """The group and what the victim needs, with all that they need, in an order that runs before the victim."""
    members = [*group, *session.findings.closure(victim)[:-1]]
    return tuple(test for test in session.findings.closure_of(members, avoid | {victim}) if test != victim)


@dataclass(frozen=True)
class _Broken:
    """What had passed before a victim was broken, which of that since the last polluter, and which are polluters."""

    since: AbstractSet[int]
    worked: AbstractSet[int]
    active: AbstractSet[int]


@dataclass(frozen=True)
class _PollutionSearch:
    """`breadth`: see `subsets`."""

    session: SearchSession
    victim: int
    one_by_one: bool
    breadth: int

    def known(self) -> list[Pollution]:
        return [pollution for pollution in self.session.findings.pollutions if pollution.victim == self.victim]

    def _known_polluters(self) -> frozenset[int]:
        return self.session.polluters_of(self.victim)

    def _known_cleaners(self) -> set[int]:
        return {cleaner for pollution in self.known() for cleaner in pollution.cleaners}

    def with_cleaners(self, pollution: Pollution, *, only_likely: bool) -> Search[list[Pollution]]:
        """The pollution with its cleaners: all of them, or only those among the tests that were recorded to write what
        the victim reads, or that clean up after the same polluters for another victim."""
        session = self.session
        likely = session.flows.related(self.victim) | bits(self._cleaners_elsewhere(pollution))
        cleaners = yield from self._cleaners(pollution, likely if only_likely else None)
        complete = self.one_by_one and self._could_try_all()
        return [replace(pollution, cleaners=tuple(sorted({*pollution.cleaners, *cleaners})), complete=complete)]

    def _cleaners_elsewhere(self, pollution: Pollution) -> set[int]:
        return {
            cleaner
            for known in self.session.findings.pollutions
            if known.polluters == pollution.polluters
            for cleaner in known.cleaners
        }

    def likely_others(self) -> Search[list[Pollution]]:
        """Tests that break the victim alone, among those that were recorded to write what it reads, and those that
        break another victim of the same polluter."""
        session = self.session
        mine = self._known_polluters()
        fellows = {known.victim for known in session.findings.pollutions if mine.intersection(known.polluters)}
        likely = session.flows.may_be_broken_by[self.victim] | bits(
            polluter for known in session.findings.pollutions if known.victim in fellows for polluter in known.polluters
        )
        gone = frozenset({self.victim, *mine})
        lost = session.findings.unrunnable_without(gone)
        candidates = [
            test
            for test in positions(likely)
            if test not in gone and test not in lost and session.may_affect(self.victim, test)
        ]
        candidates = [test for test in candidates if not session.pairs.directly_after[self.victim] >> test & 1]
        return (yield from self._with_kept((), candidates, gone, (), one_by_one=True))

    def _could_try_all(self) -> bool:
        """Whether the tests that seem to need the victim, and so could not run before it, certainly do."""
        findings = self.session.findings
        dependents = findings.unrunnable_without({self.victim})
        return all(clause.complete for test in dependents for clause in findings.clauses.get(test, ()))

    def _is_broken(self, run: Run) -> bool:
        return run.last is not Outcome.NOT_RUN and not self.session.is_as_expected(run)

    def first(self, before: Sequence[int], likely: Sequence[Positions]) -> Search[Pollution | None]:
        """One minimal set of polluters in the sequence after which the victim was broken: one of the likely ones, if
        possible. None if the failure cannot be reproduced."""
        session, victim = self.session, self.victim
        base = set(session.findings.closure(victim)[:-1])
        place = {test: number for number, test in enumerate(before)}

        def in_place(group: Iterable[int]) -> Positions:
            members = {*base, *session.findings.closure_of(group, frozenset({victim}))} - {victim}
            return tuple(sorted(members, key=lambda test: place.get(test, -1)))

        def probe(group: Sequence[int]) -> OrderRequest:
            return session.request([*in_place(group), victim])

        branches = session.branches and self.breadth == 1
        pool = [test for test in before if test not in base] if branches else sorted(set(before) - base)
        preferred = [
            *(polluters for polluters in likely if set(polluters) <= set(pool)),
            *session.flows.polluters(victim, pool),
        ]
        polluters = yield from minimal_preferring(
            preferred, pool, probe, self._is_broken, self.breadth, branches=branches
        )
        polluters = yield from _smaller(polluters, probe, self._is_broken)
        if not polluters:
            return None
        plain = sequence_before(session, victim, polluters)
        in_reference_order, as_seen = yield [session.request([*plain, victim]), probe(polluters)]
        if self._is_broken(in_reference_order):
            return Pollution(victim, polluters, plain)
        return Pollution(victim, polluters, in_place(polluters)) if self._is_broken(as_seen) else None

    def _singles(
        self,
        candidates: Sequence[int],
        probe: Probe,
        holds: Holds,
        *,
        one_by_one: bool,
        holds_for_all: bool = False,
    ) -> Search[Positions]:
        return singles(
            candidates,
            probe,
            holds,
            one_by_one=one_by_one,
            likely=self.session.flows.related(self.victim),
            breadth=max(self.breadth, _PARTS) if self.session.branches else self.breadth,
            holds_for_all=holds_for_all,
        )

    def others_alone(self) -> Search[list[Pollution]]:
        """Other tests that break the victim alone."""
        session = self.session
        gone, candidates = self._others()
        # No cleaner can hide between a test and the one directly before it.
        directly_after = session.pairs.directly_after[self.victim]
        cleared = directly_after if self.one_by_one else session.shown_harmless(self.victim, self._hiding())
        uncleared = [test for test in candidates if not cleared >> test & 1]
        return (yield from self._with_kept((), uncleared, gone, (), one_by_one=self.one_by_one))

    def members_of_pairs(self) -> list[int]:
        """The tests that break the victim together with one other."""
        return sorted({one for known in self.known() if len(known.polluters) == 2 for one in known.polluters})

    def other_partners(self, kept: int) -> Search[list[Pollution]]:
        """Other tests that break the victim together with this one, which does not break it alone."""
        gone, candidates = self._others()
        alone = [known.polluters[0] for known in self.known() if len(known.polluters) == 1]
        return (yield from self._with_kept((kept,), candidates, gone, alone, one_by_one=self.one_by_one))

    def _hiding(self) -> Collection[int]:
        return () if self.one_by_one else self._known_cleaners()

    def _others(self) -> tuple[frozenset[int], list[int]]:
        """The victim, its known polluters and what would hide others; and the tests that may break it without those."""
        session = self.session
        gone = frozenset({self.victim, *self._known_polluters(), *self._hiding()})
        lost = session.findings.unrunnable_without(gone)
        candidates = [
            test
            for test in range(len(session.suite))
            if test not in gone and test not in lost and session.may_affect(self.victim, test)
        ]
        return gone, candidates

    def _with_kept(
        self,
        kept: Positions,
        candidates: Sequence[int],
        gone: frozenset[int],
        alone: Iterable[int],
        *,
        one_by_one: bool,
    ) -> Search[list[Pollution]]:
        """The candidates that break the victim after the kept test, if any, and without those that are gone. `alone`
        are tests that break it alone."""
        session = self.session

        def before(group: Sequence[int], avoid: frozenset[int]) -> Positions:
            return sequence_before(session, self.victim, [*kept, *group], avoid - set(kept))

        def probe(group: Sequence[int], avoid: frozenset[int] = gone) -> OrderRequest:
            return session.request([*before(group, avoid), self.victim])

        more = yield from self._singles(candidates, probe, self._is_broken, one_by_one=one_by_one)
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

    def _cleaners(self, pollution: Pollution, likely: int | None) -> Search[Positions]:
        """Among the likely ones, each alone, if such are given; else among all that runs do not rule out."""
        session, victim = self.session, self.victim
        polluters = self._known_polluters()
        out = {victim, *pollution.sequence, *pollution.cleaners, *session.findings.unrunnable_without({victim})}
        out |= self._seen_not_to_clean(pollution)
        if not self.one_by_one:
            out |= {*polluters, *self._broken_by(pollution)}
        all_tests = range(len(session.suite)) if likely is None else positions(likely)
        candidates = [
            test
            for test in all_tests
            if test not in out and session.may_affect(victim, test) and not session.rules_out(victim, test)
        ]
        one_by_one = self.one_by_one or likely is not None

        def probe(group: Sequence[int]) -> OrderRequest:
            between = session.findings.closure_of(group, frozenset({victim}))
            more = (test for test in between if test not in pollution.sequence and test != victim)
            return session.request([*pollution.sequence, *more, victim])

        cleaners = yield from self._singles(
            candidates,
            probe,
            session.is_as_expected,
            one_by_one=one_by_one,
            holds_for_all=self._has_a_cleaner(pollution, candidates),
        )
        known = (*pollution.cleaners, *cleaners)
        return tuple(test for test in cleaners if not self._brings_along(test, known, frozenset({victim})))

    def _has_a_cleaner(self, pollution: Pollution, candidates: Sequence[int]) -> bool:
        """Whether one of the candidates has cleaned up in some run: the victim behaved as expected after the polluters,
        and all other tests before it were seen not to clean up, or have no part in this."""
        needed = bits(pollution.polluters)
        possible = bits([*candidates, *pollution.sequence, *self._seen_not_to_clean(pollution)])
        return any(
            not needed & ~worked and not worked & ~possible for worked in self.session.pairs.worked_after[self.victim]
        )

    def _broken_by(self, pollution: Pollution) -> set[int]:
        """Tests that the same polluters break: they cannot do their part after these."""
        return {
            known.victim
            for known in self.session.findings.pollutions
            if set(known.polluters) <= set(pollution.polluters) and known.victim != self.victim
        }

    def _seen_not_to_clean(self, pollution: Pollution) -> set[int]:
        """Tests that passed after the last polluter in some run in which the victim was broken all the same. One of
        them may have cleaned up and another have broken the victim again, together with the polluter: with
        `one_by_one`, no other polluter may have run, and no single test may have been there each time. None in a tiny
        suite."""
        session = self.session
        if not self.one_by_one:
            return {test for run in self._broken_after(pollution) for test in run.since}
        if session.is_tiny:
            return set()
        there: dict[int, int] = {}
        for run in self._broken_after(pollution):
            if run.active == set(pollution.polluters):
                for test in run.since:
                    there[test] = there.get(test, -1) & bits(run.worked)
        harmless = bits({*pollution.sequence, *session.findings.closure(self.victim)})
        closure = session.findings.closure
        return {test for test, common in there.items() if not common & ~harmless & ~bits(closure(test))}

    def _broken_after(self, pollution: Pollution) -> Iterator[_Broken]:
        """The runs in which the victim was broken after these polluters, with all that it needs."""
        session = self.session
        expected = session.findings.expected
        known, needed = self._known_polluters(), set(pollution.polluters)
        for run in session.failures(self.victim):
            since, worked = set[int](), set[int]()
            for test, outcome in session.outcomes(run):
                if test == self.victim:
                    active = known & worked
                    if active >= needed and session.findings.has_needs(test, worked):
                        yield _Broken(since, worked, active)
                    break
                if outcome is expected[test]:
                    worked.add(test)
                    since.clear() if test in known else since.add(test)

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
