"""Incremental detection: start from an earlier result, and run only what could have changed since.

Idea
    Whatever was found among tests that still exist unchanged stays true, with its proof. The current reference order
    shows which tests have lost a prerequisite or run after a polluter. Beside it, the suite runs backwards, as far as
    what is known allows, so that all tests meet the new ones both ways round. A new or changed test is run alone; if it
    fails, its needs are searched. Then old dependents are run without their prerequisites but after the new tests, to
    see whether these can substitute them. What a cleaner may have hidden is tried side by side where a recording shows
    shared state, and elsewhere by more orders of the whole suite.
Assumptions
    Those of the sieve; and that a test that is not listed as changed does the same as before, after the same tests.
Guarantee
    Every claim has its two runs: the earlier ones, if all tests in them are unchanged, or new ones. Stopped at any
    moment, the result has what was shown until then, and marks what new tests may still extend as not complete. Nothing
    is more complete than before: what was untried then still counts as untried, unless it is claimed now.
    In a suite with single needs only, the graph is the one that a detection from scratch finds.
Cost
    Nothing changed: the reference order. One new test without needs and victims: two orders of all tests, one of which
    the recording may answer, the test alone, up to 16 pairs with it, and one order for each clause of the dependent
    with the most clauses; a few more if there are conflicts. Four orders of all tests if the suite is not recorded
    meanwhile. A new test that needs k others: about 2k log2(n/k) orders more; fewer if the suite was recorded, because
    tests that share state are tried first. A recording is not trusted here: that a test still does well after a new one
    is shown by running it, so no search can run fewer tests than twice the suite.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from unknot.detect.engine.conflict_free_orders import conflict_free_order
from unknot.detect.engine.findings import Findings, FlakinessVerdict, reduce_clauses
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.reference import ReferenceRun
from unknot.detect.engine.result import assemble_result, only_in_company, untried_rows, what_was_sought
from unknot.detect.engine.session import SearchSession
from unknot.detect.incremental.baseline import BaselineFindings
from unknot.detect.incremental.changes import ChangeSearch
from unknot.detect.incremental.claims import Claims
from unknot.hints.position import any_other, every_earlier
from unknot.model.bits import bits, positions
from unknot.model.dependencies import Dependencies, Proof
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.pairs import rows_in
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Oracle

NAME = "growing"


def detect_incrementally(
    suite: Suite,
    oracle: Oracle,
    previous: Dependencies,
    changed: Collection[TestId] = (),
    options: Options = DEFAULT_OPTIONS,
    on_progress: ProgressCallback = no_progress,
    has_runs: Callable[[Proof], bool] = lambda _: True,
) -> Dependencies:
    """The dependencies of the current suite. `changed` are tests that existed in `previous` and were changed since;
    new, removed and moved tests are found by comparing the suites. `options` must be those of the earlier detection.
    A claim whose proof has no runs that are still known (`has_runs`) is proved again."""
    return _IncrementalDetection(suite, oracle, previous, changed, options, on_progress, has_runs).detect()


class _IncrementalDetection:
    def __init__(
        self,
        suite: Suite,
        oracle: Oracle,
        previous: Dependencies,
        changed: Collection[TestId],
        options: Options,
        on_progress: ProgressCallback,
        has_runs: Callable[[Proof], bool],
    ) -> None:
        self._has_runs = has_runs
        self._whole = suite
        self._oracle = oracle
        self._previous = previous
        self._changed = changed
        self._options = options
        self._on_progress = on_progress
        self._reference_run = ReferenceRun(suite, self._new_session)

    @property
    def _session(self) -> SearchSession:
        return self._reference_run.session

    def _new_session(self, suite: Suite) -> SearchSession:
        source = any_other if self._options.reorders else every_earlier
        flows = self._options.recorded and self._options.recorded.among(self._whole, suite)
        return SearchSession(suite, self._oracle, source, self._on_progress, flows)

    def detect(self) -> Dependencies:
        try:
            self._reference_run.run(self._options.reference, self._backwards)
        except (BudgetExhausted, KeyboardInterrupt):
            baseline, claims = self._carry_over(is_reference_known=False)
            return self._result(baseline, claims, complete=False)
        baseline, claims = self._carry_over(is_reference_known=True)
        session, options = self._session, self._options
        backwards = self._backwards(session.suite)
        flows = options.recorded_so_far() if backwards and options.records_reference else None
        if flows is not None:
            session.flows = flows.among(self._whole, session.suite)
        changes = ChangeSearch(session, baseline, claims, options, backwards, is_recorded=flows is not None)
        try:
            complete = changes.search() and changes.prove()
        except (BudgetExhausted, KeyboardInterrupt):
            complete = False
        return self._result(baseline, claims, complete=complete)

    def _backwards(self, suite: Suite) -> list[OrderRequest]:
        """If there are new or changed tests, the reference order in reverse, as far as what was known allows: tests
        after what they need, and polluters after their victims."""
        before = self._previous.suite.index
        is_extended = any(test not in before or test in self._changed for test in suite.tests)
        if not is_extended or not self._options.reorders:
            return []
        findings = Findings([Outcome.PASSED] * len(suite))
        _learn(findings, self._baseline(suite, {}))
        order = conflict_free_order(findings, range(len(suite))[::-1])
        return [OrderRequest(suite.order(order))]

    def _baseline(self, suite: Suite, outcomes: Mapping[TestId, Outcome]) -> BaselineFindings:
        return BaselineFindings(
            self._previous,
            suite,
            self._changed,
            outcomes,
            counts_moves=not self._options.reorders,
            has_runs=self._has_runs,
        )

    def _carry_over(self, *, is_reference_known: bool) -> tuple[BaselineFindings, Claims]:
        """Puts what is still true into the findings."""
        session, findings = self._session, self._session.findings
        baseline = self._baseline(session.suite, self._reference_run.outcomes if is_reference_known else {})
        findings.flaky |= baseline.flaky
        for test, verdict in baseline.confidence.items():
            findings.flakiness[test] = FlakinessVerdict(
                baseline.expected(test), True, verdict.differed, verdict.runs, verdict.sure
            )
        for test in baseline.unchanged - set(baseline.regressions):
            findings.expected[test] = baseline.expected(test)
            if baseline.failed_because_of_others(test):
                findings.reference_victims.add(test)
        session.unchanged = baseline.unchanged
        session.rebuild_pairs()
        _learn(findings, baseline)
        return baseline, Claims(session, baseline, is_complete=self._previous.complete)

    def _result(self, baseline: BaselineFindings, claims: Claims, *, complete: bool) -> Dependencies:
        """Runs nothing more."""
        claims.prove(may_run=False)
        found = assemble_result(
            self._whole,
            self._reference_run,
            claims.needs(),
            claims.conflicts(),
            self._untried(baseline),
            seconds=self._seconds(),
            complete=complete and self._previous.complete,
            cost=self._reference_run.cost(NAME),
            unnamed=self._untried_somewhere(baseline),
            only_in_company=self._only_in_company(baseline),
        )
        # New and changed tests run alone.
        sought = what_was_sought(found, reorders=self._options.reorders, each_was_first=True)
        before = self._previous.conflicts_when_failing
        return replace(
            found,
            sought=tuple(kind for kind in sought if kind in self._previous.sought),
            conflicts_when_failing=tuple(one for one in before if all(map(baseline.is_unchanged, one.proof.fails))),
        )

    def _only_in_company(self, baseline: BaselineFindings) -> int:
        """The current pairs of new and changed tests; of the others as many as before."""
        unchanged = bits(baseline.unchanged)
        rows = only_in_company(self._session)
        new = (row & ~unchanged if unchanged >> test & 1 else row for test, row in enumerate(rows))
        count = len(baseline.unchanged)
        return sum(row.bit_count() for row in new) + min(self._previous.only_in_company, count * (count - 1))

    def _seconds(self) -> Mapping[TestId, float]:
        """The earlier ones for unchanged tests: they come from more runs."""
        before = {test: taken for test, taken in self._previous.seconds.items() if test not in self._changed}
        return {**self._reference_run.usual_seconds(), **before}

    def _untried(self, baseline: BaselineFindings) -> list[int]:
        """The current pairs, and of the earlier ones those among unchanged tests."""
        rows = list(untried_rows(self._session, self._whole))
        if self._previous.untried_rows:
            place, tests = self._whole.index, self._session.suite.tests
            unchanged = bits(place[tests[test]] for test in baseline.unchanged)
            before = rows_in(self._whole, self._previous.untried_rows, self._previous.suite)
            for test in positions(unchanged):
                rows[test] |= before[test] & unchanged
        return rows

    def _untried_somewhere(self, baseline: BaselineFindings) -> int:
        """How many pairs were untried before, if it is not known which."""
        if self._previous.untried_rows:
            return 0
        unchanged = len(baseline.unchanged)
        return min(self._previous.untried, unchanged * (unchanged - 1))


def _learn(findings: Findings, baseline: BaselineFindings) -> None:
    for test, clauses in baseline.clauses.items():
        findings.learn(test, tuple(clause for clause in clauses if clause.any_of))
    reduce_clauses(findings)
    findings.pollutions.extend(baseline.pollutions)
