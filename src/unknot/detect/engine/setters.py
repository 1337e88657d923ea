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

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType

from unknot.detect.engine.findings import Clause, reduce_clauses
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import first_sufficient, minimal_preferring, minimal_transversals, parts, singles
from unknot.detect.flaky.sequential_test import decide_flakiness_periodically
from unknot.model.bits import bits
from unknot.model.run import OrderRequest

_MAX_SETUPS = 64
_MAX_CLAUSES = 64
_MAX_ROUNDS = 4
_MAX_SUPPORTS = 3
"""How many setups are tried that differ only in how their members are served themselves."""

Setup = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class Needs:
    """What is known about one test. A setup is its setters, and the set that was really run: setters with their own
    needs."""

    clauses: tuple[Clause, ...] = ()
    setups: tuple[Setup, ...] = ()


def needs_of(
    session: SearchSession, test: int, usable: Sequence[int], known: Needs, breadth: int = 1
) -> Search[Needs | None]:
    """The needs over `usable`, tests whose own needs are known; None if those are not sufficient.

    Setups found before, over fewer tests, are taken as known. Tests after this one in reference order serve as
    alternatives only if they are candidates of the session. `breadth`: see `subsets`.
    """
    enough = yield from _enough(session, test, usable, known, breadth)
    if enough is None:
        return None
    search = _Needs(session, test, usable, known, breadth)
    if not search.setups:
        setters = yield from search.find_setup(enough, frozenset())
        yield from search.add(setters, frozenset())
    else:
        yield from search.add_replacements()
    found = yield from search.complete()
    return found if found is not None else (yield from needs_of(session, test, usable, Needs(), breadth))


@dataclass(frozen=True)
class NeedSearch:
    """Searches and records the needs of many tests, side by side. `step` describes it to the user. With `from_scratch`,
    tests that were recorded to need none of the others come first, and every test that is not searched can serve;
    without, the needs of the others are known, and only those that need none of the searched tests can serve. With
    `may_be_complete` false, no clause is called complete."""

    session: SearchSession
    step: str
    from_scratch: bool
    may_be_complete: bool = True

    def find(self, tests: Collection[int], setups: Mapping[int, Needs] = MappingProxyType({})) -> None:
        """Level by level: a test is searched as soon as the tests it may need are known themselves. Then again with all
        of them, until nothing changes: a brittle test may serve another one. A test that cannot be served becomes
        unresolved. `setups` are those that are already known and still valid."""
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
            found = self.search(ready, usable, known)
            if not found and ready != waiting:
                found = self.search(waiting, usable, known)
            if not found:
                # The other tests alone can serve none of these: allow all tests, with whatever they need.
                found = self.search(waiting, all_tests, known)
                unserved = waiting - found.keys()
                findings.mark_unresolved(unserved)
                known = {test: needs for test, needs in known.items() if test not in unserved}
                waiting = set(found)
            known.update(found)
            waiting -= found.keys()
        for _ in range(_MAX_ROUNDS if self.from_scratch or len(tests) > 1 else 0):
            before = dict(findings.clauses)
            known.update(self.search(known, all_tests, known))
            if before == findings.clauses:
                break
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
        self, tests: Collection[int], usable: Sequence[int], known: Mapping[int, Needs] = MappingProxyType({})
    ) -> dict[int, Needs]:
        """Records what was found once, over the usable tests. Tests that these cannot serve are missing in the
        result."""
        self.session.start_step(self.step, len(tests))
        found = _needs_of_all(self.session, tests, usable, known)
        for test, needs in found.items():
            clauses = (replace(clause, complete=clause.complete and self.may_be_complete) for clause in needs.clauses)
            self.session.findings.learn(test, tuple(clauses))
        return found


def _needs_of_all(
    session: SearchSession, tests: Collection[int], usable: Sequence[int], known: Mapping[int, Needs]
) -> dict[int, Needs]:
    """Each without its known polluters."""
    searches = {}
    breadth = session.breadth(len(tests))
    for test in sorted(tests):
        polluters = session.polluters_of(test)
        out = {test} | polluters | session.findings.unrunnable_without(polluters)
        eligible = [other for other in usable if other not in out]
        searches[test] = needs_of(session, test, eligible, known.get(test, Needs()), breadth)
    return {test: needs for test, needs in run_searches(searches, session.run_orders).items() if needs is not None}


def _enough(
    session: SearchSession, test: int, usable: Sequence[int], known: Needs, breadth: int
) -> Search[Sequence[int] | None]:
    """Tests after which this one behaves as expected: as few as are cheap to find, at most all earlier ones."""
    earlier = [other for other in usable if other < test]

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.after(group, test)

    if not known.setups:
        near = yield from first_sufficient(
            session.flows.setters(test, earlier), probe, session.is_as_expected, at_once=False
        )
        if near is None and breadth > 1:
            # One long order would be the first of many that wait for each other.
            near = yield from first_sufficient(parts(earlier, breadth), probe, session.is_as_expected, at_once=True)
        if near is not None:
            return near
    if len(earlier) == test:
        # The beginning of the reference order, in which it behaves as expected by definition.
        return earlier
    return (yield from first_sufficient([earlier], probe, session.is_as_expected, at_once=False))


class _Needs:
    def __init__(self, session: SearchSession, test: int, usable: Sequence[int], known: Needs, breadth: int) -> None:
        self._session = session
        self._test = test
        self._breadth = breadth
        dependents = session.findings.unrunnable_without({test})
        self._usable = [o for o in usable if session.may_affect(test, o) and o not in dependents]
        self._supports: dict[frozenset[int], int] = {}
        self._flaky = set(session.findings.flaky)
        self.setups = known.setups

    def find_setup(self, pool: Sequence[int], avoid: frozenset[int]) -> Search[tuple[int, ...]]:
        """Assumes that the pool, served without those to avoid, is sufficient."""
        session, test = self._session, self._test
        setters = yield from minimal_preferring(
            session.flows.setters(test, pool),
            pool,
            lambda group: session.after(group, test, avoid),
            session.is_as_expected,
            self._breadth,
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
        run = frozenset(self._session.findings.closure_of(setters, avoid)) - {self._test}
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
        found = yield from singles(
            candidates,
            lambda group: self._session.after([*kept, *group], test, gone),
            self._session.is_as_expected,
            likely=self._session.flows.related(test),
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
        session = self._session
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
            # The one with the latest members: their own needs follow from them and need not be tried.
            open_ones.sort(key=lambda members: sorted(members, reverse=True), reverse=True)
            if self._breadth > 1:
                yield [request for one in open_ones[: self._breadth] for request, _ in self._without(one)]
            candidate = open_ones[0]
            tried = self._without(candidate)
            runs = yield [request for request, _ in tried]
            enough = [pool for (_, pool), run in zip(tried, runs, strict=True) if session.is_as_expected(run)]
            if not enough:
                clauses.add(candidate)
                continue
            setters = yield from self.find_setup(enough[0], candidate)
            if self._is_only_another_support(setters):
                settled.add(candidate)
            else:
                yield from self.add(setters, candidate)
        return self._needs(clauses, complete=False)

    def _without(self, candidate: frozenset[int]) -> list[tuple[OrderRequest, list[int]]]:
        """The test after each pool without these tests and those that cannot run without them; and what that leaves."""
        lost = self._session.findings.unrunnable_without(candidate)
        pools = [[o for o in pool if o not in candidate and o not in lost] for pool in self._pools()]
        return [(self._session.after(pool, self._test, candidate), pool) for pool in pools]

    def _runs(self) -> list[frozenset[int]]:
        return sorted((run for _, run in self.setups), key=lambda run: (len(run), sorted(run)))

    def _pools(self) -> list[list[int]]:
        """Earlier tests, which the reference order shows to be harmless, with all members of setups; and all tests,
        among which a polluter may hide a setup."""
        members = {member for _, run in self.setups for member in run}
        return [sorted({other for other in self._usable if other < self._test} | members), self._usable]

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

    def _needs(self, clauses: Iterable[frozenset[int]], *, complete: bool) -> Needs:
        ranked = sorted(tuple(sorted(members)) for members in clauses)
        return Needs(tuple(Clause(members, complete) for members in ranked), self.setups)


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
        needs = run_searches({test: needs_of(session, test, usable, Needs())}, session.run_orders)[test]
        findings.learn(test, needs.clauses if needs else known)
    if waiting:
        reduce_clauses(findings)
