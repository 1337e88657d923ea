"""Growing suites: yesterday's graph, and only what could have changed since is asked.

Idea
    Whatever was found among tests that are still there and as they were stays true, with its proof. The reference
    order of today shows who has lost whom it needs, or met whom it does not bear. A new or changed test is run alone;
    what it needs is searched if it fails there. Then old dependents are run without what they need but after the new
    tests, to see whether these can serve in its place, and everybody meets the new tests in a few orders of all.
Assumptions
    Those of the sieve; and that a test not said to have changed does the same as before in the same company.
Guarantee
    Every claim has its two runs: yesterday's, if all tests in them are as they were, or new ones. Stopped at any
    moment, the result holds what has been shown until then, and marks what new tests may still add to as not
    complete. Nothing is more complete than it was yesterday: what was untried then is counted as untried still,
    unless it is claimed now.
    In a suite whose needs are all for single tests, the graph is the one that a detection from nothing finds.
Cost
    Nothing changed: the reference order. One new test that needs and breaks nobody: the reference order, the test
    alone, three orders of all tests, and one order for each clause that the dependent with the most clauses has; a
    few more where tests break each other. A new test that needs k others: about 2k log2(n/k) orders more; fewer if the
    suite was recorded, for then those whose work it found are tried first. A recording is not trusted here.
"""

from collections.abc import Collection

from unknot.detect.engine.durations import usual_seconds
from unknot.detect.engine.findings import Steadiness
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.reduction import reduce_clauses
from unknot.detect.engine.reference import Opening, open_suite
from unknot.detect.engine.result import spent
from unknot.detect.engine.untried import less_claimed, untried_rows
from unknot.detect.incremental.baseline import Yesterday
from unknot.detect.incremental.baseline_session import BaselineSession
from unknot.detect.incremental.changes import Changes
from unknot.detect.incremental.claims import Claims
from unknot.detect.sieve.priorities import Clues
from unknot.hints.position import any_other, every_earlier
from unknot.model.bits import bits, positions
from unknot.model.dependencies import Confidence, Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in, rows_in
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Oracle

NAME = "growing"


def grow(
    suite: Suite,
    oracle: Oracle,
    previous: Dependencies,
    changed: Collection[TestId] = (),
    options: Options = DEFAULT_OPTIONS,
    on_progress: ProgressCallback = no_progress,
) -> Dependencies:
    """The dependencies of today's suite. `changed` are tests that were there yesterday and are not the same now; who is
    new, gone or moved is told by the two suites. `options` must look for the same as yesterday's detection did."""
    return _Growth(suite, oracle, previous, changed, options, on_progress).detect()


class _Growth:
    def __init__(
        self,
        suite: Suite,
        oracle: Oracle,
        previous: Dependencies,
        changed: Collection[TestId],
        options: Options,
        on_progress: ProgressCallback,
    ) -> None:
        self._whole = suite
        self._oracle = oracle
        self._previous = previous
        self._changed = changed
        self._options = options
        self._on_progress = on_progress
        self._session = self._new_session(suite)
        self._opening = Opening(self._session)

    def _new_session(self, suite: Suite) -> BaselineSession:
        suspects = any_other if self._options.reorders else every_earlier
        recorded = self._options.recorded
        clues = Clues(len(suite), recorded.among(self._whole, suite)) if recorded else None
        self._session = BaselineSession(suite, self._oracle, suspects, self._on_progress, clues)
        return self._session

    def detect(self) -> Dependencies:
        try:
            open_suite(self._opening, self._new_session, self._options.reference, backwards=False)
        except (BudgetExhausted, KeyboardInterrupt):
            yesterday, claims = self._carry_over(is_reference_known=False)
            return self._told(yesterday, claims, complete=False)
        yesterday, claims = self._carry_over(is_reference_known=True)
        changes = Changes(self._session, yesterday, claims, self._options)
        try:
            complete = changes.search() and changes.prove()
        except (BudgetExhausted, KeyboardInterrupt):
            complete = False
        return self._told(yesterday, claims, complete=complete)

    def _carry_over(self, *, is_reference_known: bool) -> tuple[Yesterday, Claims]:
        """Puts what still stands into the findings."""
        session, findings = self._session, self._session.findings
        outcomes = self._opening.outcomes if is_reference_known else {}
        yesterday = Yesterday(
            self._previous, session.suite, self._changed, outcomes, counts_moves=not self._options.reorders
        )
        findings.flaky |= yesterday.flaky
        for test, said in yesterday.confidence.items():
            findings.certainty[test] = Steadiness(yesterday.wanted(test), True, said.differed, said.runs, said.sure)
        for test in yesterday.kept - set(yesterday.fallen):
            findings.wanted[test] = yesterday.wanted(test)
            if yesterday.is_victim(test):
                findings.rescued.add(test)
        session.remember(yesterday)
        for test, clauses in yesterday.clauses.items():
            findings.learn(test, tuple(clause for clause in clauses if clause.any_of))
        reduce_clauses(findings)
        findings.pollutions.extend(yesterday.pollutions)
        return yesterday, Claims(session, yesterday, is_complete=self._previous.complete)

    def _told(self, yesterday: Yesterday, claims: Claims, *, complete: bool) -> Dependencies:
        """Asks nothing more."""
        session, findings, tests = self._session, self._session.findings, self._whole.tests
        claims.show(may_ask=False)
        usual = {session.suite.tests[test]: outcome for test, outcome in findings.usual.items()}
        needs, conflicts = claims.needs(), claims.conflicts()
        rows = less_claimed(self._untried(yesterday), self._whole, needs, conflicts)
        unnamed = self._untried_somewhere(yesterday)
        return Dependencies(
            suite=self._whole,
            outcomes={**dict.fromkeys(tests, Outcome.NOT_RUN), **self._opening.outcomes, **usual},
            seconds=self._seconds(),
            needs=needs,
            conflicts=conflicts,
            flaky=session.suite.order(sorted(findings.flaky)),
            untried=pairs_in(rows) + unnamed,
            untried_rows=() if unnamed else rows,
            complete=complete and self._previous.complete and not findings.unresolved,
            cost=spent(NAME, self._opening),
            confidence={
                session.suite.tests[test]: Confidence(said.sure, said.differed, said.runs)
                for test, said in sorted(findings.certainty.items())
            },
        )

    def _seconds(self) -> dict[TestId, float]:
        """Yesterday's for who is still the same: they come from more runs than there are today."""
        today = usual_seconds(self._opening)
        before = {test: taken for test, taken in self._previous.seconds.items() if test not in self._changed}
        return {test: before.get(test, today.get(test, 0.0)) for test in self._whole.tests}

    def _untried(self, yesterday: Yesterday) -> list[int]:
        """Today's pairs, and of yesterday's those among tests that are kept."""
        rows = list(untried_rows(self._session, self._whole))
        if self._previous.untried_rows:
            place, tests = self._whole.index, self._session.suite.tests
            kept = bits(place[tests[test]] for test in yesterday.kept)
            before = rows_in(self._whole, self._previous.untried_rows, self._previous.suite)
            for test in positions(kept):
                rows[test] |= before[test] & kept
        return rows

    def _untried_somewhere(self, yesterday: Yesterday) -> int:
        """How many pairs are untried since yesterday without being told which."""
        if self._previous.untried_rows:
            return 0
        kept = len(yesterday.kept)
        return min(self._previous.untried, kept * (kept - 1))
