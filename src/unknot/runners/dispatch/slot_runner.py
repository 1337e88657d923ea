"""The one runner: turns requests into groups of orders, has them run on worker slots, and reports what comes back."""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.protocol import Price
from unknot.runners.dispatch.deadlines import Deadlines
from unknot.runners.dispatch.dispatcher import Dispatcher
from unknot.runners.dispatch.work_queue import Group, WorkQueue, by_first_test, by_shared_prefix, one_by_one
from unknot.runners.protocol import Execution, Listing
from unknot.runners.workers.slot import Answered, ExecutedTest, OutsideTraces, SlotSpec, Workers
from unknot.runners.workers.task import ProjectSeen, SessionSpec, Task, versions

_FEWEST_ELSEWHERE = 4
"""Orders in a task for another machine, if there are enough: it costs something by itself."""


class SlotRunner:
    """Implements Runner. Use as a context manager. Whatever happens, no slot is left open.

    Orders that begin alike are put into one group, which one slot runs as a tree, if `can_share` allows it. A
    repetition, and an order with a test that is kept apart, shares nothing. An order whose worker dies is run again,
    and its results count once. When an iteration is closed early, what has not begun never will; what has begun is
    broken off, or its results are dropped."""

    def __init__(self, spec: SlotSpec, listing: Listing, workers: Workers, *, is_careful: bool = False) -> None:
        """`is_careful` says that workers share HOME and /tmp: until a test has run once, an order with it runs while no
        other such order does."""
        self.listener: Callable[[TestId, Result], None] = lambda test, result: None
        self.watcher: Callable[[Execution], None] | None = None
        self._spec = spec
        self._suite = listing.suite
        self._chains = listing.chains or ((),) * len(listing.suite)
        self._workers = workers
        self._price = Price(spec.clean_state, max(1, workers.count), spec.can_share)
        self._session = secrets.token_hex(8)
        project = ProjectSeen.by(listing) if workers.elsewhere else None
        self._kit = SessionSpec(spec, listing.suite.tests, project, versions()).packed()
        self._numbers: dict[str, int] = {}
        self._apart: set[int] = set()
        self._beyond: set[str] = set()
        self._exclusive: set[int] = set()
        self._untried: set[int] = set(range(len(listing.suite))) if is_careful else set()
        self._durations = Deadlines(timeout=float("inf"))
        self._requested = 0
        """How many requests there were before the present ones."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._workers.close(self._session)

    @property
    def suite(self) -> Suite:
        return self._suite

    @property
    def price(self) -> Price:
        """As it was when the runner was made: a detector's requests must not change because a worker comes or goes."""
        return self._price

    @property
    def can_share(self) -> bool:
        return self._spec.can_share

    @property
    def beyond(self) -> list[str]:
        """Files that tests wrote outside their working copy: state that unknot could not restore."""
        return sorted(self._beyond)

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        paths = self._paths(requests)
        for key, request in enumerate(requests):
            if not request.order:
                del paths[key]
                yield Run(request, (), executed=0)
        groups = by_shared_prefix(
            paths,
            self._alone(requests, paths),
            self._chains,
            self._cost,
            workers=max(1, self._workers.count),
            fewest_orders=_FEWEST_ELSEWHERE if self._workers.elsewhere else 1,
        )
        yield from self._run(requests, WorkQueue([groups]))

    def run_in_turn(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        """As `run_orders`, but sharing nothing and in the sequence given: a free worker takes the next order."""
        return self._run(requests, WorkQueue([one_by_one(self._paths(requests))]))

    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        """As `run_orders`, a lane for each worker, in its sequence; a worker that is done with its own takes over what
        others have not begun. With `shares`, the orders of a lane that begin with the same test are one group, where
        that is possible. No order is empty. A test whose process was killed has crashed: the caller plans again what is
        left."""
        requests = [request for lane in lanes for request in lane]
        paths = self._paths(requests)
        alone = self._alone(requests, paths) if shares else set(paths)
        keys = iter(paths)
        groups = [by_first_test({key: paths[key] for key in (next(keys) for _ in lane)}, alone) for lane in lanes]
        return self._run(requests, WorkQueue(groups), in_lanes=True)

    def on_one_slot(self, requests: Sequence[OrderRequest], *, renewed: bool = False) -> list[Run]:
        """These orders one after another on the same slot, sharing nothing, in the sequence given; with `renewed`, on
        one that has thrown away whatever it held and starts from nothing, not from what a reset has made."""
        queue = WorkQueue([[self._paths(requests)]])
        return list(self._run(requests, queue, together=True, renew=renewed))

    def keep_apart(self, tests: Iterable[TestId]) -> None:
        """These are known to touch what no fork copies: an order with one of them shares nothing with others."""
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

    def _cost(self, item: int) -> float:
        """What a test is expected to take, in seconds."""
        return self._durations.expected(self._suite.tests[item]) + self._price.clean_state / 10

    def _run(
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
            doubtful = self._exclusive | self._untried
            exclusive = any(not doubtful.isdisjoint(path) for path in group.values())
            return Task(self._session, self._kit, tuple(group.values()), shares, renew, in_lanes, exclusive)

        first, self._requested = self._requested, self._requested + len(requests)
        ahead = 1 if in_lanes else self._workers.ahead
        dispatcher = Dispatcher(self._suite.tests, self._workers, queue, task, ahead=ahead, together=together)
        for pending, slot, event in dispatcher.reports():
            match event:
                case ExecutedTest():
                    worker = pending.position if in_lanes else self._numbers.setdefault(slot, len(self._numbers))
                    key = pending.keys[event.order]
                    self._untried.discard(self._suite.index[requests[key].order[event.place]])
                    self._report(worker, first + key, requests[key].order, event)
                case OutsideTraces():
                    self._apart |= event.tests
                    self._exclusive |= event.exclusive
                    self._beyond.update(event.paths)
                case Answered():
                    key = pending.keys[len(pending.keys) - len(pending.left) - 1]
                    yield Run(requests[key], event.results, event.executed, event.seconds)

    def _report(self, worker: int, request: int, order: Order, ran: ExecutedTest) -> None:
        test = order[ran.place]
        ended = time.monotonic() - ran.ago
        self._durations.saw(test, ran.result.seconds)
        # First recorded, then reported: an interruption comes while something is printed.
        if self.watcher is not None:
            began = ended - ran.seconds
            self.watcher(Execution(worker, request, test, ran.result, began, ended, order, ran.place))
        if ran.result.outcome.is_verdict:
            self.listener(test, ran.result)
