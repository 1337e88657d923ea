"""The dispatcher: hands groups of orders to workers as tasks, and retries what a dead worker did not finish."""

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field

from unknot.model.errors import RunnerError, UnknotError
from unknot.model.suite import Order
from unknot.runners.dispatch.work_queue import Group, WorkQueue, one_by_one
from unknot.runners.workers.slot import Answered, ExecutedTest, OutsideTraces, SlotLost, SlotReport, Workers
from unknot.runners.workers.task import Task

_MOST_DEATHS = 5
_DEATHS_TOGETHER = 1
"""When more workers died over a task, its orders are retried one by one: one of them may be to blame."""

_WAIT_SECONDS = 1.0
_NO_WORKER_SECONDS = 60.0


@dataclass(eq=False)
class PendingTask:
    """`keys` are the requests of its orders, in their sequence; `left` are the orders that were not answered yet;
    `position` is what it was handed out for."""

    position: int
    left: Group
    cancelled: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.keys = tuple(self.left)
        self.future: Future[list[SlotReport]] | None = None

    @property
    def error(self) -> BaseException | None:
        """Assumes that it is done, or was cancelled."""
        assert self.future is not None
        try:
            return self.future.exception()
        except CancelledError as problem:
            return problem


class PendingTasks:
    """At most one for each position. What comes back after `cancel` is dropped."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._tasks: dict[int, PendingTask] = {}
        self._inbox: queue.SimpleQueue[tuple[PendingTask, SlotReport | None]] = queue.SimpleQueue()

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def __contains__(self, position: int) -> bool:
        return position in self._tasks

    def start(self, position: int, group: Group, task: Task) -> None:
        pending = PendingTask(position, dict(group))
        inbox = self._inbox
        future = self._workers.submit(task, lambda report: inbox.put((pending, report)), pending.cancelled)
        pending.future = future
        self._tasks[position] = pending
        # May be called at once, or in another thread; once for each future, after all that was reported.
        future.add_done_callback(lambda _: inbox.put((pending, None)))

    def next(self, seconds: float) -> tuple[PendingTask, SlotReport | None] | None:
        """Waits for the next report, or the end of a task, which has none; None if nothing comes in that time."""
        try:
            pending, report = self._inbox.get(timeout=seconds)
        except queue.Empty:
            return None
        if report is None:
            del self._tasks[pending.position]
        return pending, report

    def cancel(self) -> None:
        """What is not begun will not be; what is begun is broken off, or goes on and is ignored."""
        for task in self._tasks.values():
            task.cancelled.set()
            if task.future is not None:
                task.future.cancel()


class Dispatcher:
    """Hands out what is queued, `ahead` tasks for each worker, and passes on what they report. With `together`, a group
    is never taken apart."""

    def __init__(
        self,
        tests: Order,
        workers: Workers,
        waiting: WorkQueue,
        task: Callable[[Group], Task],
        *,
        ahead: int,
        together: bool = False,
    ) -> None:
        self._tests = tests
        self._workers = workers
        self._queue = waiting
        self._task = task
        self._ahead = ahead
        self._together = together
        self._deaths: Counter[int] = Counter()
        self._no_worker_since: float | None = None

    def reports(self) -> Iterator[tuple[PendingTask, str, ExecutedTest | Answered | OutsideTraces]]:
        """The task, the slot, and what happened there; each order is answered exactly once. Raises what a slot raised,
        and RunnerError if workers die over the same order again and again, or if there is no worker any more."""
        pending = PendingTasks(self._workers)
        try:
            while self._queue or pending:
                self._hand_out(pending)
                found = pending.next(_WAIT_SECONDS)
                if found is None:
                    self._check_workers()
                    continue
                task, report = found
                self._no_worker_since = None
                if report is not None:
                    yield task, *self._passed_on(task, report)
                elif (error := task.error) is not None:
                    self._retry(task, error)
                else:
                    assert task.future is not None
                    for late in task.future.result():
                        yield task, *self._passed_on(task, late)
        finally:
            pending.cancel()

    def _passed_on(self, task: PendingTask, report: SlotReport) -> SlotReport:
        if isinstance(report[1], Answered):
            # A slot answers in the sequence given.
            del task.left[next(iter(task.left))]
        return report

    def _hand_out(self, pending: PendingTasks) -> None:
        for position in range(max(1, self._workers.count) * self._ahead):
            if self._queue and position not in pending:
                group = self._queue.take(position)
                try:
                    pending.start(position, group, self._task(group))
                except UnknotError:
                    raise
                except Exception as problem:
                    if not self._workers.deaths(problem):
                        raise
                    raise RunnerError(
                        f"the workers cannot be reached any more: {problem}", slug="cluster-lost"
                    ) from problem

    def _retry(self, failed: PendingTask, error: BaseException) -> None:
        group = failed.left
        if isinstance(error, SlotLost) and self._workers.count == 0:
            raise error.why
        dead = 1 if isinstance(error, SlotLost) else self._workers.deaths(error)
        if not dead:
            raise error
        if not group:
            return
        for key in group:
            self._deaths[key] += dead
        most = max(self._deaths[key] for key in group)
        if most > _MOST_DEATHS:
            if isinstance(error, SlotLost):
                raise error.why
            raise RunnerError(
                f"{most} workers died while they ran {self._described(group)}; the last one: {error}",
                hint="use fewer workers if the memory is not enough; check whether a test kills processes that it has"
                " not started",
                slug="worker-died",
            )
        if most > _DEATHS_TOGETHER and not self._together:
            for single in one_by_one(group):
                self._queue.give_back(single)
        else:
            self._queue.give_back(group)

    def _check_workers(self) -> None:
        if self._workers.count > 0:
            self._no_worker_since = None
            return
        now = time.monotonic()
        self._no_worker_since = self._no_worker_since or now
        if now - self._no_worker_since > _NO_WORKER_SECONDS:
            raise RunnerError(
                f"there has been no worker for {_NO_WORKER_SECONDS:.0f} seconds",
                hint="start some workers, and run the command again",
                slug="no-workers",
            )

    def _described(self, group: Group) -> str:
        path = max(group.values(), key=len)
        first, last = self._tests[path[0]], self._tests[path[-1]]
        return f"an order of {len(path)} tests, {first} first and {last} last"
