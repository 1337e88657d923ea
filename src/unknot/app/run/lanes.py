"""Runs a plan, and plans again for the tests that were lost with a worker, until every test has a verdict."""

from collections import Counter
from collections.abc import Iterator, Sequence

from unknot.app.run.record import RunRecord
from unknot.app.run.scope import RunScope
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.run import OrderRequest
from unknot.model.suite import Order, TestId
from unknot.plan.partial import plan_remaining
from unknot.report.wording import counted

_MOST_ROUNDS = 6
"""A test that crashes twice is not run again, so rounds end; this bounds the cost on a machine that kills at random."""


class LaneRunner:
    """Tests that the dependencies do not have run in suite order, in an order of their own."""

    def __init__(self, scope: RunScope, record: RunRecord) -> None:
        self._runner = scope.runner
        self._dependencies = scope.dependencies
        self._unknown = scope.unknown
        self._record = record
        self._workers = scope.settings.workers

    def run(self, plan: Plan) -> None:
        """The plan and the unknown tests, then the tests that were lost."""
        self._run_plan(_with_order(plan, self._unknown, self._dependencies, self._workers), attempt=0)
        self.run_lost()

    def run_lost(self) -> None:
        """Tests without a verdict, planned again. A test that took its process down runs once more in an order of its
        own: if it crashes again, that is its verdict, and tests that need it are not run."""
        for _ in range(_MOST_ROUNDS):
            crashed = [test for test in (*self._dependencies.suite.tests, *self._unknown) if self._crashed_once(test)]
            lost = [test for test in self._dependencies.suite.tests if self._can_be_run_now(test)]
            unknown = tuple(test for test in self._unknown if self._record.is_lost(test))
            if not (crashed or lost or unknown):
                return
            known = [test for test in crashed if test in self._dependencies.suite.index]
            again = plan_remaining(
                self._dependencies, lost, known, self._workers, clean_state=self._runner.price.clean_state
            )
            for order in (unknown, *((test,) for test in crashed if test not in known)):
                again = _with_order(again, order, self._dependencies, self._workers)
            self._run_plan(again, attempt=1, crashed=crashed)

    def _crashed_once(self, test: TestId) -> bool:
        crashed = self._record.verdict(test).outcome is Outcome.CRASHED
        return crashed and self._record.ends[test] == 1 and self._dependencies.outcomes.get(test) is not Outcome.CRASHED

    def _can_be_run_now(self, test: TestId) -> bool:
        """Not after a test that may take its process down again."""
        return self._record.is_lost(test) and self.crashed_prerequisite(test) is None

    def crashed_prerequisite(self, test: TestId) -> TestId | None:
        """A test that this one needs and that took its process down."""
        if test not in self._dependencies.suite.index:
            return None
        needed = self._dependencies.closure(test)[:-1]
        return next((other for other in needed if self._record.verdict(other).outcome.ends_process), None)

    def why_not_run(self, test: TestId) -> str:
        cause = self.crashed_prerequisite(test)
        return f"its prerequisite {cause} {self._record.verdict(cause).outcome}" if cause is not None else "no result"

    def _run_plan(self, plan: Plan, *, attempt: int, crashed: Sequence[TestId] = ()) -> None:
        lanes = [[OrderRequest(order, attempt) for order in lane.orders] for lane in plan.lanes]
        for run in self._runner.run_lanes(lanes, shares=plan.shares):
            self._record.take(run)
            if run.order[-1] in crashed and run.last is not Outcome.CRASHED:
                self._record.settle(run.order[-1], run.results[-1])

    def report(self) -> Iterator[str]:
        """What happened to tests whose worker died, and which tests were not run because of that."""
        for test, (outcome, worker) in self._record.died.items():
            if not self._record.verdict(test).outcome.ends_process:
                how = "died" if outcome is Outcome.CRASHED else "was stopped for taking too long"
                again = counted(self._record.lost_with[test] + 1, "test")
                yield f"worker {worker + 1} {how} during {test}; {again} of its order run again"
        lost = filter(self._record.is_lost, self._dependencies.suite.tests)
        for cause, count in Counter(map(self.crashed_prerequisite, lost)).items():
            if cause is not None:
                whose = "its prerequisite" if count == 1 else "their prerequisite"
                yield f"{counted(count, 'test')} not run: {whose} {cause} {self._record.verdict(cause).outcome}"


def _with_order(plan: Plan, order: Order, dependencies: Dependencies, workers: int) -> Plan:
    """The plan with one more order, last in the lane that is done first."""
    if not order:
        return plan
    lanes = list(plan.lanes)
    if len(lanes) < workers:
        lanes.append(Lane((order,)))
    else:
        ends = [sum(dependencies.seconds.get(test, 0.0) for test in lane.tests) for lane in lanes]
        first = ends.index(min(ends))
        lanes[first] = Lane((*lanes[first].orders, order))
    return Plan(tuple(lanes), plan.predicted_seconds, plan.shares, plan.maker)
