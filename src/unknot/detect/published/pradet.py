"""PRADET: inverts every candidate edge, and compares the outcomes of both its tests.

Reference
    Gambi, Bell, Zeller, "Practical Test Dependency Detection", ICST 2018, section III-B; the black-box variant, in
    which every earlier test is a candidate, is algorithm 1 of Polverino et al., "Parallelization in System-level
    Testing", TSE 2025.
Idea
    Invert one edge of the candidate graph: run its dependent after all that it reaches in the graph except the
    prerequisite, in reference order, and the prerequisite last. If the dependent behaves as expected, it does not need
    the prerequisite, and the edge is dropped; if not, the edge is confirmed. If only the prerequisite does not, the
    dependent breaks it: the reference order keeps that conflict from showing (footnote 1 of the first paper).
    An edge whose prerequisite is also reached another way cannot be tried (inverted, it would close a cycle): it is
    deferred until that way is gone. When no edge can be tried any more, every untried edge follows from confirmed ones;
    so the confirmed edges are the transitive reduction.
    An order has only tests of the edge's weakly connected component, and none after the pair. Components are
    independent of each other: they are refined side by side, and one that falls apart when an edge is dropped goes on
    as two.
Which edge next
    From a graph of candidates source-first: the latest dependent first, of its edges the one to the latest
    prerequisite. From the complete graph, as in the example of algorithm 1, the earliest dependent first: then all
    possible needs of a test are decided before the test itself is tried, so that the last order in which it behaved as
    expected is its final closure. Under the model of the papers the number of orders does not depend on this choice:
    every pair costs an order, except those that follow from longer true chains, n(n - 1)/2 - |closure| + |reduction|
    in all.
Assumptions
    Needs are single tests, there are no polluters before their victim, and every needed test is a candidate. Candidates
    after their dependent are ignored; tests that fail in the reference order are never tried and keep their candidates.
    Alternatives are missed by construction: if all of them are candidates, one is reported and the others are dropped.
    A test that only cleans up after a polluter looks like a needed one. A polluter that stands before its victim, and
    behind which a cleaner runs, is not searched for; one that stands after its victim shows only if the two are
    candidates and the victim was not in reach of another way.
Guarantee
    Each edge was shown by two runs that differ in the prerequisite alone. Stopped at any moment, the confirmed edges
    are true, and an undecided dependent is taken to need all that precedes it. Complete means: from the complete graph
    every pair was tried or follows from others, and every closure was shown to work.
Cost
    At most one order for each edge; the computation is one operation on ints of n bits for each test that a trial
    reaches.
Differs from the papers
    In the first paper an edge is manifest too if only the prerequisite fails. Here this is a conflict, not a need: the
    edge is dropped, and what the dependent really needs is found. The second paper's example leaves out the
    prerequisite that its algorithm and its authors' program run last.
    They do not verify. Here a closure that no trial has run is run once, in addition to the cost stated; from the
    complete graph there is none. So is each conflict, right after what the pair needs. An edge in whose failing trial
    other tests failed too is proved by orders of its own.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from unknot.detect.engine.findings import Clause, Pollution
from unknot.detect.engine.options import Options
from unknot.detect.engine.session import SearchSession, is_claimable, last_test_failed
from unknot.detect.published.driver import PublishedDetector
from unknot.detect.published.graph import NeedGraph, candidate_rows, components, earlier_only
from unknot.model.bits import bits, positions
from unknot.model.errors import BudgetExhausted
from unknot.model.run import OrderRequest, Run

Edge = tuple[int, int]
"""Dependent and prerequisite."""


def _refine(session: SearchSession, options: Options) -> bool:
    return _Refinement(session, earlier_only(candidate_rows(session, options))).run()


@dataclass
class _Component:
    """`waiting` are its edges that are not decided, of which the last `deferred` could not be tried since an edge was
    dropped."""

    tests: int
    waiting: deque[Edge]
    deferred: int = 0


class _Refinement:
    """`_graph` has the needs that are not refuted; it only ever shrinks. `_linked` has the same edges in both
    directions. `_worked` are tests that behaved as expected, each with all that ran before it."""

    def __init__(self, session: SearchSession, rows: list[int]) -> None:
        self._session = session
        self._graph = NeedGraph(len(rows))
        self._graph.rows = rows
        self._linked = list(rows)
        for dependent, row in enumerate(rows):
            for prerequisite in positions(row):
                self._linked[prerequisite] |= 1 << dependent
        self._claimable = [test for test in range(len(rows)) if is_claimable(session, test)]
        """The tests whose edges can be tried."""
        self._refined = [test for test in self._claimable if rows[test]]
        self._confirmed = [0] * len(rows)
        self._worked: set[tuple[int, int]] = set()
        self._broken: list[Edge] = []
        """Dependents that behaved as expected, each with the prerequisite that did not after it."""
        self._is_whole = rows == earlier_only([-1] * len(rows))

    def run(self) -> bool:
        """Returns whether every pair is decided."""
        try:
            self._try_edges()
            with self._session.proving():
                works = self._verify()
                self._learn_conflicts()
        except (BudgetExhausted, KeyboardInterrupt):
            self._session.findings.mark_unresolved(self._unseen(list(self._session.findings.clauses)))
            raise
        return self._is_whole and works

    def _try_edges(self) -> None:
        """One edge of each component at a time."""
        edges = self._edges()
        self._session.start_step("inverting one candidate edge at a time", len(edges))
        left = [self._component(tests, edges) for tests in components(self._graph.rows)]
        while left:
            trials = [(each, edge) for each in left if (edge := self._next_edge(each)) is not None]
            runs = self._session.runs([self._inverted(edge) for _, edge in trials])
            left = []
            for (component, edge), run in zip(trials, runs, strict=True):
                left += self._judge(component, edge, run)

    def _edges(self) -> list[Edge]:
        """All that can be tried, in the sequence in which they are tried."""
        dependents = self._claimable if self._is_whole else self._claimable[::-1]
        return [(test, other) for test in dependents for other in reversed(list(positions(self._graph.rows[test])))]

    def _component(self, tests: int, edges: Iterable[Edge]) -> _Component:
        return _Component(tests, deque(edge for edge in edges if tests >> edge[0] & 1))

    def _next_edge(self, component: _Component) -> Edge | None:
        """Takes the next edge that can be tried. None if all that are left were deferred since one was dropped."""
        while component.deferred < len(component.waiting):
            dependent, prerequisite = edge = component.waiting.popleft()
            if not self._graph.reached_from(self._graph.rows[dependent] & ~(1 << prerequisite)) >> prerequisite & 1:
                return edge
            component.waiting.append(edge)
            component.deferred += 1
        return None

    def _company(self, edge: Edge) -> int:
        """All that the dependent reaches, without the prerequisite. None of these needs it, or the edge would have been
        deferred."""
        dependent, prerequisite = edge
        return self._graph.reached_from(self._graph.rows[dependent]) & ~(1 << prerequisite)

    def _inverted(self, edge: Edge) -> OrderRequest:
        return self._session.request([*positions(self._company(edge)), *edge])

    def _judge(self, component: _Component, edge: Edge, run: Run) -> list[_Component]:
        """Drops or confirms the edge. Returns the component, or the two that it has become."""
        dependent, prerequisite = edge
        *before, (_, outcome), (_, outcome_after) = self._session.outcomes(run)
        expected = self._session.findings.expected
        company = self._company(edge)
        if outcome is not expected[dependent]:
            self._confirm(edge)
            # If other tests failed too, or the order with the prerequisite was not run, the edge is left to the proofs.
            is_down_to_dependent = outcome.is_verdict and all(found is expected[test] for test, found in before)
            if is_down_to_dependent and self._has_worked(company | 1 << prerequisite, dependent):
                with_it = positions(company | 1 << prerequisite)
                self._session.findings.observe_need(dependent, prerequisite, with_it, positions(company))
            return [component]
        self._worked.add((company, dependent))
        if outcome_after is not expected[prerequisite] and outcome_after.is_verdict and prerequisite in self._claimable:
            self._broken.append(edge)
        self._graph.rows[dependent] &= ~(1 << prerequisite)
        component.deferred = 0
        return self._split(component, edge)

    def _confirm(self, edge: Edge) -> None:
        dependent, prerequisite = edge
        self._confirmed[dependent] |= 1 << prerequisite
        clauses = (Clause((needed,), complete=False) for needed in positions(self._confirmed[dependent]))
        self._session.findings.learn(dependent, tuple(clauses))

    def _split(self, component: _Component, dropped: Edge) -> list[_Component]:
        dependent, prerequisite = dropped
        self._linked[dependent] &= ~(1 << prerequisite)
        self._linked[prerequisite] &= ~(1 << dependent)
        reached, waiting = 0, 1 << dependent
        while waiting:
            latest = waiting.bit_length() - 1
            reached |= 1 << latest
            waiting = (waiting | self._linked[latest]) & ~reached
            if waiting >> prerequisite & 1:
                return [component]
        parts = (reached, component.tests & ~reached)
        return [self._component(tests, component.waiting) for tests in parts]

    def _has_worked(self, before: int, test: int) -> bool:
        """Whether a run has shown that the test behaves as expected after exactly these. The reference order is such a
        run for all that precedes the test."""
        return before == (1 << test) - 1 or (before, test) in self._worked

    def _unseen(self, tests: Iterable[int]) -> list[int]:
        """Those whose closures no run has shown to work."""
        closure = self._session.findings.closure
        return [test for test in tests if not self._has_worked(bits(closure(test)[:-1]), test)]

    def _verify(self) -> bool:
        """Runs the closures that no trial has shown. Tests that fail there become unresolved: they are taken to need
        all that precedes them. Returns whether none failed."""
        unseen = self._unseen(self._refined)
        failing = self._session.failing_closures(unseen)
        closure = self._session.findings.closure
        self._worked |= {(bits(closure(test)[:-1]), test) for test in unseen if test not in failing}
        self._session.findings.mark_unresolved(failing)
        return not failing

    def _learn_conflicts(self) -> None:
        """Keeps those in which the prerequisite also fails right after the dependent and what the two need, and passes
        there without the dependent. The other tests of the trial have no part in it then."""
        findings = self._session.findings
        for polluter, victim in self._broken:
            request = self._session.directly_after(polluter, victim)
            *company, _, _ = (self._session.suite.index[test] for test in request.order)
            broken, spared = self._session.runs([request, self._session.request([*company, victim])])
            if last_test_failed(self._session, broken) and self._session.is_as_expected(spared):
                findings.pollutions.append(Pollution(victim, (polluter,), (*company, polluter), complete=False))


pradet = PublishedDetector("pradet", _refine)
