"""Runs trees of orders by pytest processes, wherever these come from: see CollectingTrees and ForkedTrees."""

import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol

from unknot.model.errors import RunnerError
from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.deadlines import BETWEEN_TESTS, Deadlines
from unknot.runners.dispatch.work_queue import Group
from unknot.runners.pytest.collection import Collected
from unknot.runners.pytest.piped_process import PipedProcess
from unknot.runners.pytest.tree_task import TreeTask
from unknot.runners.settings import Settings
from unknot.runners.workers.slot import Answered, ExecutedTest, OutsideTraces, SlotEvent, SlotLost

POLL_SECONDS = 0.2
_MOST_RESTARTS = 3


class TreeWorkspace(Protocol):
    """What trees need of the workspace in which they run: see Workspace."""

    settings: Settings
    number: int

    @property
    def beyond(self) -> AbstractSet[str]: ...

    def original_id(self, test: str) -> str: ...

    def reset(self) -> None: ...

    def check_room(self) -> None: ...

    def clean_up(self, wrote: Sequence[str], *, unknown: bool) -> None: ...

    def end_leftovers(self, *, spare: int = 0) -> None: ...


class TreeWork:
    """Orders by their numbers, and how far they are. Those in `alone` share nothing; `to_send` is the command that a
    process gets once it has collected; `log` is of the last process that ended."""

    def __init__(self, paths: Group, *, in_lanes: bool) -> None:
        self.in_lanes = in_lanes
        self.answers = {number: Answered((), 0, 0.0) for number, path in paths.items() if not path}
        self.alone: set[int] = set()
        self.to_send: Mapping[str, Any] | None = None
        self.since = self.test_since = 0.0
        self.deadline = float("inf")
        self.log = ""
        self._next = 0

    @property
    def was_sent(self) -> bool:
        """Whether the process began with the last tree. If it could not be started, that is not the doing of a test."""
        return self.to_send is None

    def next_answers(self) -> Iterator[Answered]:
        """Those that are known and whose predecessors were answered."""
        while (answered := self.answers.pop(self._next, None)) is not None:
            self._next += 1
            yield answered


class PytestTrees(ABC):
    """Runs trees one after another, each from a clean state. A test that touches what no fork copies is found out when
    it has left its traces; what it spoilt is run again by the caller, and the test shares nothing from then on.

    `collected` is the suite as pytest finds it here, `forks` whether a warm process forks for each tree, and
    `why_fresh` the reason if each order needs a fresh process."""

    collected: Collected
    forks: bool
    why_fresh = ""

    def __init__(self, workspace: TreeWorkspace) -> None:
        self._workspace = workspace
        self._deadlines = Deadlines(workspace.settings.timeout)
        self._tracing: set[int] = set()
        self._apart: set[int] = set()
        self._can_lay = True
        self._beyond_reported: set[str] = set()
        self._process: PipedProcess | None = None
        self._was_cut_off = False
        self._restarts = 0

    def close(self) -> None:
        """Lets pytest end its session. The next tree starts another process."""
        self._end_process(gently=True)

    @abstractmethod
    def _begin(self, tree: prefix_tree.Tree, orders: Group, work: TreeWork) -> None:
        """Gives the tree to a process, at once or when it has collected."""

    def _took_collection(  # noqa: B027 - where processes collect
        self, task: TreeTask, message: Mapping[str, Any], work: TreeWork
    ) -> None:
        """A process that was started for this tree has collected."""

    def _keeps_looking_for(self, work: TreeWork) -> bool:  # noqa: ARG002 - another way of trying, if there is one
        """Whether a process that ended before it began with the tree is no reason to worry."""
        return False

    def _end_process(self, task: TreeTask | None = None, *, gently: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if task is not None and task.child:
            _kill(task.child)
        if gently:
            process.stop()
        else:
            process.kill()

    def run(self, orders: Group, work: TreeWork) -> Generator[SlotEvent, None, TreeTask]:
        """Runs orders as one tree, as far as it comes; their answers are in `work`."""
        task = self._hand_out(orders, work)
        try:
            while True:
                yield from self._progress(task, work)
                if task.done:
                    break
                self._take_answers(task, work)
                yield from work.next_answers()
        except BaseException:
            # Broken off in the middle: the process is somewhere in a test.
            self._end_process(task, gently=False)
            self._was_cut_off = True
            raise
        if work.in_lanes:
            for node in task.blame_kills():
                yield self._ran(task, node, work)
        self._take_answers(task, work)
        self._settle(task, work)
        yield from self._traces(task)
        yield from work.next_answers()
        return task

    def _hand_out(self, orders: Group, work: TreeWork) -> TreeTask:
        def may_share(number: int) -> bool:
            return number not in work.alone and self._apart.isdisjoint(orders[number])

        tree = prefix_tree.grow(orders, self.collected.chains, may_share)
        if self._was_cut_off:
            self._workspace.clean_up((), unknown=True)
            self._was_cut_off = False
        self._workspace.reset()
        if self._process is not None and self._process.is_outdated:
            self._end_process(gently=True)
        work.to_send = None
        work.since = time.monotonic()
        work.deadline = work.since + self._workspace.settings.timeout + BETWEEN_TESTS
        self._begin(tree, orders, work)
        return TreeTask(orders, tree)

    def _progress(self, task: TreeTask, work: TreeWork) -> Generator[SlotEvent, None, None]:
        """Waits a moment for the process and reads what it reports; checks the deadline and whether it has ended."""
        process = self._process
        assert process is not None
        if process.wait_for_answers(POLL_SECONDS):
            yield from self._read(task, process, work)
        else:
            yield None
        if not task.done and time.monotonic() > work.deadline:
            self._cut_off(task, work)
        if not task.done and process.exit_status is not None:
            yield from self._read(task, process, work)
            yield from self._take_end(task, process, work)

    def _read(self, task: TreeTask, process: PipedProcess, work: TreeWork) -> Generator[SlotEvent, None, None]:
        for message in process.read():
            event = message["event"]
            if event == "collected":
                self._took_collection(task, message, work)
                continue
            under_way = task.in_flight
            if "details" in message:
                message = {**message, "details": self._workspace.original_id(message["details"])}
            task.take(message)
            if event == "wrote" and message["shared"]:
                # At once: before an answer lets others run the same test.
                yield OutsideTraces(frozenset(), (), frozenset(task.wrote_shared))
            if event in ("start", "end"):
                work.deadline = time.monotonic() + self._time_for(task)
            if event == "end":
                node = message["node"]
                self._deadlines.saw(self.collected.suite.tests[task.tree.items[node]], task.results[node].seconds)
                yield self._ran(task, node, work)
            elif event == "broke" and under_way in task.results:
                assert under_way is not None
                yield self._ran(task, under_way, work)
            if event in ("start", "end"):
                work.test_since = time.monotonic()

    def _ran(self, task: TreeTask, node: int, work: TreeWork) -> ExecutedTest:
        number = task.key_of(node)
        result = task.results[node]
        # For a test that took its process down, no seconds were reported.
        seconds = result.seconds if result.outcome.is_verdict else time.monotonic() - work.test_since
        return ExecutedTest(number, task.tree.nodes_of[number].index(node), result, seconds)

    def _time_for(self, task: TreeTask) -> float:
        """How long to wait for the next message: for the test under way, or for a process to fork or to leave."""
        if task.in_flight is None:
            return BETWEEN_TESTS
        return self._deadlines.of_test(self.collected.suite.tests[task.tree.items[task.in_flight]])

    def _cut_off(self, task: TreeTask, work: TreeWork) -> None:
        task.out_of_time = True
        work.deadline = time.monotonic() + BETWEEN_TESTS
        if self.forks and task.child:
            _kill(task.child)
        elif self._process is not None:
            _kill(self._process.pid)

    def _take_end(self, task: TreeTask, process: PipedProcess, work: TreeWork) -> Generator[SlotEvent, None, None]:
        """The pytest process is gone. The test under way is to blame, if there is one: in a fork tree too, where a test
        can kill its ancestors."""
        if task.done:
            return
        status, log = process.exit_status, process.log()
        assert status is not None
        under_way = task.in_flight
        if not self._keeps_looking_for(work) and not task.results and under_way is None:
            self._restarts += 1
            if self._restarts > _MOST_RESTARTS:
                number = self._workspace.number + 1
                why = f"worker {number}: pytest keeps dying (status {status}):\n{log}"
                raise SlotLost(RunnerError(why, slug="worker-died"))
        task.break_off(f"the process ended with status {status}\n{log}", by_signal=max(0, -status))
        task.done = True
        if under_way in task.results:
            assert under_way is not None
            yield self._ran(task, under_way, work)

    def _take_answers(self, task: TreeTask, work: TreeWork) -> None:
        for number, results, executed in task.finished():
            now = time.monotonic()
            work.answers[number] = Answered(results, executed, now - work.since)
            work.since = now

    def _settle(self, task: TreeTask, work: TreeWork) -> None:
        """Back to a clean state."""
        process = self._process
        if process is not None and (not self.forks or process.exit_status is not None):
            work.log = process.log()
            self._end_process(gently=True)
        learned = task.marking - self._tracing
        self._tracing |= task.marking
        self._can_lay &= not task.why_no_layers
        self._apart |= task.kept_by_no_layer if self._can_lay else self._tracing
        if task.wrote_unknown and self._process is not None:
            self._workspace.end_leftovers(spare=self._process.pid)
        self._workspace.check_room()
        self._workspace.clean_up(sorted(task.wrote), unknown=task.wrote_unknown)
        # Branches that get layers now, because of what was just learned, may share the next time.
        if not learned or not self._can_lay:
            work.alone |= task.split
        if task.results:
            self._restarts = 0

    def _traces(self, task: TreeTask) -> Generator[SlotEvent, None, None]:
        """Each path once."""
        paths = self._workspace.beyond - self._beyond_reported
        self._beyond_reported |= paths
        apart = self._apart & task.marking if self._can_lay else self._apart
        if apart or paths:
            yield OutsideTraces(frozenset(apart), tuple(sorted(paths)))


def _kill(group: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
