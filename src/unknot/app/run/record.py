"""What has happened in a run so far: a verdict for each test, where it comes from, and when each test ran."""

from collections import Counter

from unknot.model.outcome import Outcome
from unknot.model.plan import Timeline, TimelineItem
from unknot.model.run import Result, Run
from unknot.model.suite import Order, TestId
from unknot.runners.protocol import Execution

_NOT_RUN = Result(Outcome.NOT_RUN)


class RunRecord:
    """A test that runs several times has one verdict: its worst outcome, unless the verdict is settled. `before` holds
    what ran before the test in the order of its verdict. `ends` counts how often a test took its process down;
    `lost_with` how many tests were lost with it, `died` how, and on which worker."""

    def __init__(self) -> None:
        self._results: dict[TestId, Result] = {}
        self.before: dict[TestId, Order] = {}
        self.ends: Counter[TestId] = Counter()
        self.lost_with: Counter[TestId] = Counter()
        self.died: dict[TestId, tuple[Outcome, int]] = {}
        self._executions: list[Execution] = []

    def verdict(self, test: TestId) -> Result:
        return self._results.get(test, _NOT_RUN)

    def is_lost(self, test: TestId) -> bool:
        return self.verdict(test).outcome is Outcome.NOT_RUN

    def is_unexpected(self, test: TestId, expected: Outcome | None) -> bool:
        """Whether it failed although that was not expected, or crashed once: it is worth knowing whether it always
        crashes in this order."""
        if expected is not None and expected.is_bad:
            return False
        return self.verdict(test).outcome.is_bad or bool(self.ends[test])

    def take(self, run: Run) -> None:
        for place, (test, result) in enumerate(zip(run.order, run.results, strict=True)):
            if result.outcome.ends_process:
                self.ends[test] += 1
                self.lost_with[test] += len(run.order) - place - 1
            if test not in self._results or _badness(result) > _badness(self._results[test]):
                self._results[test] = result
                self.before[test] = run.order[:place]

    def take_unfinished(self) -> None:
        """After an interruption: the tests that have run in orders that did not finish."""
        for execution in self._executions:
            if execution.test not in self._results:
                self._results[execution.test] = execution.result
                self.before[execution.test] = execution.order[: execution.place]

    def settle(self, test: TestId, result: Result) -> None:
        self._results[test] = result

    def watch(self, execution: Execution) -> None:
        self._executions.append(execution)
        if execution.result.outcome.ends_process:
            self.died[execution.test] = (execution.result.outcome, execution.worker)

    def timeline(self) -> Timeline:
        """What each worker ran, counted from the start of the first test."""
        began = min((execution.started for execution in self._executions), default=0.0)
        workers = max((execution.worker for execution in self._executions), default=-1) + 1
        return tuple(_slots([each for each in self._executions if each.worker == w], began) for w in range(workers))


def _badness(result: Result) -> int:
    return 2 if result.outcome.is_bad else 0 if result.outcome is Outcome.NOT_RUN else 1


def _slots(executions: list[Execution], began: float) -> tuple[TimelineItem, ...]:
    slots: list[TimelineItem] = []
    order, request = -1, -1
    free = 0.0
    for each in executions:
        if each.request != request:
            order, request = order + 1, each.request
        # The seconds of a test are measured inside its process, its end outside: the items must not overlap.
        start = max(free, each.started - began)
        free = max(start, each.ended - began)
        slots.append(TimelineItem(each.test, order, start, free, each.result.outcome))
    return tuple(slots)
