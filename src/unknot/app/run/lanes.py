"""Runs a plan, and plans again for what was lost when a worker died, until every test has a verdict."""

from collections.abc import Sequence

from unknot.app.run.record import RunRecord
from unknot.cli.outcome_report import OutcomeReport
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.run import OrderRequest
from unknot.model.suite import Order, TestId
from unknot.plan.partial import plan_remaining
from unknot.report.wording import counted
from unknot.runners.protocol import Runner

_MOST_ROUNDS = 6
"""Whoever dies twice is not tried again, so that rounds come to an end; this bounds what a machine that kills at random
can cost."""


class LaneRunner:
    """`unknown` are tests that the dependencies say nothing about: they run in the sequence given, by themselves."""

    def __init__(
        self, runner: Runner, dependencies: Dependencies, unknown: Order, record: RunRecord, workers: int
    ) -> None:
        self._runner = runner
        self._dependencies = dependencies
        self._unknown = unknown
        self._record = record
        self._workers = workers

    def run(self, plan: Plan) -> None:
        """The plan and the unknown tests, then whatever was lost."""
        self._ask(_with_order(plan, self._unknown, self._dependencies, self._workers), attempt=0)
        self.run_lost()

    def run_lost(self) -> None:
        """What has no verdict, planned again. A test that took its process down is tried once more in an order of its
        own: if it does so again, that is its verdict, and those that need it are not run."""
        for _ in range(_MOST_ROUNDS):
            suspects = [test for test in self._tests if self._is_suspect(test)]
            lost = [test for test in self._dependencies.suite.tests if self._can_be_run_now(test)]
            behind = tuple(test for test in self._unknown if self._record.is_lost(test))
            if not (suspects or lost or behind):
                return
            known = [test for test in suspects if test in self._dependencies.suite.index]
            again = plan_remaining(
                self._dependencies, lost, known, self._workers, clean_state=self._runner.price.clean_state
            )
            for order in (behind, *((test,) for test in suspects if test not in known)):
                again = _with_order(again, order, self._dependencies, self._workers)
            self._ask(again, attempt=1, suspects=suspects)

    @property
    def _tests(self) -> Order:
        return (*self._dependencies.suite.tests, *self._unknown)

    def _is_suspect(self, test: TestId) -> bool:
        crashed = self._record.verdict(test).outcome is Outcome.CRASHED
        return crashed and self._record.ends[test] == 1 and self._dependencies.outcomes.get(test) is not Outcome.CRASHED

    def _can_be_run_now(self, test: TestId) -> bool:
        """Not behind one that may take its process down again."""
        return self._record.is_lost(test) and self.who_ended(test) is None

    def who_ended(self, test: TestId) -> TestId | None:
        """Somebody that the test needs and that took its process down."""
        if test not in self._dependencies.suite.index:
            return None
        needed = self._dependencies.closure(test)[:-1]
        return next((other for other in needed if self._record.verdict(other).outcome in _ENDED), None)

    def _ask(self, plan: Plan, *, attempt: int, suspects: Sequence[TestId] = ()) -> None:
        lanes = [[OrderRequest(order, attempt) for order in lane.orders] for lane in plan.lanes]
        for run in self._runner.run_lanes(lanes, shares=plan.shares):
            self._record.take(run)
            if run.order[-1] in suspects and run.last is not Outcome.CRASHED:
                self._record.settle(run.order[-1], run.results[-1])

    def tell(self, out: OutcomeReport) -> None:
        """What became of those whose worker died, and who is not run for that."""
        for test, (outcome, worker) in self._record.died.items():
            if self._record.verdict(test).outcome not in _ENDED:
                how = "died" if outcome is Outcome.CRASHED else "was stopped for taking too long"
                again = counted(self._record.lost_with[test] + 1, "test")
                out.line(f"worker {worker + 1} {how} during {test}; {again} of its order run again")
        not_run: dict[TestId, int] = {}
        for test in self._dependencies.suite.tests:
            if self._record.is_lost(test) and (cause := self.who_ended(test)):
                not_run[cause] = not_run.get(cause, 0) + 1
        for cause, count in not_run.items():
            out.line(
                f"{counted(count, 'test')} not run: needed is {cause}, which {self._record.verdict(cause).outcome}"
            )


_ENDED = (Outcome.CRASHED, Outcome.TIMED_OUT)


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
