"""TEDD's validation: try every candidate dependency, and recover those that the candidates lack.

Biagiola, Stocco, Mesbah, Ricca, Tonella: Web Test Dependency Detection, ESEC/FSE 2019.

Idea
    Take the edges of later tests first, and leave one out: the dependent runs with what else it is thought to need. If
    all do as wanted the edge is dropped. If not, and with the edge all do as wanted, it is manifest. If the closure
    fails with the edge too, something is missing: the first test that fails gets edges to earlier ones, which are tried
    in turn. An edge whose prerequisite comes along with another's is put off until it does not. In the end
    whoever needs nobody is run alone, and then whatever rests on it, and who fails there is recovered likewise.
Differs from the paper
    There edges are left out one by one. Here, where a test has many, all that are untried are left out at once, then
    the later half of them, and so on: most candidates are false, and one order drops a whole group. Only those are
    dropped that did not come along with others. `edge_by_edge` is the paper's way.
    There whoever lacks something gets edges to all earlier tests at once. Here these are halved first, where they are
    many: few of them are needed. If that leads nowhere, all are tried.
    A last step, too, is not in the paper: an edge can be manifest because its prerequisite brings along the one that
    is needed. Where the two orders differ in more than the prerequisite, the dependent is run without that one only;
    if it passes, the edge is replaced by edges to what that one needs, and these are tried.
Assumptions
    Every need is a single test, all in reference order, and nobody pollutes. Candidates that point to a later test are
    not tried: in the reference order nobody could need those. Of an either-or need the earliest alternative among the
    candidates is kept, and told as a plain need.
Guarantee
    Under these assumptions, from whatever candidates, the edges are the transitive reduction of the truth. In any suite
    each edge told was seen in two runs that differ in nothing but its prerequisite, and if the result is complete every
    closure passes. A test that fails again after all earlier ones were its candidates is given up on. Stopped at any
    moment, the edges seen so far are told.
Cost
    From candidates that lack nothing, for a test with c of them of which k are needed: one order if k is 0, otherwise
    about k log2(c) and one more for each kept; and one for each test. So from the complete graph n + k log2(n) for k
    needs in all, and `edge_by_edge` of the order of n²/2. A test at position p that lacks k others costs about
    2k log2(p/k) more. Parts of the graph that do not hang together are tried side by side.
"""

from collections.abc import Sequence

from unknot.detect.engine.deviation import deviating, failed_in_the_end, may_be_claimed_about
from unknot.detect.engine.findings import Sight
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.engine.subsets import minimal
from unknot.detect.published.candidates import components, earlier_only, suspected
from unknot.detect.published.edges import Edges
from unknot.detect.published.refinement import carry_out
from unknot.model.bits import bits, positions
from unknot.model.dependencies import Dependencies
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle

_FEW = 3
"""So many candidates are tried one by one as soon as halved."""


def tedd(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return _carried_out(suite, oracle, options, on_progress, in_groups=True)


def edge_by_edge(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """The same detector, but candidates are left out one at a time, as in the paper: what its costs are compared by."""
    return _carried_out(suite, oracle, options, on_progress, in_groups=False)


def _carried_out(
    suite: Suite, oracle: Oracle, options: Options, on_progress: ProgressCallback, *, in_groups: bool
) -> Dependencies:
    def search(session: SearchSession, given: Options) -> bool:
        candidates = Edges(len(session.suite))
        rows = earlier_only(suspected(session, suite, given.candidates))
        candidates.rows = [row if may_be_claimed_about(session, test) else 0 for test, row in enumerate(rows)]
        return _Validation(session, candidates, in_groups=in_groups).run()

    return carry_out("tedd", search, suite, oracle, options, on_progress)


class _Validation:
    """`_manifest[t]` are those of the edges of t that were tried and must stay, as the graph was then."""

    def __init__(self, session: SearchSession, candidates: Edges, *, in_groups: bool) -> None:
        self._session = session
        self._edges = candidates
        self._in_groups = in_groups
        self._manifest = [0] * len(session.suite)
        self._recovered: set[int] = set()
        self._narrowed: set[int] = set()
        self._beyond_help: set[int] = set()

    def run(self) -> bool:
        """Whether every test is understood."""
        findings = self._session.findings
        with self._edges.stored_if_stopped(findings):
            self._validate()
            while self._recover_disconnected() or self._replace_stand_ins():
                self._validate()
        self._edges.reduce()
        self._edges.store_in(findings)
        findings.give_up_on(self._beyond_help)
        return not self._beyond_help

    def _validate(self) -> None:
        """Until every edge is dropped, manifest, or implied by others."""
        failing: set[int] | None = None
        while failing is None or failing:
            self._session.start_step("trying candidate dependencies", sum(row.bit_count() for row in self._edges.rows))
            parts = {part: self._try_edges(part) for part in components(self._edges.rows)}
            failing = {test for test in side_by_side(parts, self._session.run_orders).values() if test is not None}
            self._recover(failing)

    def _try_edges(self, part: int) -> Search[int | None]:
        """Tries the edges of this part of the graph until one test turns out to lack something: that test."""
        while (target := self._next_edge(part)) is not None:
            dependent, prerequisite = target
            if self._in_groups and (yield from self._drop_group(dependent, prerequisite)):
                continue
            row = self._edges.rows[dependent]
            whole = self._edges.closure(dependent)
            less = 1 << dependent | self._edges.reached_from(row & ~(1 << prerequisite))
            (run,) = yield [self._question(less)]
            if self._lacking(run) is None:
                self._edges.rows[dependent] &= ~(1 << prerequisite)
                continue
            fails_without = failed_in_the_end(self._session, run)
            (run,) = yield [self._question(whole)]
            lacking = self._lacking(run)
            if lacking is not None:
                return lacking
            self._manifest[dependent] |= 1 << prerequisite
            if fails_without and whole == less | 1 << prerequisite:
                self._saw(dependent, prerequisite, whole)
        return None

    def _drop_group(self, dependent: int, prerequisite: int) -> Search[bool]:
        """Leaves out the untried edges of the dependent, all at once, then the later half, until one group can be
        dropped. The edge to this prerequisite, which comes along with no other, is among them, so that each group that
        passes is a step forward. Whether one did."""
        untried = list(positions(self._edges.rows[dependent] & ~self._manifest[dependent]))
        while len(untried) > _FEW:
            group = bits(untried) | 1 << prerequisite
            less = 1 << dependent | self._edges.reached_from(self._edges.rows[dependent] & ~group)
            (run,) = yield [self._question(less)]
            if self._lacking(run) is None:
                self._edges.rows[dependent] &= ~group | less
                return True
            untried = untried[len(untried) // 2 :]
        return False

    def _lacking(self, run: Run) -> int | None:
        """The first that did not do as wanted; of those who have all that precedes them nothing more can be said."""
        blamed = (test for test in deviating(self._session, run) if may_be_claimed_about(self._session, test))
        return next((test for test in blamed if test not in self._beyond_help), None)

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
        """Earlier tests become candidates; what was manifest without them is tried again, unless it was seen."""
        narrow = {test for test in failing if test not in self._narrowed and self._others(test).bit_count() > _FEW}
        self._narrowed |= narrow
        breadth = self._session.breadth(len(narrow))
        added = side_by_side({test: self._missing(test, breadth) for test in sorted(narrow)}, self._session.run_orders)
        for test in sorted(failing):
            if test in added:
                self._edges.rows[test] |= bits(added[test])
            else:
                self._recover_from_all(test)
            self._forget_marks(test)

    def _others(self, test: int) -> int:
        """The earlier tests that come with none of those it is thought to need."""
        return (1 << test) - 1 & ~self._edges.closure(test)

    def _missing(self, test: int, breadth: int) -> Search[tuple[int, ...]]:
        """A smallest part of the others with which the test does as wanted."""
        known = self._edges.rows[test]

        def probe(added: Sequence[int]) -> OrderRequest:
            return self._question(1 << test | self._edges.reached_from(known | bits(added)))

        others = list(positions(self._others(test)))
        return minimal(others, probe, self._session.is_as_wanted, breadth)

    def _recover_from_all(self, test: int) -> None:
        self._edges.rows[test] = (1 << test) - 1
        if test in self._recovered:
            self._beyond_help.add(test)
        self._recovered.add(test)

    def _forget_marks(self, test: int) -> None:
        if test in self._beyond_help:
            self._manifest[test] = self._edges.rows[test]
            return
        seen = self._session.findings.sights
        self._manifest[test] = bits(needed for needed in positions(self._manifest[test]) if (test, needed) in seen)

    def _recover_disconnected(self) -> bool:
        """Runs whoever needs nobody, alone, and then whatever rests on those that pass. Whether somebody lacks
        something."""
        rows = self._edges.rows
        self._session.start_step("running what follows from the graph", len(rows))
        # The first test of the suite is seen alone at the head of the reference order.
        alone = [test for test in range(1, len(rows)) if not rows[test]]
        failing = self._failing_closures(alone)
        resting = [test for test in range(len(rows)) if rows[test] and not self._edges.closure(test) & bits(failing)]
        failing |= self._failing_closures(resting)
        self._recover(failing)
        return bool(failing)

    def _failing_closures(self, tests: list[int]) -> set[int]:
        runs = self._session.runs([self._question(self._edges.closure(test)) for test in tests])
        return {test for test in map(self._lacking, runs) if test is not None}

    def _replace_stand_ins(self) -> bool:
        """Edges that were not seen in two runs that differ in the prerequisite only; whether one was replaced."""
        unseen = [
            (dependent, prerequisite)
            for dependent, row in enumerate(self._edges.rows)
            if dependent not in self._beyond_help
            for prerequisite in positions(self._edges.not_implied(dependent, row))
            if (dependent, prerequisite) not in self._session.findings.sights
        ]
        wholes = {dependent: self._edges.closure(dependent) for dependent, _ in unseen}
        runs = self._session.runs([self._question(wholes[one] & ~(1 << other)) for one, other in unseen])
        replaced: set[int] = set()
        for (dependent, prerequisite), run in zip(unseen, runs, strict=True):
            if failed_in_the_end(self._session, run):
                self._saw(dependent, prerequisite, wholes[dependent])
            elif self._session.is_as_wanted(run) and dependent not in replaced:
                replaced.add(dependent)
                self._edges.rows[dependent] &= ~(1 << prerequisite)
                self._edges.rows[dependent] |= self._edges.rows[prerequisite]
        for dependent in replaced:
            self._forget_marks(dependent)
        return bool(replaced)

    def _saw(self, dependent: int, prerequisite: int, whole: int) -> None:
        before = whole & ~(1 << dependent)
        sight = Sight(tuple(positions(before)), tuple(positions(before & ~(1 << prerequisite))))
        self._session.findings.sights[dependent, prerequisite] = sight

    def _question(self, tests: int) -> OrderRequest:
        return self._session.request(positions(tests))
