"""PRADET: tries every suspected edge by running the dependent without it, everything else that it may need kept.

Reference
    Gambi, Bell, Zeller, "Practical Test Dependency Detection", ICST 2018, section III-B; the black-box variant, which
    suspects every earlier test, is algorithm 1 of Polverino et al., "Parallelization in System-level Testing", TSE
    2025.
Idea
    Take one edge out of the graph of suspects and run its dependent, last, after all that it still reaches in the
    graph, in reference order. If it does as wanted, the edge goes; if not, the edge is confirmed. An edge whose
    prerequisite is reached on another way too cannot be tried (turned round, it would close a cycle): it is deferred,
    and tried when that way is gone. When nothing can be tried any more, every edge left untried follows from
    confirmed ones; so the confirmed edges are the transitive reduction.
    An order holds only tests of the edge's weakly connected component, and none behind the dependent. Components know
    nothing of each other, and are refined side by side.
Which edge next
    From a graph of candidates source-first: the latest dependent first, of its edges the one to the latest
    prerequisite. From the complete graph, as algorithm 1 is shown at work, the earliest dependent first: then
    whatever a test may need is decided before the test itself is tried, so that the last order in which it did as
    wanted is its final closure. Under the papers' model the number of orders does not depend on this choice: every
    pair costs an order, but those that follow from longer true chains, n(n - 1)/2 - |closure| + |reduction| in all.
Assumptions
    Needs are single tests, nobody pollutes, whoever is needed is suspected. Suspects that stand behind their dependent
    are left alone, and tests that fail in the reference order are never tried, and keep their suspects.
    Either-or needs are missed by construction: of several alternatives that were all suspected, one is named and the
    others are cleared. A test that only cleans up after a polluter looks like one that is needed. Polluters that the
    reference order keeps away from their victim, or cleans up after, are not looked for.
Guarantee
    Each edge was seen in two runs that differ in the prerequisite alone. Stopped at any moment, the edges confirmed
    are true, and a dependent not decided yet is taken to need all that precedes it. Complete means: from the complete
    graph every pair was tried or follows from others, and every closure was seen to work.
Cost
    An order for each edge at most; thinking is one operation on ints of n bits for each test in reach of each trial.
Differs from the papers
    They do not verify. Here a closure that no trial has run is run once, beyond the cost stated; from the complete
    graph there is none. An edge whose failing trial had others fail in it too is proved by orders of its own.
"""

from collections import deque
from collections.abc import Iterable

from unknot.detect.engine.findings import Clause, Sight
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.verified import give_up_on_unseen, verify, works
from unknot.detect.published.candidates import components, earlier_only, suspected
from unknot.detect.published.refinement import carry_out
from unknot.model.bits import positions
from unknot.model.dependencies import Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.run import Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

Edge = tuple[int, int]
"""Dependent and prerequisite."""


def pradet(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""

    def refine(session: SearchSession, options: Options) -> bool:
        return _Refinement(session, earlier_only(suspected(session, suite, options.candidates))).run()

    def verify_closures(session: SearchSession, options: Options) -> bool:
        rows = earlier_only(suspected(session, suite, options.candidates))
        try:
            return verify(session, [test for test in _claimable(session) if rows[test]])
        finally:
            give_up_on_unseen(session)

    return carry_out("pradet", refine, suite, oracle, options, on_progress, check=verify_closures)


def _claimable(session: SearchSession) -> list[int]:
    """The tests whose edges can be tried."""
    findings = session.findings
    return [
        test for test in range(len(session.suite)) if test not in findings.flaky and not findings.wanted[test].is_bad
    ]


class _Refinement:
    """`rows[t]`, a bitset, is whom t depends on as far as is not refuted; it only ever shrinks."""

    def __init__(self, session: SearchSession, rows: list[int]) -> None:
        self._session = session
        self._rows = rows
        self._confirmed = [0] * len(rows)
        self._is_whole = rows == earlier_only([-1] * len(rows))

    def run(self) -> bool:
        """Whether every pair is decided."""
        edges = self._edges()
        self._session.start_step("inverting one suspected edge at a time", len(edges))
        try:
            parts = components(self._rows)
            side_by_side(
                {part: self._refine([e for e in edges if part >> e[0] & 1]) for part in parts}, self._session.run_orders
            )
        except (BudgetExhausted, KeyboardInterrupt):
            give_up_on_unseen(self._session)
            raise
        return self._is_whole

    def _edges(self) -> list[Edge]:
        """All that can be tried, in the sequence in which they are."""
        dependents = _claimable(self._session)
        if not self._is_whole:
            dependents.reverse()
        return [(test, other) for test in dependents for other in reversed(list(positions(self._rows[test])))]

    def _refine(self, edges: Iterable[Edge]) -> Search[None]:
        """Round and round through the edges of one component, until all that are left were deferred since the last
        one was taken out."""
        waiting = deque(edges)
        deferred = 0
        while deferred < len(waiting):
            dependent, prerequisite = waiting.popleft()
            rest = self._reach(self._rows[dependent] & ~(1 << prerequisite))
            if rest >> prerequisite & 1:
                waiting.append((dependent, prerequisite))
                deferred += 1
                continue
            without = tuple(positions(rest))
            (run,) = yield [self._session.request([*without, dependent])]
            if self._session.is_as_wanted(run):
                self._rows[dependent] &= ~(1 << prerequisite)
                deferred = 0
            else:
                self._confirm(dependent, prerequisite)
                # Nobody else in reach needs the prerequisite, or the edge would have been deferred: the two orders
                # differ in nothing but it. An edge of which only one of them was run is left to the proofs.
                with_it = tuple(positions(self._reach(self._rows[dependent])))
                if self._is_down_to_dependent(run) and works(self._session, with_it, dependent):
                    self._session.findings.sights[dependent, prerequisite] = Sight(with_it, without)

    def _reach(self, row: int) -> int:
        """All that these depend on, and they themselves. Latest first: edges lead to earlier tests only, so whoever
        is behind the current one was visited."""
        reach = ahead = row
        while ahead:
            latest = ahead.bit_length() - 1
            ahead = (ahead ^ 1 << latest) | self._rows[latest]
            reach |= ahead
        return reach

    def _is_down_to_dependent(self, run: Run) -> bool:
        """Whether the dependent gave a verdict, and all before it did as wanted."""
        *before, _ = self._session.outcomes(run)
        return run.last.is_verdict and all(outcome is self._session.findings.wanted[test] for test, outcome in before)

    def _confirm(self, dependent: int, prerequisite: int) -> None:
        self._confirmed[dependent] |= 1 << prerequisite
        clauses = (Clause((needed,), complete=False) for needed in positions(self._confirmed[dependent]))
        self._session.findings.learn(dependent, tuple(clauses))
