"""Tasks under way: submitted, and not yet landed."""

import queue
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass

from unknot.runners.dispatch.work_queue import Group
from unknot.runners.workers import pool
from unknot.runners.workers.task import Reply, Task


@dataclass(frozen=True)
class PendingTask:
    """`group` are the orders of the task, keyed by their requests; `slot` is where it stood."""

    slot: int
    group: Group
    future: "Future[Reply]"

    @property
    def error(self) -> BaseException | None:
        """Assumes that it has landed. Also if it was cancelled, by whoever did so."""
        try:
            return self.future.exception()
        except CancelledError as problem:
            return problem


class PendingTasks:
    """At most one for each slot. What comes back after `cancel` is not heard."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._under_way: dict[int, PendingTask] = {}
        self._landed: queue.SimpleQueue[int] = queue.SimpleQueue()

    def __bool__(self) -> bool:
        return bool(self._under_way)

    def __contains__(self, slot: int) -> bool:
        return slot in self._under_way

    def start(self, slot: int, group: Group, task: Task) -> None:
        future = self._executor.submit(pool.answer, task)
        self._under_way[slot] = PendingTask(slot, group, future)
        # May be called at once, or in another thread; once for each future.
        future.add_done_callback(lambda _: self._landed.put(slot))

    def landed(self, seconds: float) -> PendingTask | None:
        """Waits for the next one; None if there is none in that time."""
        try:
            return self._under_way.pop(self._landed.get(timeout=seconds))
        except queue.Empty:
            return None

    def cancel(self) -> None:
        """What is not begun will not be; what is begun goes on, unheard."""
        for flight in self._under_way.values():
            flight.future.cancel()
