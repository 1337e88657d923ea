"""A scheduler for pytest-xdist: every worker runs one lane of the plan, in the plan's order, and nothing else.

A prerequisite may run on several workers; only one of them reports its outcome.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest

from unknot.model.suite import Order, TestId
from unknot.pytest_plugin.arguments import names_of

Event = tuple[str, dict[str, Any]]


_OF_ONE_TEST = frozenset({"logstart", "logfinish", "testreport"})


class RepeatFilter:
    """Filters the events of a worker: drops reports of tests whose outcome another worker reports. The controller
    cannot do that later, because no hook can withdraw a report.

    Called in the thread that listens to the worker. `set_repeated` is called before these tests are sent to the worker,
    so no report can come earlier. A repeated test that fails is recorded: its dependents are likely to fail, and the
    summary should say why. The progress of the worker is recorded too: xdist counts a test as running until the worker
    has announced the next one, but a worker that crashes in between has finished it.
    """

    def __init__(self, put: Callable[[Event], None]) -> None:
        self._put = put
        self._repeated: frozenset[int] = frozenset()
        self._repeated_ids: frozenset[str] = frozenset()
        self.failed: dict[str, None] = {}
        self.begun = 0
        self.finished: set[int | None] = set()

    def set_repeated(self, indices: frozenset[int], ids: frozenset[str]) -> None:
        """`indices` are positions in the worker's collection, `ids` the node ids of the same tests."""
        self._repeated = indices
        self._repeated_ids = ids

    def __call__(self, event: Event) -> None:
        name, details = event
        if name == "logstart":
            self.begun += 1
        if name == "testreport":
            self._note(details["rep"])
        if name not in _OF_ONE_TEST or not self._is_repeat(name, details):
            self._put(event)

    def _note(self, report: Any) -> None:
        index = getattr(report, "item_index", None)
        if report.when == "teardown":
            self.finished.add(index)
        if report.failed and index in self._repeated:
            self.failed[report.nodeid] = None

    def _is_repeat(self, name: str, details: dict[str, Any]) -> bool:
        if name == "testreport":
            return getattr(details["rep"], "item_index", None) in self._repeated
        return details["nodeid"] in self._repeated_ids


_AHEAD = 8
"""Tests sent to a worker in advance: it must know the next one before it runs one, and should not wait for the
controller. Not the whole lane, or `-x` would stop only the worker with the failure."""


class Worker(Protocol):
    """The part of xdist's `WorkerController` that is used here."""

    putevent: Callable[[Event], None]
    gateway: Any
    workerinput: dict[str, Any]

    @property
    def shutting_down(self) -> bool: ...

    def send_runtest_some(self, indices: Sequence[int]) -> None: ...

    def shutdown(self) -> None: ...


@dataclass
class _Work:
    """The lane of one worker: `order` as positions in the collection, of which `sent` were sent and `done` are done.
    `own` are the tests whose outcome this worker reports."""

    order: Sequence[int] = ()
    own: frozenset[int] = frozenset()
    sent: int = 0
    done: int = 0

    @property
    def is_sent(self) -> bool:
        return self.sent == len(self.order)


@dataclass
class WorkerFailures:
    """Problems for the summary. `not_run` have no outcome, because no worker was left for them; `crashed_again` crashed
    a worker when they ran as a prerequisite; `failed_again` failed then."""

    not_run: list[TestId] = field(default_factory=list)
    crashed_again: list[TestId] = field(default_factory=list)
    failed_again: list[TestId] = field(default_factory=list)


class PlanScheduling:
    """The protocol of pytest-xdist's schedulers; its `DSession` calls the methods.

    `lanes_for` returns orders for collected tests and a number of workers. `rest_of` returns what a new worker must run
    of a lane for some of its tests, without those that crashed a worker. xdist replaces a crashed worker with a new
    one, which runs the rest of the lane and its prerequisites again.
    """

    def __init__(
        self,
        config: pytest.Config,
        workers: int,
        lanes_for: Callable[[Sequence[TestId], int], Sequence[Order]],
        rest_of: Callable[[Order, Collection[TestId], Collection[TestId]], Order],
    ) -> None:
        self._config = config
        self._workers = workers
        self._lanes_for = lanes_for
        self._rest_of = rest_of
        self._collections: dict[Worker, list[str]] = {}
        self._works: dict[Worker, _Work] = {}
        self._filters: dict[Worker, RepeatFilter] = {}
        self._waiting: list[_Work] = []
        self._lost: set[TestId] = set()
        self._names: list[TestId] | None = None
        self._node_ids: list[str] = []
        self._crashed_again: list[TestId] = []
        self.lanes: list[tuple[str, Order]] = []
        """What each worker was given to run, in this order; twice for one that took over another's rest."""

    # --- queries by xdist

    @property
    def nodes(self) -> list[Worker]:
        return list(self._works)

    @property
    def collection_is_completed(self) -> bool:
        return len(self._collections) >= self._workers

    @property
    def tests_finished(self) -> bool:
        """Whether all tests were sent. Each worker shuts down after its last test, so xdist can start to wait for
        them."""
        return self._names is not None and not self._waiting and all(work.is_sent for work in self._works.values())

    @property
    def has_pending(self) -> bool:
        return bool(self._waiting) or any(work.done < len(work.order) for work in self._works.values())

    # --- events from xdist

    def add_node(self, node: Worker) -> None:
        self._works[node] = _Work()
        node.putevent = self._filters[node] = RepeatFilter(node.putevent)

    def add_node_collection(self, node: Worker, collection: Sequence[str]) -> None:
        if self._names is None or list(collection) == self._node_ids:
            self._collections[node] = list(collection)
        else:
            self._report_difference(node, collection)

    def schedule(self) -> None:
        """Called when all have collected, and again for each worker that replaces another."""
        if self._names is None:
            self._begin()
        # By number, gw2 before gw10: a lane runs on the same worker every time, whichever collects first.
        for node in sorted(self._works, key=lambda node: (len(node.gateway.id), node.gateway.id)):
            if not self._works[node].order and not node.shutting_down:
                self._assign_lane(node)

    def mark_test_complete(self, node: Worker, item_index: int, duration: float = 0) -> None:  # noqa: ARG002
        self._works[node].done += 1
        self._send_tests(node)

    def remove_node(self, node: Worker) -> str | None:
        """The worker has exited or crashed. Returns the test that crashed it: the one that was started and not
        finished, unless another worker reports its outcome."""
        work, events = self._works.pop(node), self._filters[node]
        if self._names is None:
            return None
        work.done = sum(test in events.finished for test in work.order)
        under_way = events.begun > work.done and work.done < len(work.order)
        crashed = work.order[work.done] if under_way else None
        if crashed is not None:
            self._lost.add(self._names[crashed])
        self._requeue(work, crashed)
        if crashed is None:
            return None
        if crashed in work.own:
            return self._node_ids[crashed]
        self._crashed_again.append(self._names[crashed])
        return None

    def mark_test_pending(self, item: str) -> None:
        raise NotImplementedError("a lane is run in the order of its plan")

    def remove_pending_tests_from_node(self, node: Worker, indices: Sequence[int]) -> None:
        raise NotImplementedError("tests are never withdrawn from a worker")

    # --- our own

    def failures(self) -> WorkerFailures:
        names = self._names or []
        return WorkerFailures(
            not_run=[names[test] for work in self._waiting for test in work.order if test in work.own],
            crashed_again=self._crashed_again,
            failed_again=[TestId(test) for filter_ in self._filters.values() for test in filter_.failed],
        )

    def _begin(self) -> None:
        (_, node_ids), *others = self._collections.items()
        self._node_ids = node_ids
        self._names = names_of(node_ids)
        differing = [(node, found) for node, found in others if found != node_ids]
        for node, found in differing:
            self._report_difference(node, found)
        if differing:
            return
        place = {name: number for number, name in enumerate(self._names)}
        taken: set[int] = set()
        for lane in self._lanes_for(self._names, len(self._works)):
            order = [place[test] for test in lane]
            self._waiting.append(_Work(order, frozenset(order) - taken))
            taken.update(order)

    def _assign_lane(self, node: Worker) -> None:
        """Assigns a waiting lane to the worker, or shuts it down."""
        if self._names is None or not self._waiting or node not in self._collections:
            node.shutdown()
            return
        work = self._works[node] = self._waiting.pop(0)
        self.lanes.append((node.gateway.id, tuple(self._names[test] for test in work.order)))
        again = frozenset(work.order) - work.own
        self._filters[node].set_repeated(again, frozenset(self._node_ids[test] for test in again))
        self._send_tests(node)

    def _send_tests(self, node: Worker) -> None:
        work = self._works[node]
        upto = min(len(work.order), work.done + _AHEAD)
        if upto == work.sent or node.shutting_down:
            return
        node.send_runtest_some(list(work.order[work.sent : upto]))
        work.sent = upto
        if upto == len(work.order):
            # Otherwise it would wait for a test after its last one.
            node.shutdown()

    def _requeue(self, work: _Work, crashed: int | None) -> None:
        """Queues the remaining tests of the worker for its replacement."""
        assert self._names is not None
        place = {name: number for number, name in enumerate(self._names)}
        left = [test for test in work.order[work.done :] if test in work.own and test != crashed]
        if left:
            lane = tuple(self._names[test] for test in work.order)
            rest = self._rest_of(lane, {self._names[test] for test in left}, self._lost)
            self._waiting.append(_Work([place[test] for test in rest], frozenset(left)))

    def _report_difference(self, node: Worker, found: Sequence[str]) -> None:
        """Reports, as xdist does, that workers collected different tests."""
        from xdist.report import report_collection_diff  # type: ignore[import-untyped]

        first = next(iter(self._collections)).gateway.id
        difference = report_collection_diff(self._node_ids, found, first, node.gateway.id)
        report = pytest.CollectReport(nodeid=node.gateway.id, outcome="failed", longrepr=difference, result=[])
        self._config.hook.pytest_collectreport(report=report)
