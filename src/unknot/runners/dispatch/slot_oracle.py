"""Runs orders on slots that worker processes hold, here or on a cluster."""

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.protocol import Price
from unknot.runners.dispatch.dispatcher import Dispatcher
from unknot.runners.dispatch.order_runner import OrderRunner
from unknot.runners.dispatch.work_queue import Group, WorkQueue
from unknot.runners.protocol import Execution, Listing
from unknot.runners.workers.slot import Answered, SlotSpec, Workers
from unknot.runners.workers.task import ProjectSeen, Reply, SessionSpec, Task, versions


class SlotOracle(OrderRunner):
    """Implements Runner. Whatever happens, no slot is left open.

    An order whose worker dies is run again, and its results count once. When an iteration is closed early, what has
    not begun never will; what has begun goes on in its worker, its results are dropped, and the next iteration waits
    for that worker. `notes` are what slots reported for a person to know, each once."""

    _fewest_orders = 4

    def __init__(self, spec: SlotSpec, listing: Listing, workers: Workers, session: str = "") -> None:
        """With a session, slots that were opened for it are used."""
        super().__init__(timeout=float("inf"))
        self._spec = spec
        self._suite = listing.suite
        self._workers = workers
        self._price = Price(spec.clean_state, max(1, workers.count), spec.can_share)
        self._session = session or secrets.token_hex(8)
        project = ProjectSeen.by(listing) if workers.elsewhere else None
        self._kit = SessionSpec(spec, listing.suite.tests, project, versions()).packed()
        self._numbers: dict[str, int] = {}
        self.notes: list[str] = []

    def close(self) -> None:
        self._workers.close(self._session)

    @property
    def suite(self) -> Suite:
        return self._suite

    @property
    def price(self) -> Price:
        """As it was when the oracle was made: a detector's requests must not change because a worker comes or goes."""
        return self._price

    @property
    def can_share(self) -> bool:
        return self._spec.can_share

    @property
    def beyond(self) -> list[str]:
        """Slots report such things in their notes."""
        return []

    def on_one_slot(self, requests: Sequence[OrderRequest], *, renewed: bool = False) -> list[Run]:
        """These orders one after another on the same slot, sharing nothing, in the sequence given; with `renewed`, on
        one that has thrown away whatever it held."""
        queue = WorkQueue([[self._paths(requests)]])
        return list(self._dispatched(requests, queue, together=True, renew=renewed))

    def renewed(self, request: OrderRequest) -> Run:
        """Run by a slot that starts from nothing, not from what a reset has made."""
        (run,) = self.on_one_slot([request], renewed=True)
        return run

    @property
    def _parallel(self) -> int:
        return max(1, self._workers.count)

    def _run(
        self,
        requests: Sequence[OrderRequest],
        queue: WorkQueue,
        alone: set[int],  # noqa: ARG002 - they are in groups of their own
        *,
        in_lanes: bool = False,
    ) -> Iterator[Run]:
        return self._dispatched(requests, queue, in_lanes=in_lanes)

    def _dispatched(
        self,
        requests: Sequence[OrderRequest],
        queue: WorkQueue,
        *,
        in_lanes: bool = False,
        together: bool = False,
        renew: bool = False,
    ) -> Iterator[Run]:
        def task(group: Group) -> Task:
            shares = len(group) > 1 and not together
            return Task(self._session, self._kit, tuple(group.values()), shares, renew)

        first, self._requested = self._requested, self._requested + len(requests)
        dispatcher = Dispatcher(
            self._suite.tests,
            self._workers,
            queue,
            task,
            ahead=1 if in_lanes else self._workers.ahead,
            together=together,
        )
        for pending, reply in dispatcher.replies():
            worker = pending.slot if in_lanes else self._numbers.setdefault(reply.slot, len(self._numbers))
            self._report(worker, {first + key: requests[key].order for key in pending.group}, reply)
            for key, answered in zip(pending.group, reply.answers, strict=True):
                yield Run(requests[key], answered.results, answered.executed, answered.seconds)

    def _report(self, worker: int, orders: Mapping[int, Order], reply: Reply) -> None:
        for note in (note for answered in reply.answers for note in answered.notes):
            if note not in self.notes:
                self.notes.append(note)
        for execution in executions(worker, orders, reply.answers, time.monotonic()):
            self._deadlines.saw(execution.test, execution.result.seconds)
            if self.watcher is not None:
                self.watcher(execution)
        for order, answered in zip(orders.values(), reply.answers, strict=True):
            for test, result in executed(order, answered):
                if result.outcome.is_verdict:
                    self.listener(test, result)


def executed(order: Order, answered: Answered) -> list[tuple[TestId, Result]]:
    """The tests that were really run for this order: a shared beginning was run for an earlier one."""
    ran = [pair for pair in zip(order, answered.results, strict=True) if pair[1].outcome is not Outcome.NOT_RUN]
    return ran[max(0, len(ran) - answered.executed) :]


def executions(
    worker: int, orders: Mapping[int, Order], answers: Sequence[Answered], now: float
) -> Iterator[Execution]:
    """In the sequence in which they were run; the keys of `orders` are the numbers of their requests. Slots do not
    report when: each test is taken to have ended when the next one began, the last of all just now."""
    end = now
    for position, ((request, order), answered) in enumerate(zip(orders.items(), answers, strict=True)):
        spent = sum(later.seconds for later in answers[position + 1 :])
        ran = executed(order, answered)
        end = now - spent
        started = end - sum(result.seconds for _, result in ran)
        for test, result in ran:
            ended = started + result.seconds
            yield Execution(worker, request, test, result, started, ended)
            started = ended
