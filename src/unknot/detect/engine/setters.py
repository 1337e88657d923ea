"""What a brittle test needs, exactly: all clauses, each with all its alternatives.

Whether the test behaves as expected is a monotone function of the tests that passed before it. Two kinds of sets
describe such a function: *setups*, minimal sets after which it behaves as expected, and *clauses*, sets of which it
needs a member. Each kind consists of the minimal sets that intersect all of the other. So:

1. one setup is found by halving (QuickXplain), then, by group testing, every test that can take a member's place;
2. every minimal set that intersects all known setups is a clause, unless another setup avoids it: run all tests without
   its members, and without tests that cannot run without them. If the test fails, it is a clause; if not, there is a
   new setup among the tests that ran, and step 2 begins again.

When every such set is a clause, setups and clauses are complete (Gunopulos et al., "Discovering all most specific
sentences", TODS 2003, call it dualize and advance). Tests that are brittle themselves take part with what they need;
that such a test can be served in several ways is tried up to a limit.

Assumes that adding tests never takes away what the dependent needs. If a polluter does, a clause may be wrong; the
proof then fails and nothing is claimed. Cost: about 2k log2(n/k) orders for each setup of k tests, and two for each
clause. With idle workers, more and shorter orders are run at once, and fewer wait for each other (`breadth`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType

from unknot.detect.engine.findings import Clause, reduce_clauses
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.shared_prefixes import Levels, shared_prefixes
from unknot.detect.engine.subsets import first_sufficient, minimal_preferring, minimal_transversals, parts, singles
from unknot.detect.flaky.sequential_test import decide_flakiness_periodically
from unknot.model.bits import bits
from unknot.model.run import OrderRequest

_MAX_SETUPS = 64
_MAX_CLAUSES = 64
_MAX_ROUNDS = 4
"""Without a new setup."""
_MAX_SUPPORTS = 3
"""How many setups are tried that differ only in how their members are served themselves."""

_MAX_LIKELY = 8
"""So many recorded alternatives are tried one by one, more of them in groups."""

Setup = tuple[frozenset[int], frozenset[int]]


class SearchExtent(Enum):
    """How far to search: one setup; all needs and alternatives; or these, with every test tried by itself."""

    FIRST = auto()
    WHOLE = auto()
    EACH = auto()


@dataclass(frozen=True)
class Needs:
    """What is known about one test. A setup is its setters, and the set that was really run: setters with their own
    needs."""

    clauses: tuple[Clause, ...] = ()
    setups: tuple[Setup, ...] = ()


@dataclass(frozen=True)
class Scope:
    """Where and how far to search the needs of one test: over `usable`, tests whose own needs are known. `breadth`: see
    `subsets`. `levels`: how its long orders begin, as do those of other tests; see `shared_prefixes`."""

    usable: Sequence[int]
    extent: SearchExtent = SearchExtent.WHOLE
    breadth: int = 1
    levels: Levels = b""


def needs_of(session: SearchSession, test: int, scope: Scope, known: Needs) -> Search[Needs | None]:
    """The needs of the test; None if the usable tests are not sufficient.

    Setups found before, over fewer tests, are taken as known. Tests after this one in reference order serve as
    alternatives only if they are candidates of the session.
    """
    search = _Needs(session, test, scope, known)
    if not search.setups:
        enough = yield from _enough(session, test, scope)
        if enough is None:
            return None
        setters = yield from search.find_setup(enough, frozenset())
        yield from search.add(setters, frozenset())
    elif scope.extent is SearchExtent.EACH:
        yield from search.add_replacements()
    if scope.extent is SearchExtent.FIRST:
        return search.conjecture()
    found = yield from search.complete()
    return found if found is not None else (yield from needs_of(session, test, scope, Needs()))


@dataclass(frozen=True)
class NeedSearch:
    """Searches and records the needs of many tests, side by side. `step` describes it to the user. With `from_scratch`,
    tests that were recorded to need none of the others come first, and every test that is not searched can serve;
    without, the needs of the others are known, and only those that need none of the searched tests can serve. With
    `may_be_complete` false, no clause is called complete. With `one_by_one`, every test is tried as an alternative by
    itself."""

    session: SearchSession
    step: str
    from_scratch: bool
    may_be_complete: bool = True
    one_by_one: bool = False
    on_first: Callable[[], None] = lambda: None
    """Called when one setup is known for each test, and the search for all of them begins."""

    def find(self, tests: Collection[int], setups: Mapping[int, Needs] = MappingProxyType({})) -> None:
        """First one setup for each test, level by level: a test is searched as soon as the tests it may need are known
        themselves. Then all needs and alternatives of all of them, until nothing changes: a brittle test may serve
        another one. A test that cannot be served becomes unresolved. `setups` are those that are already known and
        still valid."""
        findings = self.session.findings
        waiting = set(tests)
        if not waiting:
            return
        known = dict(setups)
        for test in waiting:
            findings.learn(test, ())
        all_tests = range(len(self.session.suite))
        while waiting:
            usable = [test for test in all_tests if not self._waits(test, waiting)]
            ready = self._ready(waiting)
            found = self.search(ready, usable, known, SearchExtent.FIRST)
            if not found and ready != waiting:
                found = self.search(waiting, usable, known, SearchExtent.FIRST)
            if not found:
                # The other tests alone can serve none of these: allow all tests, with whatever they need.
                found = self.search(waiting, all_tests, known, SearchExtent.FIRST)
                unserved = waiting - found.keys()
                findings.mark_unresolved(unserved)
                known = {test: needs for test, needs in known.items() if test not in unserved}
                waiting = set(found)
            known.update(found)
            waiting -= found.keys()
        self.on_first()
        rounds = 0
        while rounds < _MAX_ROUNDS:
            clauses, setups = dict(findings.clauses), dict(known)
            known.update(self.search(known, all_tests, known))
            if clauses == findings.clauses:
                break
            rounds += all(needs.setups == setups[test].setups for test, needs in known.items())
        reduce_clauses(findings)

    def _waits(self, test: int, waiting: AbstractSet[int]) -> bool:
        return test in waiting if self.from_scratch else not waiting.isdisjoint(self.session.findings.closure(test))

    def _ready(self, waiting: AbstractSet[int]) -> AbstractSet[int]:
        """Tests that, as far as was recorded, read no state of tests that are waiting too: they come first."""
        if not self.from_scratch:
            return waiting
        others = bits(waiting)
        return {test for test in waiting if not self.session.flows.may_need[test] & others}

    def search(
        self,
        tests: Collection[int],
        usable: Sequence[int],
        known: Mapping[int, Needs] = MappingProxyType({}),
        extent: SearchExtent = SearchExtent.WHOLE,
    ) -> dict[int, Needs]:
        """Records what was found once, over the usable tests. Tests that these cannot serve are missing in the
        result."""
        session = self.session
        session.start_step(self.step, len(tests))
        if extent is SearchExtent.WHOLE and self.one_by_one:
            extent = SearchExtent.EACH
        found = self._needs_of_all(tests, usable, known, extent)
        for test, needs in found.items():
            clauses = (replace(clause, complete=clause.complete and self.may_be_complete) for clause in needs.clauses)
            session.findings.learn(test, tuple(clauses))
        return found

    def _needs_of_all(
        self, tests: Collection[int], usable: Sequence[int], known: Mapping[int, Needs], extent: SearchExtent
    ) -> dict[int, Needs]:
        """Each without its known polluters."""
        session = self.session
        searches = {}
        breadth = session.breadth(len(tests))
        levels: Mapping[int, Levels] = {}
        if session.branches and extent is SearchExtent.WHOLE:
            apart = {test: _members(known.get(test, Needs())) for test in tests}
            levels = shared_prefixes(session.findings, apart, len(session.suite))
        for test in sorted(tests):
            polluters = session.polluters_of(test)
            out = {test} | polluters | session.findings.unrunnable_without(polluters)
            eligible = [other for other in usable if other not in out]
            scope = Scope(eligible, extent, breadth, levels.get(test, b""))
            searches[test] = needs_of(session, test, scope, known.get(test, Needs()))
        return {test: needs for test, needs in run_searches(searches, session.run_orders).items() if needs is not None}


def _members(needs: Needs) -> int:
    """All tests, as a bitset, that are part of a setup."""
    return bits({member for _, run in needs.setups for member in run})


def _enough(session: SearchSession, test: int, scope: Scope) -> Search[Sequence[int] | None]:
    """Tests after which this one behaves as expected: as few as are cheap to find, at most all earlier ones."""
    earlier = [other for other in scope.usable if other < test]

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.after(group, test)

    near = yield from first_sufficient(
        session.flows.setters(test, earlier), probe, session.is_as_expected, at_once=False
    )
    if near is None and scope.breadth > 1:
        # One long order would be the first of many that wait for each other.
        near = yield from first_sufficient(parts(earlier, scope.breadth), probe, session.is_as_expected, at_once=True)
    if near is not None:
        return near
    unusable = ((1 << test) - 1) & ~bits(earlier)
    if session.flows.related(test) & unusable:
        # One of those is more likely to be what is missing. The search is repeated when they are known.
        return None
    if not unusable:
        # The beginning of the reference order, in which it behaves as expected by definition.
        return earlier
    return (yield from first_sufficient([earlier], probe, session.is_as_expected, at_once=False))


class _Needs:
    def __init__(self, session: SearchSession, test: int, scope: Scope, known: Needs) -> None:
        self._session = session
        self._test = test
        self._extent = scope.extent
        self._breadth = scope.breadth
        self._levels = scope.levels
        dependents = session.findings.unrunnable_without({test})
        self._usable = [o for o in scope.usable if session.may_affect(test, o) and o not in dependents]
        self._supports: dict[frozenset[int], int] = {}
        self._flaky = set(session.findings.flaky)
        self.setups = known.setups

    def find_setup(self, pool: Sequence[int], avoid: frozenset[int]) -> Search[tuple[int, ...]]:
        """Assumes that the pool, served without those to avoid, is sufficient."""
        session, test = self._session, self._test
        setters = yield from minimal_preferring(
            session.flows.setters(test, pool),
            pool,
            lambda group: session.request([*self._long_company(group, avoid), test]),
            session.is_as_expected,
            self._breadth,
            branches=session.branches and self._breadth == 1,
        )
        findings = self._session.findings
        return tuple(
            setter for setter in setters if not findings.depends_on_any(setter, [o for o in setters if o != setter])
        )

    def add(self, setters: Sequence[int], avoid: frozenset[int]) -> Search[None]:
        """Records the setup, and those that differ from it in one setter."""
        self._note(setters, avoid)
        for setter in setters:
            yield from self._replace(setter, setters)

    def add_replacements(self) -> Search[None]:
        """Searches the known setups again for replacements: more tests are usable than before."""
        for setters, _ in self.setups:
            for setter in sorted(setters):
                yield from self._replace(setter, sorted(setters))

    def _note(self, setters: Sequence[int], avoid: frozenset[int]) -> None:
        run = frozenset(self._session.company(setters, self._test, avoid))
        if (frozenset(setters), run) not in self.setups:
            self.setups = (*self.setups, (frozenset(setters), run))

    def _replace(self, setter: int, setters: Sequence[int]) -> Search[None]:
        if self._has_new_flaky_tests():
            return
        findings, test = self._session.findings, self._test
        kept = [other for other in setters if other != setter]
        gone = frozenset({setter}) | {
            other for setup, _ in self.setups if setup >= set(kept) for other in setup - set(kept)
        }
        out = {*gone, *kept, test} | findings.unrunnable_without(gone)
        candidates = [other for other in self._usable if other not in out]
        session = self._session
        likely = [other for other in candidates if session.flows.related(test) >> other & 1]

        def probe(group: Sequence[int]) -> OrderRequest:
            return session.after([*kept, *group], test, gone)

        is_short = len(likely) <= _MAX_LIKELY
        if self._extent is SearchExtent.FIRST:
            candidates = likely if is_short else []
        elif self._extent is SearchExtent.WHOLE:
            # Others show in the next attempt to do without those that are known.
            candidates = likely or candidates
        found = yield from singles(
            candidates,
            probe,
            session.is_as_expected,
            one_by_one=self._extent is SearchExtent.EACH or (is_short and candidates == likely),
            breadth=self._breadth,
        )
        # A brittle one may only bring along a test that serves it: try it again without the others.
        doubtful = [other for other in found if other in findings.clauses]
        avoids = {other: gone | (set(found) - {other}) for other in doubtful}
        again = yield [self._session.after([*kept, other], test, avoids[other]) for other in doubtful]
        for other, run in zip(doubtful, again, strict=True):
            if self._session.is_as_expected(run) and other not in findings.unrunnable_without(avoids[other]):
                self._note([*kept, other], avoids[other])
        for other in found:
            if other not in doubtful:
                self._note([*kept, other], gone)

    def _has_new_flaky_tests(self) -> bool:
        """Whether a test turned out to be flaky since the search began. A search that does not end may be misled by a
        flaky test: the longer it takes, the more orders have a common prefix, and show inconsistent outcomes."""
        decide_flakiness_periodically(self._session)
        return self._session.findings.flaky != self._flaky

    def complete(self) -> Search[Needs | None]:
        """Tries every minimal set that intersects all setups, until all are clauses or the limits are reached; None if
        what was found so far is not reliable."""
        clauses: set[frozenset[int]] = set()
        settled: set[frozenset[int]] = set()
        while len(self.setups) <= _MAX_SETUPS:
            if self._has_new_flaky_tests():
                return None
            candidates = minimal_transversals(self._runs(), _MAX_CLAUSES)
            if candidates is None:
                break
            open_ones = [c for c in candidates if c not in settled and not self._follows(c, clauses)]
            if not open_ones:
                return self._needs(clauses.intersection(candidates), complete=True)
            open_ones.sort(key=_latest_members, reverse=True)
            # Orders that share a prefix, or that idle workers can run, are worth running before they are needed.
            ahead = len(open_ones) if self._levels else self._breadth if self._breadth > 1 else 0
            yield [request for one in open_ones[:ahead] for request in self._requests_without(one)]
            candidate = open_ones[0]
            enough = yield from self._enough_without(candidate)
            if enough is None:
                clauses.add(candidate)
                continue
            setters = yield from self.find_setup(enough, candidate)
            if not (yield from self._is_sufficient(setters, enough, candidate)):
                settled.add(candidate)
                continue
            if self._is_only_another_support(setters):
                settled.add(candidate)
                continue
            yield from self.add(setters, candidate)
            if self._levels:
                # The orders that go on from here share more with those of other tests if all begin again.
                return self.conjecture()
        return self._needs(clauses, complete=False)

    def _enough_without(self, candidate: frozenset[int]) -> Search[Sequence[int] | None]:
        """Tests without these, and without those that cannot run without them, after which the test behaves as
        expected; None if there are none, and one of these is needed."""
        session, test = self._session, self._test
        seen = session.worked_without(test, candidate)
        if seen is not None and all(session.may_affect(test, other) for other in seen):
            company = self._long_company(seen, candidate)
            (run,) = yield [session.request([*company, test])]
            if session.is_as_expected(run):
                return seen
        for pool in self._pools_without(candidate):
            company = self._long_company(pool, candidate)
            if not session.fails_after(test, company):
                (run,) = yield [session.request([*company, test])]
                if session.is_as_expected(run):
                    return pool
        return None

    def _is_sufficient(self, setters: Sequence[int], enough: Sequence[int], avoid: frozenset[int]) -> Search[bool]:
        """If the test fails after the setters, the search was misled: the test may be flaky, and is run once more after
        the tests that seemed to be enough."""
        session, test = self._session, self._test
        (run,) = yield [session.after(setters, test, avoid)]
        if not session.is_as_expected(run):
            (run,) = yield [session.after(enough, test, avoid)]
        return session.is_as_expected(run)

    def _requests_without(self, candidate: frozenset[int]) -> Iterator[OrderRequest]:
        """The test after its pools without these. If the pools share a prefix, only after the first, and after the same
        tests and these: if it behaves as expected there, none of the tests in the pool breaks it."""
        session, test = self._session, self._test
        pools = self._pools_without(candidate)
        for pool in pools[:1] if self._levels else pools:
            company = self._long_company(pool, candidate)
            if not session.fails_after(test, company):
                yield session.request([*company, test])
                if self._levels:
                    rest = [member for member in session.company([*pool, *candidate], test) if member not in company]
                    yield session.request([*company, *rest, test])

    def _long_company(self, pool: Sequence[int], avoid: frozenset[int]) -> list[int]:
        members = self._session.company(pool, self._test, avoid)
        return sorted(members, key=self._levels.__getitem__) if self._levels else members

    def _pools_without(self, candidate: frozenset[int]) -> list[list[int]]:
        lost = self._session.findings.unrunnable_without(candidate)
        return [[o for o in pool if o not in candidate and o not in lost] for pool in self._pools()]

    def _runs(self) -> list[frozenset[int]]:
        return sorted((run for _, run in self.setups), key=lambda run: (len(run), sorted(run)))

    def _pools(self) -> list[list[int]]:
        """Earlier tests, which the reference order shows to be harmless, with all members of setups; and all tests,
        among which a polluter may hide a setup. All tests first, if that makes the others superfluous."""
        members = {member for _, run in self.setups for member in run}
        earlier = sorted({other for other in self._usable if other < self._test} | members)
        return [self._usable, earlier] if self._levels else [earlier, self._usable]

    def _follows(self, candidate: frozenset[int], clauses: set[frozenset[int]]) -> bool:
        """Whether a known clause cannot be met without the candidate being met."""
        lost = self._session.findings.unrunnable_without(candidate)
        return any(all(member in candidate or member in lost for member in clause) for clause in clauses)

    def _is_only_another_support(self, setters: Sequence[int]) -> bool:
        """Whether this setup was found before, with other needs of its setters, and often enough."""
        key = frozenset(setters)
        if all(key != known for known, _ in self.setups):
            return False
        self._supports[key] = self._supports.get(key, 1) + 1
        return self._supports[key] > _MAX_SUPPORTS

    def conjecture(self) -> Needs:
        """What the setups found so far imply if there are no others."""
        clauses: set[frozenset[int]] = set()
        candidates = minimal_transversals(self._runs(), _MAX_CLAUSES) or []
        for candidate in sorted(candidates, key=_latest_members, reverse=True):
            if not self._follows(candidate, clauses):
                clauses.add(candidate)
        return self._needs(clauses, complete=False)

    def _needs(self, clauses: Iterable[frozenset[int]], *, complete: bool) -> Needs:
        ranked = sorted(tuple(sorted(members)) for members in clauses)
        return Needs(tuple(Clause(members, complete) for members in ranked), self.setups)


def _latest_members(candidate: frozenset[int]) -> list[int]:
    """The candidate with the latest members comes first: their own needs follow from them and need not be tried."""
    return sorted(candidate, reverse=True)


def transfer_needs_of_flaky_tests(session: SearchSession) -> None:
    """Removes the needs of flaky tests, and finds which of these their dependents need.

    Nothing is claimed about a flaky test, so nothing may follow from its needs: a test that depends on it must list
    them as its own. Cost: nothing if no test is flaky. One order for each test that needs a flaky one, and the search
    for each of them that lacks something."""
    findings = session.findings
    for flaky in findings.flaky & findings.clauses.keys():
        findings.learn(flaky, ())
    findings.mark_resolved(findings.flaky)
    dependents = sorted(
        test
        for test, clauses in findings.clauses.items()
        if test not in findings.unresolved and any(findings.flaky.intersection(clause.any_of) for clause in clauses)
    )
    waiting = sorted(session.failing_closures(dependents)) if dependents else []
    for place, test in enumerate(waiting):
        session.start_step("finding the needs of tests that depend on a flaky one", len(waiting) - place)
        polluters = session.polluters_of(test)
        out = {*waiting[place:], *polluters, *findings.unrunnable_without(polluters)}
        usable = [other for other in range(len(session.suite)) if other not in out]
        known = findings.clauses[test]
        findings.learn(test, ())
        needs = run_searches({test: needs_of(session, test, Scope(usable), Needs())}, session.run_orders)[test]
        findings.learn(test, needs.clauses if needs else known)
    if waiting:
        reduce_clauses(findings)
