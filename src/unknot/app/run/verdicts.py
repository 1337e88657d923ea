"""Passes the verdicts of a run on as soon as they are final."""

from collections import Counter

from unknot.app.progress import ProgressListener
from unknot.app.run.record import RunRecord
from unknot.app.run.scope import RunScope
from unknot.model.outcome import Outcome
from unknot.model.plan import Plan
from unknot.model.run import Result
from unknot.model.suite import TestId


class EnoughFailures(Exception):
    """A signal: as many tests have failed, or seem to have, as may fail before the run ends."""


class Verdicts:
    """The listener gets each test once, in the sequence in which they become final. An unexpected failure is held
    back until its reason is known, if `repairs` is set; so is a test that the plan repeats, until it has run for
    the last time, and one that took its process down once. Only a test that failed after its verdict was passed on,
    which takes a worker that died, is passed on twice."""

    def __init__(
        self, scope: RunScope, plan: Plan, record: RunRecord, listener: ProgressListener, *, repairs: bool
    ) -> None:
        self._scope = scope
        self._record = record
        self._listener = listener
        self._repairs = repairs
        self._chosen = frozenset(scope.tests)
        self._runs_left = Counter(test for lane in plan.lanes for order in lane.orders for test in order)
        self._held: set[TestId] = set()
        self._failures = 0
        self.passed_on: dict[TestId, Outcome] = {}

    def after_test(self, test: TestId, result: Result) -> None:
        """Raises EnoughFailures."""
        self._listener.after_test(test, result)
        self._runs_left[test] -= 1
        if test in self.passed_on or test not in self._chosen:
            return
        expected = self._scope.dependencies.outcomes.get(test)
        if result.outcome.is_bad and self._repairs and not (expected is not None and expected.is_bad):
            self._held.add(test)
        elif self._runs_left[test] <= 0 and test not in self._held and not self._record.ends[test]:
            before = self._record.verdict(test)
            self._pass_on(test, before if before.outcome.is_bad else result)
        if self.is_enough(len(self._held)):
            raise EnoughFailures

    def is_enough(self, more: int = 0) -> bool:
        """Whether so many tests have failed, with so many more, as may fail."""
        return self._listener.has_enough(self._failures + more)

    def pass_on_settled(self) -> None:
        """All that have a verdict by now, in the sequence of the suite."""
        self._held.clear()
        for test in self._scope.tests:
            result = self._record.verdict(test)
            if result.outcome is not Outcome.NOT_RUN:
                self._pass_on_changed(test, result)

    def pass_on_not_run(self, test: TestId, why: str) -> None:
        self._pass_on_changed(test, Result(Outcome.NOT_RUN, story=why))

    def _pass_on_changed(self, test: TestId, result: Result) -> None:
        before = self.passed_on.get(test)
        if before is None or (result.outcome.is_bad and not before.is_bad):
            self._pass_on(test, result)

    def _pass_on(self, test: TestId, result: Result) -> None:
        self.passed_on[test] = result.outcome
        self._failures += result.outcome.is_bad
        self._listener.verdict(test, result)
