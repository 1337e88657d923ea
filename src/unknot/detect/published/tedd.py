"""TEDD's validation: try every candidate dependency, and recover those that the candidates lack.

Reference
    Biagiola, Stocco, Mesbah, Ricca, Tonella: Web Test Dependency Detection, ESEC/FSE 2019.
Idea
    Take the edges of later tests first, and leave one out: the dependent runs with its other presumed needs. If all
    tests behave as expected, the edge is dropped. If not, and with the edge they do, it is manifest. If the closure
    fails with the edge too, something is missing: the first test that fails gets edges to earlier ones, which are tried
    in turn. An edge whose prerequisite another edge implies is put off until it does not. In the end tests without
    needs are run alone, then those that depend on them, and failing ones are recovered in the same way.
Assumptions
    Every need is a single test, all in reference order, and there are no polluters. Candidates that point to a later
    test are not tried: in the reference order no test can need those. Of a need with alternatives, the earliest one
    among the candidates is kept and reported as a single need. A test that only cleans up after a polluter looks like a
    needed one, if both are candidates of the victim; from candidates that lack one of them the conflict does not show.
Guarantee
    Under these assumptions, from any candidates, the edges are the transitive reduction of the truth. In any suite each
    edge was shown by two runs that differ in nothing but its prerequisite, and if the result is complete every closure
    passes. A test that fails again after all earlier ones were its candidates becomes unresolved. Stopped at any
    moment, the edges shown so far are reported.
Cost
    From candidates that lack nothing, one order for each, one more for each need, and one for each test; so from the
    complete graph of the order of n²/2. A test at position p that lacks k others costs about 2k log2(p/k) more.
    Unconnected parts of the graph are tried side by side.
Differs from the paper
    In the paper a test that lacks something gets edges to all earlier tests at once. Here these are halved first, if
    they are many: few of them are needed. If that fails, all are tried.
    The last step is not in the paper either: an edge can be manifest because its prerequisite implies the test that is
    really needed. If the two orders differ in more than the prerequisite, the dependent is run without that one only;
    if it passes, the edge is replaced by edges to the needs of the prerequisite, and these are tried.
"""

from collections.abc import Sequence

from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession, is_claimable, last_test_failed, unexpected_claimable
from unknot.detect.engine.subsets import minimal
from unknot.detect.published.driver import PublishedDetector
from unknot.detect.published.graph import NeedGraph, candidate_rows, components, earlier_only
from unknot.model.bits import bits, positions
from unknot.model.run import OrderRequest, Run

_FEW = 3
"""A test that lacks something gets edges to this many others at once; more are halved first."""


def _search(session: SearchSession, options: Options) -> bool:
    candidates = NeedGraph(len(session.suite))
    rows = earlier_only(candidate_rows(session, options))
    candidates.rows = [row if is_claimable(session, test) else 0 for test, row in enumerate(rows)]
    return _Validation(session, candidates).run()


class _Validation:
    """`_manifest[t]` are the edges of t that were tried and must stay, given the graph at that time."""

    def __init__(self, session: SearchSession, candidates: NeedGraph) -> None:
        self._session = session
        self._edges = candidates
        self._manifest = [0] * len(session.suite)
        self._recovered: set[int] = set()
        self._narrowed: set[int] = set()
        self._unresolvable: set[int] = set()

    def run(self) -> bool:
        """Returns whether every test is resolved."""
        findings = self._session.findings
        with self._edges.stored_if_stopped(findings):
            self._validate()
            while self._recover_disconnected() or self._replace_substitutes():
                self._validate()
        self._edges.reduce()
        self._edges.store_in(findings)
        findings.mark_unresolved(self._unresolvable)
        return not self._unresolvable

    def _validate(self) -> None:
        """Until every edge is dropped, manifest, or implied by others."""
        failing: set[int] | None = None
        while failing is None or failing:
            self._session.start_step("trying candidate dependencies", sum(row.bit_count() for row in self._edges.rows))
            parts = {part: self._try_edges(part) for part in components(self._edges.rows)}
            failing = {test for test in run_searches(parts, self._session.run_orders).values() if test is not None}
            self._recover(failing)

    def _try_edges(self, part: int) -> Search[int | None]:
        """Tries the edges of this part of the graph until a test turns out to lack something, and returns that test."""
        while (target := self._next_edge(part)) is not None:
            dependent, prerequisite = target
            row = self._edges.rows[dependent]
            whole = self._edges.closure(dependent)
            less = 1 << dependent | self._edges.reached_from(row & ~(1 << prerequisite))
            (run,) = yield [self._request(less)]
            if self._lacking(run) is None:
                self._edges.rows[dependent] &= ~(1 << prerequisite)
                continue
            fails_without = last_test_failed(self._session, run)
            (run,) = yield [self._request(whole)]
            lacking = self._lacking(run)
            if lacking is not None:
                return lacking
            self._manifest[dependent] |= 1 << prerequisite
            if fails_without and whole == less | 1 << prerequisite:
                self._saw(dependent, prerequisite, whole)
        return None

    def _lacking(self, run: Run) -> int | None:
        """The first test that did not behave as expected; nothing more can be said about tests with edges to all
        earlier ones."""
        blamed = unexpected_claimable(self._session, run)
        return next((test for test in blamed if test not in self._unresolvable), None)

    def _next_edge(self, part: int) -> tuple[int, int] | None:
        """The edge of the latest dependent, and of that one's to the latest prerequisite, that can be tried now."""
        while part:
            dependent = part.bit_length() - 1
            part ^= 1 << dependent
            untried = self._edges.rows[dependent] & ~self._manifest[dependent]
            if now := self._edges.not_implied(dependent, untried):
                return dependent, now.bit_length() - 1
        return None

    def _recover(self, failing: set[int]) -> None:
        """Earlier tests become candidates; edges that were manifest without them are tried again, unless two runs have
        shown them."""
        narrow = {test for test in failing if test not in self._narrowed and self._others(test).bit_count() > _FEW}
        self._narrowed |= narrow
        breadth = self._session.breadth(len(narrow))
        added = run_searches({test: self._missing(test, breadth) for test in sorted(narrow)}, self._session.run_orders)
        for test in sorted(failing):
            if test in added:
                self._edges.rows[test] |= bits(added[test])
            else:
                self._recover_from_all(test)
            self._forget_marks(test)

    def _others(self, test: int) -> int:
        """The earlier tests that none of its presumed needs implies."""
        return (1 << test) - 1 & ~self._edges.closure(test)

    def _missing(self, test: int, breadth: int) -> Search[tuple[int, ...]]:
        """A smallest part of the other tests with which the test behaves as expected."""
        known = self._edges.rows[test]

        def probe(added: Sequence[int]) -> OrderRequest:
            return self._request(1 << test | self._edges.reached_from(known | bits(added)))

        others = list(positions(self._others(test)))
        return minimal(others, probe, self._session.is_as_expected, breadth)

    def _recover_from_all(self, test: int) -> None:
        self._edges.rows[test] = (1 << test) - 1
        if test in self._recovered:
            self._unresolvable.add(test)
        self._recovered.add(test)

    def _forget_marks(self, test: int) -> None:
        if test in self._unresolvable:
            self._manifest[test] = self._edges.rows[test]
            return
        seen = self._session.findings.observed_needs
        self._manifest[test] = bits(needed for needed in positions(self._manifest[test]) if (test, needed) in seen)

    def _recover_disconnected(self) -> bool:
        """Runs tests without needs alone, and then the tests that depend on those that pass. Returns whether a test
        lacks something."""
        rows = self._edges.rows
        self._session.start_step("running what follows from the graph", len(rows))
        # The first test of the suite runs alone at the beginning of the reference order.
        alone = [test for test in range(1, len(rows)) if not rows[test]]
        failing = self._failing_closures(alone)
        resting = [test for test in range(len(rows)) if rows[test] and not self._edges.closure(test) & bits(failing)]
        failing |= self._failing_closures(resting)
        self._recover(failing)
        return bool(failing)

    def _failing_closures(self, tests: list[int]) -> set[int]:
        runs = self._session.runs([self._request(self._edges.closure(test)) for test in tests])
        return {test for test in map(self._lacking, runs) if test is not None}

    def _replace_substitutes(self) -> bool:
        """Tries edges that were not shown by two runs that differ in the prerequisite only. Returns whether one was
        replaced."""
        unseen = [
            (dependent, prerequisite)
            for dependent, row in enumerate(self._edges.rows)
            if dependent not in self._unresolvable
            for prerequisite in positions(self._edges.not_implied(dependent, row))
            if (dependent, prerequisite) not in self._session.findings.observed_needs
        ]
        wholes = {dependent: self._edges.closure(dependent) for dependent, _ in unseen}
        runs = self._session.runs([self._request(wholes[one] & ~(1 << other)) for one, other in unseen])
        replaced: set[int] = set()
        for (dependent, prerequisite), run in zip(unseen, runs, strict=True):
            if last_test_failed(self._session, run):
                self._saw(dependent, prerequisite, wholes[dependent])
            elif self._session.is_as_expected(run) and dependent not in replaced:
                replaced.add(dependent)
                self._edges.rows[dependent] &= ~(1 << prerequisite)
                self._edges.rows[dependent] |= self._edges.rows[prerequisite]
        for dependent in replaced:
            self._forget_marks(dependent)
        return bool(replaced)

    def _saw(self, dependent: int, prerequisite: int, whole: int) -> None:
        before = whole & ~(1 << dependent)
        without = positions(before & ~(1 << prerequisite))
        self._session.findings.observe_need(dependent, prerequisite, positions(before), without)

    def _request(self, tests: int) -> OrderRequest:
        return self._session.request(positions(tests))


tedd = PublishedDetector("tedd", _search)
