"""One asking: from groups of orders to replies, whoever dies on the way."""

import time
from collections import Counter
from collections.abc import Callable, Iterator

from unknot.model.errors import RunnerError, UnknotError
from unknot.model.suite import Order
from unknot.runners.dispatch.batches import one_by_one
from unknot.runners.dispatch.pending import PendingTask, PendingTasks
from unknot.runners.dispatch.work_queue import Group, WorkQueue
from unknot.runners.workers.task import Reply, Task
from unknot.runners.workers.workers import Workers

_MOST_DEATHS = 5
_DEATHS_TOGETHER = 1
"""When more workers died over a task, its orders go on by themselves: one of them may be to blame."""

_LISTEN_SECONDS = 1.0
_NOBODY_SECONDS = 60.0


class Dispatcher:
    """Hands out what waits, `ahead` tasks for each worker, and takes what comes back. With `together`, a group is never
    taken apart."""

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
        self._waiting = waiting
        self._task = task
        self._ahead = ahead
        self._together = together
        self._deaths: Counter[int] = Counter()
        self._nobody_since: float | None = None

    def replies(self) -> Iterator[tuple[PendingTask, Reply]]:
        """Each order exactly once. Raises what a slot raised, and RunnerError if workers die over the same order again
        and again, or if there is nobody any more."""
        flights = PendingTasks(self._workers.executor)
        try:
            while self._waiting or flights:
                self._hand_out(flights)
                flight = flights.landed(_LISTEN_SECONDS)
                if flight is None:
                    self._see_who_is_there()
                elif (error := flight.error) is None:
                    self._nobody_since = None
                    yield flight, flight.future.result()
                else:
                    self._ask_again(flight, error)
        finally:
            flights.cancel()

    def _hand_out(self, flights: PendingTasks) -> None:
        for slot in range(max(1, self._workers.count) * self._ahead):
            if self._waiting and slot not in flights:
                group = self._waiting.take(slot)
                try:
                    flights.start(slot, group, self._task(group))
                except UnknotError:
                    raise
                except Exception as problem:
                    if not self._workers.deaths(problem):
                        raise
                    raise RunnerError(f"the workers cannot be reached any more: {problem}") from problem

    def _ask_again(self, flight: PendingTask, error: BaseException) -> None:
        dead = self._workers.deaths(error)
        if not dead:
            raise error
        group = flight.group
        for key in group:
            self._deaths[key] += dead
        most = max(self._deaths[key] for key in group)
        if most > _MOST_DEATHS:
            raise RunnerError(
                f"{most} workers died while they ran {self._named(group)}; the last one: {error}",
                hint="ask for fewer workers if the memory is not enough; see whether a test kills processes that it"
                " has not started",
            )
        if most > _DEATHS_TOGETHER and not self._together:
            for single in one_by_one(group):
                self._waiting.give_back(single)
        else:
            self._waiting.give_back(group)

    def _see_who_is_there(self) -> None:
        if self._workers.count > 0:
            self._nobody_since = None
            return
        now = time.monotonic()
        self._nobody_since = self._nobody_since or now
        if now - self._nobody_since > _NOBODY_SECONDS:
            raise RunnerError(
                f"there has been no worker for {_NOBODY_SECONDS:.0f} seconds", hint="start some, and run it again"
            )

    def _named(self, group: Group) -> str:
        path = max(group.values(), key=len)
        first, last = self._tests[path[0]], self._tests[path[-1]]
        return f"an order of {len(path)} tests, {first} first and {last} last"
