"""What all runners do alike: turn requests into a work queue, and report what their workers have run."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Price
from unknot.runners.dispatch.deadlines import Deadlines
from unknot.runners.dispatch.work_queue import Group, WorkQueue, by_first_test, by_shared_prefix, one_by_one
from unknot.runners.protocol import Execution


class OrderRunner(ABC):
    """Implements Runner but for the workers themselves. Use as a context manager.

    Orders that begin alike are put into one group, which one worker runs as a tree, if `can_share` allows it. A
    repetition, and an order with a test that is kept apart, shares nothing."""

    _fewest_orders = 1
    """In a group, if there are enough: more where a task costs something by itself."""

    def __init__(self, timeout: float) -> None:
        self.listener: Callable[[TestId, Result], None] = lambda test, result: None
        self.watcher: Callable[[Execution], None] | None = None
        self._apart: set[int] = set()
        self._deadlines = Deadlines(timeout)
        self._requested = 0
        """How many requests there were before the present ones."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None: ...

    @property
    @abstractmethod
    def suite(self) -> Suite: ...

    @property
    @abstractmethod
    def price(self) -> Price: ...

    @property
    @abstractmethod
    def can_share(self) -> bool: ...

    @abstractmethod
    def _run(
        self, requests: Sequence[OrderRequest], queue: WorkQueue, alone: set[int], *, in_lanes: bool = False
    ) -> Iterator[Run]:
        """Works off the queue. Keys in `alone` share nothing; the runner may add to them."""

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        paths = self._paths(requests)
        for key, request in enumerate(requests):
            if not request.order:
                del paths[key]
                yield Run(request, (), executed=0)
        alone = self._alone(requests, paths)
        groups = by_shared_prefix(
            paths,
            alone,
            self._chains(),
            self._cost,
            workers=self._parallel,
            fewest_orders=self._fewest_orders,
        )
        yield from self._run(requests, WorkQueue([groups]), alone)

    def run_in_turn(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        """As `run_orders`, but sharing nothing and in the sequence given: a free worker takes the next order."""
        paths = self._paths(requests)
        yield from self._run(requests, WorkQueue([one_by_one(paths)]), set(paths))

    def run_lanes(self, lanes: Sequence[Sequence[OrderRequest]], *, shares: bool = False) -> Iterator[Run]:
        """As `run_orders`, a lane for each worker, in its sequence; a worker that is done with its own takes over what
        others have not begun. With `shares`, the orders of a lane that begin with the same test are one group, where
        that is possible. No order is empty."""
        requests = [request for lane in lanes for request in lane]
        paths = self._paths(requests)
        alone = self._alone(requests, paths) if shares else set(paths)
        keys = iter(paths)
        groups = [by_first_test({key: paths[key] for key in (next(keys) for _ in lane)}, alone) for lane in lanes]
        yield from self._run(requests, WorkQueue(groups), alone, in_lanes=True)

    def keep_apart(self, tests: Iterable[TestId]) -> None:
        """These are known to touch what no fork copies: an order with one of them shares nothing with others."""
        index = self.suite.index
        self._apart.update(index[test] for test in tests if test in index)

    def _paths(self, requests: Sequence[OrderRequest]) -> Group:
        index = self.suite.index
        return {key: tuple(index[test] for test in request.order) for key, request in enumerate(requests)}

    def _alone(self, requests: Sequence[OrderRequest], paths: Group) -> set[int]:
        """The requests that share nothing."""
        if not self.can_share:
            return set(paths)
        return {key for key, path in paths.items() if requests[key].attempt > 0 or not self._apart.isdisjoint(path)}

    @property
    def _parallel(self) -> int:
        """How many groups run at the same time."""
        return self.price.workers

    def _chains(self) -> Sequence[Sequence[int]]:
        """The collectors of each test, for runners where sharing depends on them."""
        return [()] * len(self.suite)

    def _cost(self, item: int) -> float:
        """What a test is expected to take, in seconds."""
        return self._deadlines.expected(self.suite.tests[item])
