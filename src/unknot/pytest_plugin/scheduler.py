"""A scheduler for pytest-xdist: every worker gets one lane of the plan, in the plan's order, and nothing else."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest

from unknot.model.suite import Order, TestId
from unknot.pytest_plugin.echoes import Echoes, Event
from unknot.pytest_plugin.identity import names_of

_AHEAD = 8
"""Tests that a worker has before it: it must know the next one before it runs one, and should not wait for our answer.
Not the whole lane, or `-x` would stop only the worker that saw the failure."""


class Worker(Protocol):
    """What we use of xdist's `WorkerController`."""

    putevent: Callable[[Event], None]
    gateway: Any
    workerinput: dict[str, Any]

    @property
    def shutting_down(self) -> bool: ...

    def send_runtest_some(self, indices: Sequence[int]) -> None: ...

    def shutdown(self) -> None: ...


@dataclass
class _Work:
    """What one worker does: `order` as positions in the collection, of which `sent` are under way and `done` are done.
    `own` are those whose verdict is this worker's to give."""

    order: Sequence[int] = ()
    own: frozenset[int] = frozenset()
    sent: int = 0
    done: int = 0

    @property
    def is_sent(self) -> bool:
        return self.sent == len(self.order)


@dataclass
class Mishaps:
    """What went wrong around the tests, for the summary. `not_run` have no verdict, as no worker was left for them;
    `crashed_again` took a worker down when they ran as a prerequisite; `failed_again` failed then."""

    not_run: list[TestId] = field(default_factory=list)
    crashed_again: list[TestId] = field(default_factory=list)
    failed_again: list[TestId] = field(default_factory=list)


class PlanScheduling:
    """The protocol of pytest-xdist's schedulers; its `DSession` calls the methods.

    `lanes_for` gives orders for collected tests and a number of workers. `rest_of` gives what a fresh worker must run
    of a lane for some of its tests, without those that took a worker down. A worker that dies is replaced by xdist
    with a fresh one, which gets the rest of the lane and what that needs again.
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
        self._echoes: dict[Worker, Echoes] = {}
        self._waiting: list[_Work] = []
        self._lost: set[TestId] = set()
        self._names: list[TestId] | None = None
        self._node_ids: list[str] = []
        self._crashed_again: list[TestId] = []

    # --- what xdist asks

    @property
    def nodes(self) -> list[Worker]:
        return list(self._works)

    @property
    def collection_is_completed(self) -> bool:
        return len(self._collections) >= self._workers

    @property
    def tests_finished(self) -> bool:
        """Whether nothing is left to be sent. Each worker is told to stop behind its last test, so that xdist may
        begin to wait for their end."""
        return self._names is not None and not self._waiting and all(work.is_sent for work in self._works.values())

    @property
    def has_pending(self) -> bool:
        return bool(self._waiting) or any(work.done < len(work.order) for work in self._works.values())

    # --- what xdist tells

    def add_node(self, node: Worker) -> None:
        self._works[node] = _Work()
        node.putevent = self._echoes[node] = Echoes(node.putevent)

    def add_node_collection(self, node: Worker, collection: Sequence[str]) -> None:
        if self._names is None or list(collection) == self._node_ids:
            self._collections[node] = list(collection)
        else:
            self._complain(node, collection)

    def schedule(self) -> None:
        """Called when all have collected, and again for each worker that replaces another."""
        if self._names is None:
            self._begin()
        # By number, gw2 before gw10: whoever collects first, a lane runs on the same worker every time.
        for node in sorted(self._works, key=lambda node: (len(node.gateway.id), node.gateway.id)):
            if not self._works[node].order and not node.shutting_down:
                self._employ(node)

    def mark_test_complete(self, node: Worker, item_index: int, duration: float = 0) -> None:  # noqa: ARG002
        self._works[node].done += 1
        self._feed(node)

    def remove_node(self, node: Worker) -> str | None:
        """The worker has ended or died. Returns the test that killed it: the one that was begun and not brought to an
        end, if there is one and it has no verdict from elsewhere."""
        work, heard = self._works.pop(node), self._echoes[node]
        if self._names is None:
            return None
        work.done = sum(test in heard.judged for test in work.order)
        under_way = heard.begun > work.done and work.done < len(work.order)
        culprit = work.order[work.done] if under_way else None
        if culprit is not None:
            self._lost.add(self._names[culprit])
        self._wait_for_another(work, culprit)
        if culprit is None:
            return None
        if culprit in work.own:
            return self._node_ids[culprit]
        self._crashed_again.append(self._names[culprit])
        return None

    def mark_test_pending(self, item: str) -> None:
        raise NotImplementedError("a lane is run in the order of its plan")

    def remove_pending_tests_from_node(self, node: Worker, indices: Sequence[int]) -> None:
        raise NotImplementedError("nothing is taken back from a worker")

    # --- our own

    def mishaps(self) -> Mishaps:
        names = self._names or []
        return Mishaps(
            not_run=[names[test] for work in self._waiting for test in work.order if test in work.own],
            crashed_again=self._crashed_again,
            failed_again=[TestId(test) for echoes in self._echoes.values() for test in echoes.failed],
        )

    def _begin(self) -> None:
        (_, node_ids), *others = self._collections.items()
        self._node_ids = node_ids
        self._names = names_of(node_ids)
        differing = [(node, found) for node, found in others if found != node_ids]
        for node, found in differing:
            self._complain(node, found)
        if differing:
            return
        place = {name: number for number, name in enumerate(self._names)}
        taken: set[int] = set()
        for lane in self._lanes_for(self._names, len(self._works)):
            order = [place[test] for test in lane]
            self._waiting.append(_Work(order, frozenset(order) - taken))
            taken.update(order)

    def _employ(self, node: Worker) -> None:
        """Gives the worker a lane that waits for one, or sends it home."""
        if not self._waiting or node not in self._collections:
            node.shutdown()
            return
        work = self._works[node] = self._waiting.pop(0)
        again = frozenset(work.order) - work.own
        self._echoes[node].silence(again, frozenset(self._node_ids[test] for test in again))
        self._feed(node)

    def _feed(self, node: Worker) -> None:
        work = self._works[node]
        upto = min(len(work.order), work.done + _AHEAD)
        if upto == work.sent or node.shutting_down:
            return
        node.send_runtest_some(list(work.order[work.sent : upto]))
        work.sent = upto
        if upto == len(work.order):
            # Without that it would wait for a test behind its last one.
            node.shutdown()

    def _wait_for_another(self, work: _Work, culprit: int | None) -> None:
        """What the worker left undone waits for the one that replaces it."""
        assert self._names is not None
        place = {name: number for number, name in enumerate(self._names)}
        left = [test for test in work.order[work.done :] if test in work.own and test != culprit]
        if left:
            lane = tuple(self._names[test] for test in work.order)
            rest = self._rest_of(lane, {self._names[test] for test in left}, self._lost)
            self._waiting.append(_Work([place[test] for test in rest], frozenset(left)))

    def _complain(self, node: Worker, found: Sequence[str]) -> None:
        """As xdist does it: workers that collected different tests cannot share them."""
        from xdist.report import report_collection_diff  # type: ignore[import-untyped]

        first = next(iter(self._collections)).gateway.id
        difference = report_collection_diff(self._node_ids, found, first, node.gateway.id)
        report = pytest.CollectReport(nodeid=node.gateway.id, outcome="failed", longrepr=difference, result=[])
        self._config.hook.pytest_collectreport(report=report)
