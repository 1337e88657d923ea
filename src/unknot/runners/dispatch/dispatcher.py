"""The dispatcher: hands groups of orders to workers as tasks, and retries what a dead worker did not finish."""

import queue
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass

from unknot.model.errors import RunnerError, UnknotError
from unknot.model.suite import Order
from unknot.runners.dispatch.work_queue import Group, WorkQueue, one_by_one
from unknot.runners.workers import pool
from unknot.runners.workers.slot import Workers
from unknot.runners.workers.task import Reply, Task

_MOST_DEATHS = 5
_DEATHS_TOGETHER = 1
"""When more workers died over a task, its orders are retried one by one: one of them may be to blame."""

_WAIT_SECONDS = 1.0
_NO_WORKER_SECONDS = 60.0


@dataclass(frozen=True)
class PendingTask:
    """`group` are the orders of the task, keyed by their requests; `slot` is the position it was handed out for."""

    slot: int
    group: Group
    future: "Future[Reply]"

    @property
    def error(self) -> BaseException | None:
        """Assumes that it is done, or was cancelled."""
        try:
            return self.future.exception()
        except CancelledError as problem:
            return problem


class PendingTasks:
    """At most one for each slot. What comes back after `cancel` is dropped."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._tasks: dict[int, PendingTask] = {}
        self._done: queue.SimpleQueue[int] = queue.SimpleQueue()

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def __contains__(self, slot: int) -> bool:
        return slot in self._tasks

    def start(self, slot: int, group: Group, task: Task) -> None:
        future = self._executor.submit(pool.answer, task)
        self._tasks[slot] = PendingTask(slot, group, future)
        # May be called at once, or in another thread; once for each future.
        future.add_done_callback(lambda _: self._done.put(slot))

    def next_done(self, seconds: float) -> PendingTask | None:
        """Waits for the next one; None if there is none in that time."""
        try:
            return self._tasks.pop(self._done.get(timeout=seconds))
        except queue.Empty:
            return None

    def cancel(self) -> None:
        """What is not begun will not be; what is begun goes on, its reply is dropped."""
        for task in self._tasks.values():
            task.future.cancel()


class Dispatcher:
    """Hands out what is queued, `ahead` tasks for each worker, and takes what comes back. With `together`, a group is
    never taken apart."""

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

    def replies(self) -> Iterator[tuple[PendingTask, Reply]]:
        """Each order exactly once. Raises what a slot raised, and RunnerError if workers die over the same order again
        and again, or if there is no worker any more."""
        pending = PendingTasks(self._workers.executor)
        try:
            while self._queue or pending:
                self._hand_out(pending)
                done = pending.next_done(_WAIT_SECONDS)
                if done is None:
                    self._check_workers()
                elif (error := done.error) is None:
                    self._no_worker_since = None
                    yield done, done.future.result()
                else:
                    self._retry(done, error)
        finally:
            pending.cancel()

    def _hand_out(self, pending: PendingTasks) -> None:
        for slot in range(max(1, self._workers.count) * self._ahead):
            if self._queue and slot not in pending:
                group = self._queue.take(slot)
                try:
                    pending.start(slot, group, self._task(group))
                except UnknotError:
                    raise
                except Exception as problem:
                    if not self._workers.deaths(problem):
                        raise
                    raise RunnerError(
                        f"the workers cannot be reached any more: {problem}", slug="cluster-lost"
                    ) from problem

    def _retry(self, failed: PendingTask, error: BaseException) -> None:
        dead = self._workers.deaths(error)
        if not dead:
            raise error
        group = failed.group
        for key in group:
            self._deaths[key] += dead
        most = max(self._deaths[key] for key in group)
        if most > _MOST_DEATHS:
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
