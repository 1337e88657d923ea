"""PRADET: tries every candidate edge by running the dependent without it and with all its other candidates.

Reference
    Gambi, Bell, Zeller, "Practical Test Dependency Detection", ICST 2018, section III-B; the black-box variant, in
    which every earlier test is a candidate, is algorithm 1 of Polverino et al., "Parallelization in System-level
    Testing", TSE 2025.
Idea
    Remove one edge from the candidate graph and run its dependent, last, after all that it still reaches in the graph,
    in reference order. If it behaves as expected, the edge is dropped; if not, it is confirmed. An edge whose
    prerequisite is also reached another way cannot be tried (inverted, it would close a cycle): it is deferred until
    that way is gone. When no edge can be tried any more, every untried edge follows from confirmed ones; so the
    confirmed edges are the transitive reduction.
    An order has only tests of the edge's weakly connected component, and none after the dependent. Components are
    independent of each other, and are refined side by side.
Which edge next
    From a graph of candidates source-first: the latest dependent first, of its edges the one to the latest
    prerequisite. From the complete graph, as in the example of algorithm 1, the earliest dependent first: then all
    possible needs of a test are decided before the test itself is tried, so that the last order in which it behaved as
    expected is its final closure. Under the model of the papers the number of orders does not depend on this choice:
    every pair costs an order, except those that follow from longer true chains, n(n - 1)/2 - |closure| + |reduction|
    in all.
Assumptions
    Needs are single tests, there are no polluters, and every needed test is a candidate. Candidates after their
    dependent are ignored; tests that fail in the reference order are never tried and keep their candidates.
    Alternatives are missed by construction: if all of them are candidates, one is reported and the others are dropped.
    A test that only cleans up after a polluter looks like a needed one. Polluters that the reference order keeps away
    from their victim, or cleans up after, are not searched for.
Guarantee
    Each edge was shown by two runs that differ in the prerequisite alone. Stopped at any moment, the confirmed edges
    are true, and an undecided dependent is taken to need all that precedes it. Complete means: from the complete graph
    every pair was tried or follows from others, and every closure was shown to work.
Cost
    At most one order for each edge; the computation is one operation on ints of n bits for each test that a trial
    reaches.
Differs from the papers
    They do not verify. Here a closure that no trial has run is run once, in addition to the cost stated; from the
    complete graph there is none. An edge in whose failing trial other tests failed too is proved by orders of its own.
"""

from collections import deque
from collections.abc import Iterable

from unknot.detect.engine.findings import Clause
from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.proofs import give_up_on_unseen, verify, works
from unknot.detect.engine.session import SearchSession, is_claimable
from unknot.detect.published.driver import PublishedDetector
from unknot.detect.published.graph import NeedGraph, candidate_rows, components, earlier_only
from unknot.model.bits import positions
from unknot.model.errors import BudgetExhausted
from unknot.model.run import Run

Edge = tuple[int, int]
"""Dependent and prerequisite."""


def _refine(session: SearchSession, options: Options) -> bool:
    return _Refinement(session, earlier_only(candidate_rows(session, options))).run()


def _verify_closures(session: SearchSession, options: Options) -> bool:
    rows = earlier_only(candidate_rows(session, options))
    try:
        return verify(session, [test for test in _claimable(session) if rows[test]])
    finally:
        give_up_on_unseen(session)


def _claimable(session: SearchSession) -> list[int]:
    """The tests whose edges can be tried."""
    return [test for test in range(len(session.suite)) if is_claimable(session, test)]


class _Refinement:
    """`_graph` has the needs that are not refuted; it only ever shrinks."""

    def __init__(self, session: SearchSession, rows: list[int]) -> None:
        self._session = session
        self._graph = NeedGraph(len(rows))
        self._graph.rows = rows
        self._confirmed = [0] * len(rows)
        self._is_whole = rows == earlier_only([-1] * len(rows))

    def run(self) -> bool:
        """Returns whether every pair is decided."""
        edges = self._edges()
        self._session.start_step("inverting one candidate edge at a time", len(edges))
        try:
            parts = components(self._graph.rows)
            run_searches(
                {part: self._refine([e for e in edges if part >> e[0] & 1]) for part in parts}, self._session.run_orders
            )
        except (BudgetExhausted, KeyboardInterrupt):
            give_up_on_unseen(self._session)
            raise
        return self._is_whole

    def _edges(self) -> list[Edge]:
        """All that can be tried, in the sequence in which they are tried."""
        dependents = _claimable(self._session)
        if not self._is_whole:
            dependents.reverse()
        return [(test, other) for test in dependents for other in reversed(list(positions(self._graph.rows[test])))]

    def _refine(self, edges: Iterable[Edge]) -> Search[None]:
        """Cycles through the edges of one component until all that are left were deferred since the last one was
        removed."""
        rows = self._graph.rows
        waiting = deque(edges)
        deferred = 0
        while deferred < len(waiting):
            dependent, prerequisite = waiting.popleft()
            rest = self._graph.reached_from(rows[dependent] & ~(1 << prerequisite))
            if rest >> prerequisite & 1:
                waiting.append((dependent, prerequisite))
                deferred += 1
                continue
            without = tuple(positions(rest))
            (run,) = yield [self._session.request([*without, dependent])]
            if self._session.is_as_expected(run):
                rows[dependent] &= ~(1 << prerequisite)
                deferred = 0
            else:
                self._confirm(dependent, prerequisite)
                # No other test in reach needs the prerequisite, or the edge would have been deferred: the two orders
                # differ in nothing else. If only one of them was run, the edge is left to the proofs.
                with_it = tuple(positions(self._graph.reached_from(rows[dependent])))
                if self._is_down_to_dependent(run) and works(self._session, with_it, dependent):
                    self._session.findings.observe_need(dependent, prerequisite, with_it, without)

    def _is_down_to_dependent(self, run: Run) -> bool:
        """Whether the dependent has a verdict, and all tests before it behaved as expected."""
        *before, _ = self._session.outcomes(run)
        return run.last.is_verdict and all(outcome is self._session.findings.expected[test] for test, outcome in before)

    def _confirm(self, dependent: int, prerequisite: int) -> None:
        self._confirmed[dependent] |= 1 << prerequisite
        clauses = (Clause((needed,), complete=False) for needed in positions(self._confirmed[dependent]))
        self._session.findings.learn(dependent, tuple(clauses))


pradet = PublishedDetector("pradet", _refine, check=_verify_closures)
