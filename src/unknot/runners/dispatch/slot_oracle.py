"""Answers from slots that worker processes hold, here or on a cluster."""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import TestId
from unknot.oracle.protocol import Price
from unknot.runners.dispatch.batches import by_first, cut, one_by_one
from unknot.runners.dispatch.deadlines import TestDeadlines
from unknot.runners.dispatch.dispatcher import Dispatcher
from unknot.runners.dispatch.telling import executed, executions
from unknot.runners.dispatch.work_queue import Group, WorkQueue
from unknot.runners.protocol import Execution, Listing
from unknot.runners.workers.project import ProjectSeen
from unknot.runners.workers.slot import SlotSpec
from unknot.runners.workers.task import Kit, Reply, Task, versions
from unknot.runners.workers.workers import Workers


class SlotOracle:
    """Implements Runner. Use as a context manager: whatever happens, no slot is left open.

    A request whose worker dies is asked again, and its answer counts once. When an asking is closed early, what has
    not begun never will; what has begun goes on in its worker, unheard, and the next asking waits for that worker.
    `notes` are what slots said that a person should know, each once."""

    def __init__(self, spec: SlotSpec, listing: Listing, workers: Workers, session: str = "") -> None:
        """With a session, slots that were opened for it are used."""
        self._spec = spec
        self._suite = listing.suite
        self._workers = workers
        self._price = Price(spec.clean_state, max(1, workers.count), spec.can_share)
        self._session = session or secrets.token_hex(8)
        project = ProjectSeen.by(listing) if workers.elsewhere else None
        self._kit = Kit(spec, listing.suite.tests, project, versions()).packed()
        self._apart: set[int] = set()
        self._numbers: dict[str, int] = {}
        self._patience = TestDeadlines(float("inf"))
        self._asked = 0
        self.listener: Callable[[TestId, Result], None] = lambda test, result: None
        self.watcher: Callable[[Execution], None] | None = None
        self.notes: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._workers.close(self._session)

    @property
    def price(self) -> Price:
        """As it was when the oracle was made: what a detector asks must not change because a worker comes or goes."""
        return self._price

    @property
    def can_share(self) -> bool:
        return self._spec.can_share

    @property
    def beyond(self) -> list[str]:
        """Slots tell of such things in their notes."""
        return []

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        paths = self._paths(requests)
        for key, request in enumerate(requests):
            if not request.order:
                del paths[key]
                yield Run(request, (), executed=0)
        tests = self._suite.tests
        groups = cut(
            paths,
            self._alone(requests, paths),
            len(tests),
            lambda item: self._patience.expected(tests[item]),
            max(1, self._workers.count),
        )
        yield from self._answer(requests, WorkQueue([groups]))

    def run_in_turn(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        """As `ask`, but sharing nothing and in the sequence given: whoever is free takes the next order."""
        yield from self._answer(requests, WorkQueue([one_by_one(self._paths(requests))]))

    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        """As `ask`, a lane for each worker, in its sequence; who is done with its own takes over what others have not
        begun. With `shares`, the orders of a lane that begin with the same test are one task, where that is possible.
        No order is empty."""
        requests = [request for lane in lanes for request in lane]
        paths = self._paths(requests)
        alone = self._alone(requests, paths) if shares else set(paths)
        keys = iter(paths)
        groups = [by_first({key: paths[key] for key in (next(keys) for _ in lane)}, alone) for lane in lanes]
        yield from self._answer(requests, WorkQueue(groups), in_lanes=True)

    def on_one_slot(self, requests: Sequence[OrderRequest], *, renewed: bool = False) -> list[Run]:
        """These orders one after another on the same slot, sharing nothing, in the sequence given; with `renewed`, on
        one that has thrown away whatever it held."""
        runs = self._answer(requests, WorkQueue([[self._paths(requests)]]), together=True, renew=renewed)
        return list(runs)

    def renewed(self, request: OrderRequest) -> Run:
        """Answered by a slot that starts from nothing, not from what a reset has made."""
        (run,) = self.on_one_slot([request], renewed=True)
        return run

    def keep_apart(self, tests: Iterable[TestId]) -> None:
        """Whoever runs these shares nothing with others."""
        index = self._suite.index
        self._apart.update(index[test] for test in tests if test in index)

    def _paths(self, requests: Sequence[OrderRequest]) -> Group:
        index = self._suite.index
        return {key: tuple(index[test] for test in request.order) for key, request in enumerate(requests)}

    def _alone(self, requests: Sequence[OrderRequest], paths: Group) -> set[int]:
        """The requests that share nothing."""
        if not self.can_share:
            return set(paths)
        return {key for key, path in paths.items() if requests[key].attempt > 0 or not self._apart.isdisjoint(path)}

    def _answer(
        self,
        requests: Sequence[OrderRequest],
        waiting: WorkQueue,
        *,
        in_lanes: bool = False,
        together: bool = False,
        renew: bool = False,
    ) -> Iterator[Run]:
        def task(group: Group) -> Task:
            shares = len(group) > 1 and not together
            return Task(self._session, self._kit, tuple(group.values()), shares, renew)

        first, self._asked = self._asked, self._asked + len(requests)
        asking = Dispatcher(
            self._suite.tests,
            self._workers,
            waiting,
            task,
            ahead=1 if in_lanes else self._workers.ahead,
            together=together,
        )
        for flight, reply in asking.replies():
            worker = flight.slot if in_lanes else self._numbers.setdefault(reply.slot, len(self._numbers))
            self._tell(worker, {key: requests[key] for key in flight.group}, reply, first)
            for key, answered in zip(flight.group, reply.answers, strict=True):
                yield Run(requests[key], answered.results, answered.executed, answered.seconds)

    def _tell(self, worker: int, asked: dict[int, OrderRequest], reply: Reply, first: int) -> None:
        now = time.monotonic()
        orders = [request.order for request in asked.values()]
        for note in (note for answered in reply.answers for note in answered.notes):
            if note not in self.notes:
                self.notes.append(note)
        for execution in executions(worker, [first + key for key in asked], orders, reply.answers, now):
            self._patience.saw(execution.test, execution.result.seconds)
            if self.watcher is not None:
                self.watcher(execution)
        for order, answered in zip(orders, reply.answers, strict=True):
            for test, result in executed(order, answered):
                if result.outcome.is_verdict:
                    self.listener(test, result)
