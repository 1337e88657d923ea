"""What a brittle test needs, exactly: all clauses, each with all its alternatives.

Whether the test does as wanted is a monotone function of the tests that did their work before it. Two kinds of sets
describe such a function: *ways*, sets after which it does as wanted and no smaller one would do, and *clauses*, sets of
which it needs a member. Each kind consists of the minimal sets that meet all of the other. So:

1. one way is found by halving (QuickXplain), then, by group testing, every test that can take a member's place;
2. every minimal set that meets all ways known is a clause, unless another way avoids it: run everyone without its
   members, and without whoever cannot run without them. If the test fails, it is a clause; if not, there is a new way
   among those who ran, and step 2 begins again.

When every such set is a clause, ways and clauses are complete (Gunopulos et al., "Discovering all most specific
sentences", TODS 2003, call it dualize and advance). Tests that are brittle themselves take part with what they need;
that a test has several ways to be served itself is tried up to a bound.

Assumes that adding tests never takes away what the dependent needs. Where a polluter does, a clause may be wrong; the
proof then fails and nothing is claimed. Cost: about 2k log2(n/k) orders for each way of k tests, and two for each
clause. With workers to spare, more and shorter orders are asked at once, and fewer wait for each other (`breadth`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from unknot.detect.engine.findings import Clause
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import first_enough, minimal_near, parts, singles
from unknot.detect.engine.transversals import minimal_transversals
from unknot.detect.flaky.sequential_test import settle_now_and_then
from unknot.model.run import OrderRequest

_MOST_WAYS = 64
_MOST_CLAUSES = 64
_MOST_SUPPORTS = 3
"""How many ways are looked at that differ only in how their members are served themselves."""

Way = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class Needs:
    """What is known of one test. A way is its *heads*, and the set that was really run: heads with their supports."""

    clauses: tuple[Clause, ...] = ()
    ways: tuple[Way, ...] = ()


def needs_of(
    session: SearchSession, test: int, usable: Sequence[int], known: Needs, breadth: int = 1
) -> Search[Needs | None]:
    """The needs over `usable`, tests whose own needs are known; None if those are not enough.

    Ways found before, over fewer tests, are taken as known. Tests that stand after this one in reference order serve
    as alternatives only if the session suspects them. `breadth`: see `subsets`.
    """
    enough = yield from _enough(session, test, usable, known, breadth)
    if enough is None:
        return None
    search = _Needs(session, test, usable, known, breadth)
    if not search.ways:
        heads = yield from search.way_among(enough, frozenset())
        yield from search.add(heads, frozenset())
    else:
        yield from search.add_replacements()
    found = yield from search.complete()
    return found if found is not None else (yield from needs_of(session, test, usable, Needs(), breadth))


def needs_of_all(
    session: SearchSession, tests: Collection[int], usable: Sequence[int], known: Mapping[int, Needs]
) -> dict[int, Needs]:
    """The needs of these, searched side by side, each without those that are known to break it; without those that are
    not served by the usable ones. Learns nothing: that is the caller's."""
    searches = {}
    breadth = session.breadth(len(tests))
    for test in sorted(tests):
        polluters = session.polluters_of(test)
        out = {test} | polluters | session.findings.stranded(polluters)
        welcome = [other for other in usable if other not in out]
        searches[test] = needs_of(session, test, welcome, known.get(test, Needs()), breadth)
    return {test: needs for test, needs in side_by_side(searches, session.run_orders).items() if needs is not None}


def _enough(
    session: SearchSession, test: int, usable: Sequence[int], known: Needs, breadth: int
) -> Search[Sequence[int] | None]:
    """Those after which the test does as wanted: as few as can be had for little, at most all earlier ones."""
    earlier = [other for other in usable if other < test]

    def probe(group: Sequence[int]) -> OrderRequest:
        return session.after(group, test)

    if not known.ways:
        near = yield from first_enough(session.clues.setters(test, earlier), probe, session.is_as_wanted, at_once=False)
        if near is None and breadth > 1:
            # One long order would be the first of many that wait for each other.
            near = yield from first_enough(parts(earlier, breadth), probe, session.is_as_wanted, at_once=True)
        if near is not None:
            return near
    if len(earlier) == test:
        # The beginning of the reference order, in which it does as wanted by definition.
        return earlier
    return (yield from first_enough([earlier], probe, session.is_as_wanted, at_once=False))


class _Needs:
    def __init__(self, session: SearchSession, test: int, usable: Sequence[int], known: Needs, breadth: int) -> None:
        self._session = session
        self._test = test
        self._breadth = breadth
        clingers = session.findings.stranded({test})
        self._usable = [o for o in usable if session.suspects(test, o) and o not in clingers]
        self._supports: dict[frozenset[int], int] = {}
        self._flaky = set(session.findings.flaky)
        self.ways = known.ways

    def way_among(self, pool: Sequence[int], avoid: frozenset[int]) -> Search[tuple[int, ...]]:
        """Assumes that the pool, served without those to avoid, is enough."""
        session, test = self._session, self._test
        heads = yield from minimal_near(
            session.clues.setters(test, pool),
            pool,
            lambda group: session.after(group, test, avoid),
            session.is_as_wanted,
            self._breadth,
        )
        findings = self._session.findings
        return tuple(head for head in heads if not findings.rests_on(head, [o for o in heads if o != head]))

    def add(self, heads: Sequence[int], avoid: frozenset[int]) -> Search[None]:
        """Notes the way, and those that differ from it in one head."""
        self._note(heads, avoid)
        for head in heads:
            yield from self._replace(head, heads)

    def add_replacements(self) -> Search[None]:
        """Looks again for replacements in the ways that are known: more tests are usable than before."""
        for heads, _ in self.ways:
            for head in sorted(heads):
                yield from self._replace(head, sorted(heads))

    def _note(self, heads: Sequence[int], avoid: frozenset[int]) -> None:
        run = frozenset(self._session.findings.closed(heads, avoid)) - {self._test}
        if (frozenset(heads), run) not in self.ways:
            self.ways = (*self.ways, (frozenset(heads), run))

    def _replace(self, head: int, heads: Sequence[int]) -> Search[None]:
        if self._is_misled():
            return
        findings, test = self._session.findings, self._test
        kept = [other for other in heads if other != head]
        gone = frozenset({head}) | {other for way, _ in self.ways if way >= set(kept) for other in way - set(kept)}
        out = {*gone, *kept, test} | findings.stranded(gone)
        candidates = [other for other in self._usable if other not in out]
        found = yield from singles(
            candidates,
            lambda group: self._session.after([*kept, *group], test, gone),
            self._session.is_as_wanted,
            likely=self._session.clues.stand_ins(test),
            breadth=self._breadth,
        )
        # A brittle one may owe its success to another that came along to serve it: once more, without the others.
        doubtful = [other for other in found if other in findings.clauses]
        avoids = {other: gone | (set(found) - {other}) for other in doubtful}
        again = yield [self._session.after([*kept, other], test, avoids[other]) for other in doubtful]
        for other, run in zip(doubtful, again, strict=True):
            if self._session.is_as_wanted(run) and other not in findings.stranded(avoids[other]):
                self._note([*kept, other], avoids[other])
        for other in found:
            if other not in doubtful:
                self._note([*kept, other], gone)

    def _is_misled(self) -> bool:
        """Whether somebody turned out to be flaky since the search began. A search that goes on and on may be led by
        chance: the longer it takes, the more orders begin alike, and show who does not do the same each time."""
        settle_now_and_then(self._session)
        return self._session.findings.flaky != self._flaky

    def complete(self) -> Search[Needs | None]:
        """Tries every minimal set that meets all ways, until all are clauses or the bounds are reached; None if what
        was found so far cannot be relied on."""
        session = self._session
        clauses: set[frozenset[int]] = set()
        settled: set[frozenset[int]] = set()
        while len(self.ways) <= _MOST_WAYS:
            if self._is_misled():
                return None
            candidates = minimal_transversals(self._runs(), _MOST_CLAUSES)
            if candidates is None:
                break
            open_ones = [c for c in candidates if c not in settled and not self._follows(c, clauses)]
            if not open_ones:
                return self._needs(clauses.intersection(candidates), complete=True)
            # The one with the latest members: what they need in turn follows from them and need not be tried.
            open_ones.sort(key=lambda members: sorted(members, reverse=True), reverse=True)
            if self._breadth > 1:
                yield [request for one in open_ones[: self._breadth] for request, _ in self._without(one)]
            candidate = open_ones[0]
            tried = self._without(candidate)
            runs = yield [request for request, _ in tried]
            enough = [pool for (_, pool), run in zip(tried, runs, strict=True) if session.is_as_wanted(run)]
            if not enough:
                clauses.add(candidate)
                continue
            heads = yield from self.way_among(enough[0], candidate)
            if self._is_only_another_support(heads):
                settled.add(candidate)
            else:
                yield from self.add(heads, candidate)
        return self._needs(clauses, complete=False)

    def _without(self, candidate: frozenset[int]) -> list[tuple[OrderRequest, list[int]]]:
        """The test after each pool less these and those who cannot run without them; and what that leaves."""
        lost = self._session.findings.stranded(candidate)
        pools = [[o for o in pool if o not in candidate and o not in lost] for pool in self._pools()]
        return [(self._session.after(pool, self._test, candidate), pool) for pool in pools]

    def _runs(self) -> list[frozenset[int]]:
        return sorted((run for _, run in self.ways), key=lambda run: (len(run), sorted(run)))

    def _pools(self) -> list[list[int]]:
        """Earlier tests, which the reference order shows to do no harm, with whoever serves in a way; and everyone,
        among whom there may be a polluter that hides a way."""
        members = {member for _, run in self.ways for member in run}
        return [sorted({other for other in self._usable if other < self._test} | members), self._usable]

    def _follows(self, candidate: frozenset[int], clauses: set[frozenset[int]]) -> bool:
        """Whether a clause that is known cannot be met without the candidate being met."""
        lost = self._session.findings.stranded(candidate)
        return any(all(member in candidate or member in lost for member in clause) for clause in clauses)

    def _is_only_another_support(self, heads: Sequence[int]) -> bool:
        """Whether this way was seen before, served by others, and often enough."""
        key = frozenset(heads)
        if all(key != known for known, _ in self.ways):
            return False
        self._supports[key] = self._supports.get(key, 1) + 1
        return self._supports[key] > _MOST_SUPPORTS

    def _needs(self, clauses: Iterable[frozenset[int]], *, complete: bool) -> Needs:
        ranked = sorted(tuple(sorted(members)) for members in clauses)
        return Needs(tuple(Clause(members, complete) for members in ranked), self.ways)
