"""Runs orders of a pytest suite: by a fork tree, or by a fresh pytest process for every order.

Both give the same results. The *fork tree* keeps one warm pytest per worker, collected once, and forks; the *fresh*
way starts pytest for every order, for suites that do not survive a fork.
"""

import contextlib
import os
import selectors
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unknot.model.errors import RunnerError, UnknotError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Price
from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.crash_attribution import KillCounts
from unknot.runners.dispatch.deadlines import BETWEEN_TESTS
from unknot.runners.dispatch.order_runner import OrderRunner
from unknot.runners.dispatch.work_queue import Group, WorkQueue
from unknot.runners.protocol import Execution
from unknot.runners.pytest.collection import Collected, explain_early_end, is_same_suite
from unknot.runners.pytest.process import PytestProcess
from unknot.runners.pytest.tree_task import TreeTask
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.sandbox import make_home
from unknot.runners.settings import Settings

FORK_SECONDS = 0.01
FRESH_SECONDS = 1.0
"""What a clean state costs, for predictions. Constants, not measurements: the detector's choices, and so the requests
that the journal can answer, must not change from one day to the next."""

_POLL_SECONDS = 0.2
_MOST_RESTARTS = 3
_MOST_BARREN = 3
"""How often orders are run again that come to nothing for no known reason."""


class _Worker:
    """A workspace, its process, and the task it has; `listens` says that the process has collected and takes commands,
    `to_send` is the command it gets then. A worker that `is_lost` cannot be started any more. One that `was_cut_off`
    has not reported what it wrote."""

    def __init__(self, workspace: PytestWorkspace) -> None:
        self.workspace = workspace
        self.process: PytestProcess | None = None
        self.task: TreeTask | None = None
        self.listens = False
        self.to_send: Mapping[str, Any] | None = None
        self.deadline = float("inf")
        self.since = 0.0
        self.test_since = 0.0
        self.restarts = 0
        self.is_lost = False
        self.was_cut_off = False


class PytestOracle(OrderRunner):
    """Implements Runner. Whatever happens, no process and no directory is left behind. A test that touches what no
    fork copies is found out when it has left its traces; what it spoilt is run again, and it is kept apart."""

    def __init__(self, settings: Settings, *, fork: bool | None = None) -> None:
        super().__init__(settings.timeout)
        self._settings = settings
        self._wanted_fork = fork
        self._home = make_home()
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._collects_whole = False
        self._collected: Collected | None = None
        self.forks = True
        self.why_fresh = ""
        self._kills = KillCounts()
        self._why_lost: UnknotError | None = None

    def close(self) -> None:
        idle = [worker for worker in self._workers if worker.listens and worker.task is None]
        self._end_all(idle)
        for worker in self._workers:
            self._end(worker, gently=False)
            worker.workspace.close()
        self._selector.close()
        shutil.rmtree(self._home, ignore_errors=True)

    @property
    def price(self) -> Price:
        return Price(FORK_SECONDS if self.forks else FRESH_SECONDS, self._settings.workers, self.forks)

    @property
    def beyond(self) -> list[str]:
        """Files that tests wrote outside their working copy: state that unknot could not restore."""
        return sorted({path for worker in self._workers for path in worker.workspace.beyond})

    def collect(self) -> Collected:
        """Starts the workers and lets pytest collect the suite. Raises what `collected` raises."""
        self._workers = [
            _Worker(PytestWorkspace(self._home, number, self._settings)) for number in range(self._settings.workers)
        ]
        for worker in self._workers:
            worker.workspace.start_instance()
            self._start(worker, self._settings.paths)
        for worker in self._workers:
            self._wait_for_collection(worker)
        first = self._collected
        assert first is not None
        self.forks = self._wanted_fork if self._wanted_fork is not None else not first.fork_is_unsafe
        self.why_fresh = "" if self.forks else first.fork_is_unsafe or "asked for"
        if not self.forks:
            self._end_all(self._workers)
            for worker in self._workers:
                worker.workspace.start_over()
        return first

    def _start(self, worker: _Worker, paths: Sequence[str], more_options: Sequence[str] = ()) -> None:
        worker.process = PytestProcess(worker.workspace, paths, (*self._settings.options, *more_options))
        self._selector.register(worker.process.answers, selectors.EVENT_READ, worker)

    def _end(self, worker: _Worker, *, gently: bool) -> None:
        if worker.process is None:
            return
        with contextlib.suppress(KeyError):  # an interruption may come before it is registered, or after it was ended
            self._selector.unregister(worker.process.answers)
        if worker.task is not None and worker.task.child:
            _kill(worker.task.child)
        if gently:
            worker.process.stop()
        else:
            worker.process.kill()
        worker.process = None
        worker.listens = False

    def _end_all(self, workers: Sequence[_Worker]) -> None:
        """Gently, and at the same time: with many plugins, the end of a pytest takes seconds."""
        for worker in workers:
            if worker.process is not None:
                worker.process.send_stop()
        for worker in workers:
            self._end(worker, gently=True)

    def _wait_for_collection(self, worker: _Worker) -> None:
        process = worker.process
        assert process is not None
        while True:
            ended = process.exit_status is not None
            for message in process.read():
                if message["event"] == "collected":
                    self._take_collection(worker, message)
                    return
            if ended:
                raise explain_early_end(process, worker.workspace)
            time.sleep(0.005)

    def _take_collection(self, worker: _Worker, message: Mapping[str, Any]) -> None:
        collected = Collected.from_message(message, worker.workspace)
        if self._collected is None:
            self._collected = collected
        elif not is_same_suite(self._collected.suite, collected.suite):
            raise RunnerError(
                "pytest collects other tests each time",
                hint="give the parameters of parametrised tests a fixed order; a set has none",
                slug="collection-varies",
            )
        worker.listens = True
        worker.workspace.accept(message["wrote"], unknown=message["started_process"])

    @property
    def can_share(self) -> bool:
        """Whether orders that begin alike can run their beginning once: no fork copies what a reset restores."""
        return self.forks and not self._settings.reset and self._settings.instance is None

    @property
    def suite(self) -> Suite:
        return self._suite_collected().suite

    def _suite_collected(self) -> Collected:
        assert self._collected is not None, "collect first"
        return self._collected

    def _chains(self) -> Sequence[Sequence[int]]:
        return self._suite_collected().chains

    def _cost(self, item: int) -> float:
        return super()._cost(item) + self.price.clean_state / 10

    def _run(
        self, requests: Sequence[OrderRequest], queue: WorkQueue, alone: set[int], *, in_lanes: bool = False
    ) -> Iterator[Run]:
        """In lanes, a test whose process was killed has crashed: the caller plans again what is left."""
        self._kills.forget_orders()
        try:
            yield from self._work_off(requests, queue, alone, None if in_lanes else self._kills)
        finally:
            self._requested += len(requests)
            for worker in self._workers:
                if worker.task is not None:
                    # Stopped from outside in the middle: the process is somewhere in a test.
                    self._end(worker, gently=False)
                    worker.task = None
                    worker.was_cut_off = True

    def _work_off(
        self, requests: Sequence[OrderRequest], queue: WorkQueue, alone: set[int], kills: KillCounts | None
    ) -> Iterator[Run]:
        barren: Counter[int] = Counter()
        while queue or any(worker.task for worker in self._workers):
            living = [worker for worker in self._workers if not worker.is_lost]
            if not living and self._why_lost is not None:
                raise self._why_lost
            for worker in living:
                if worker.task is None and queue:
                    self._hand_out(worker, queue.take(worker.workspace.number), alone)
            for worker in self._progressed():
                task = worker.task
                assert task is not None
                was_killed = bool(task.killed)
                if task.done:
                    for node in task.attribute_kills(kills):
                        self._report_execution(worker, task, node, time.monotonic())
                for key, results, executed in task.finished():
                    self._kills.decided(key, _crashed_at(results))
                    now = time.monotonic()
                    yield Run(requests[key], results, executed, now - worker.since)
                    worker.since = now
                if task.done:
                    if not was_killed:
                        yield from self._given_up(requests, worker, task, barren)
                    self._settle(worker, task, queue, alone)

    def _given_up(
        self, requests: Sequence[OrderRequest], worker: _Worker, task: TreeTask, barren: Counter[int]
    ) -> Iterator[Run]:
        """Orders that ended without a verdict again and again. Before that, they are run by themselves."""
        is_not_its_doing = self.forks and worker.to_send is not None
        if task.has_reported or is_not_its_doing:
            return
        left = task.unfinished()
        barren.update(list(left))
        task.split.update(left)
        if left and min(barren[key] for key in left) >= _MOST_BARREN:
            log = worker.process.log() if worker.process is not None else ""
            task.give_up(f"the process ends between tests, {_MOST_BARREN} times in a row\n{log}")
            for key, results, executed in task.finished():
                yield Run(requests[key], results, executed, time.monotonic() - worker.since)

    def _hand_out(self, worker: _Worker, orders: Group, alone: set[int]) -> None:
        collected = self._suite_collected()

        def may_share(key: int) -> bool:
            return key not in alone and self._apart.isdisjoint(orders[key])

        tree = prefix_tree.grow(orders, collected.chains, may_share)
        worker.task = TreeTask(orders, tree)
        if worker.was_cut_off:
            worker.workspace.clean_up((), unknown=True)
            worker.was_cut_off = False
        worker.workspace.reset()
        if worker.process is not None and worker.process.is_outdated:
            self._end(worker, gently=True)
        worker.since = time.monotonic()
        worker.deadline = worker.since + self._settings.timeout + BETWEEN_TESTS
        if self.forks:
            command = {"do": "fork", "tree": tree.wire()}
            if worker.process is None:
                # The others go on meanwhile.
                worker.workspace.start_over()
                self._start(worker, self._settings.paths)
                worker.to_send = command
            else:
                worker.process.cut_log()
                worker.process.send(command)
            return
        (path,) = orders.values()
        self._start_fresh(worker, path)
        # The fresh process numbers what it is given; a node's item is its place in the order.
        wire = {**tree.wire(), "items": list(range(len(path)))}
        wire["following"] = [*range(1, len(path)), None]
        ids = [worker.workspace.id_here(collected.suite.tests[item]) for item in path]
        worker.to_send = {"do": "here", "tree": wire, "ids": ids}

    def _start_fresh(self, worker: _Worker, path: prefix_tree.Path) -> None:
        """Gives pytest only the files that are needed, which is much faster than all; what it would otherwise conclude
        from its arguments, the root and the configuration, is given as options."""
        collected = self._suite_collected()
        if self._collects_whole:
            self._start(worker, self._settings.paths)
            return
        files = dict.fromkeys(str(collected.files[item]) for item in path)
        options = [f"--rootdir={worker.workspace.here(str(collected.root))}"]
        if collected.inipath:
            options += ["-c", worker.workspace.here(collected.inipath)]
        self._start(worker, tuple(files), options)

    def _progressed(self) -> list[_Worker]:
        """Workers whose task has moved on; checks deadlines and ended processes on the way."""
        moved: dict[_Worker, None] = {}
        for key, _ in self._selector.select(_POLL_SECONDS):
            worker: _Worker = key.data
            if worker.task is not None and worker.process is not None:
                self._read(worker, worker.task, worker.process)
                moved[worker] = None
        now = time.monotonic()
        for worker in self._workers:
            if worker.task is None or worker.task.done:
                continue
            if now > worker.deadline:
                self._cut_off(worker, worker.task)
            if worker.process is not None and worker.process.exit_status is not None:
                self._read(worker, worker.task, worker.process)
                self._take_end(worker, worker.task)
                moved[worker] = None
        return list(moved)

    def _read(self, worker: _Worker, task: TreeTask, process: PytestProcess) -> None:
        collected = self._suite_collected()
        for message in process.read():
            now = time.monotonic()
            if message["event"] == "collected":
                self._send_to_started(worker, task, process, message)
                continue
            under_way = task.in_flight
            task.take(message)
            if message["event"] in ("start", "end"):
                worker.deadline = now + self._time_for(task)
            if message["event"] == "end":
                node = message["node"]
                test, result = collected.suite.tests[task.tree.items[node]], task.results[node]
                self._deadlines.saw(test, result.seconds)
                # First recorded, then reported: an interruption comes while something is printed.
                self._report_execution(worker, task, node, now)
                self.listener(test, result)
            elif message["event"] == "broke" and under_way is not None:
                self._report_execution(worker, task, under_way, now)
            if message["event"] in ("start", "end"):
                worker.test_since = now

    def _report_execution(self, worker: _Worker, task: TreeTask, node: int, now: float) -> None:
        result = task.results.get(node)
        if self.watcher is None or self._collected is None or result is None:
            return
        # For a test that took its process down, no seconds were reported.
        started = now - result.seconds if result.outcome.is_verdict else worker.test_since
        test = self._collected.suite.tests[task.tree.items[node]]
        request = self._requested + task.key_of(node)
        self.watcher(Execution(worker.workspace.number, request, test, result, started, now))

    def _time_for(self, task: TreeTask) -> float:
        """How long to wait for the next message: for the test under way, or for a process to fork or to leave."""
        if task.in_flight is None or self._collected is None:
            return BETWEEN_TESTS
        return self._deadlines.of_test(self._collected.suite.tests[task.tree.items[task.in_flight]])

    def _send_to_started(
        self, worker: _Worker, task: TreeTask, process: PytestProcess, message: Mapping[str, Any]
    ) -> None:
        if worker.to_send is None:
            return
        if self.forks:
            try:
                self._take_collection(worker, message)
            except UnknotError as problem:
                self._lose(worker, task, problem)
                return
            process.send(worker.to_send)
            worker.to_send = None
            return
        task.wrote.update(message["wrote"])
        task.wrote_unknown |= message["started_process"]
        found = {test["id"] for test in message["tests"]}
        missing = [test for test in worker.to_send["ids"] if test not in found]
        if not message["problems"] and not missing:
            process.send(worker.to_send)
            worker.to_send = None
        elif self._collects_whole:
            problems = "\n".join(message["problems"]) or f"{missing[0]} is not found again"
            raise RunnerError(
                f"a fresh pytest process collects other tests than the first one: {problems}", slug="collection-varies"
            )
        else:
            # Some files can only be collected together with others. The process ends, and all is run again.
            self._collects_whole = True
            process.send({"do": "stop"})

    def _cut_off(self, worker: _Worker, task: TreeTask) -> None:
        task.out_of_time = True
        worker.deadline = time.monotonic() + BETWEEN_TESTS
        if self.forks and task.child:
            _kill(task.child)
        elif worker.process is not None:
            _kill(worker.process.pid)

    def _take_end(self, worker: _Worker, task: TreeTask) -> None:
        """The worker's pytest process is gone. The test under way is to blame, if there is one: in a fork tree too,
        where a test can kill its ancestors."""
        assert worker.process is not None
        if task.done:
            return
        status, log = worker.process.exit_status, worker.process.log()
        under_way = task.in_flight
        if worker.to_send is not None and not self.forks and not self._collects_whole:
            self._collects_whole = True
        elif not task.results and under_way is None:
            worker.restarts += 1
            if worker.restarts > _MOST_RESTARTS:
                why = f"worker {worker.workspace.number + 1}: pytest keeps dying (status {status}):\n{log}"
                self._lose(worker, task, RunnerError(why, slug="worker-died"))
        assert status is not None
        task.break_off(f"the process ended with status {status}\n{log}", by_signal=max(0, -status))
        task.done = True
        if under_way is not None:
            self._report_execution(worker, task, under_way, time.monotonic())

    def _lose(self, worker: _Worker, task: TreeTask, why: UnknotError) -> None:
        """Goes on without this worker. The others take its orders; if there are none, the run ends."""
        worker.is_lost = True
        self._why_lost = why
        task.done = True

    def _settle(self, worker: _Worker, task: TreeTask, queue: WorkQueue, alone: set[int]) -> None:
        """Back to a clean state; what the task did not get to is run again."""
        has_died = worker.process is not None and worker.process.exit_status is not None
        if not self.forks or has_died or worker.is_lost:
            worker.task = None
            self._end(worker, gently=True)
        self._apart |= task.marking
        if task.wrote_unknown and worker.process is not None:
            worker.workspace.end_leftovers(spare=worker.process.pid)
        if task.wrote or task.wrote_unknown:
            worker.workspace.clean_up(sorted(task.wrote), unknown=task.wrote_unknown)
        alone |= task.split
        if left := task.unfinished():
            queue.give_back(left)
        if task.results:
            worker.restarts = 0
        worker.to_send = None
        worker.task = None
        worker.deadline = float("inf")


def _crashed_at(results: Sequence[Result]) -> int | None:
    return next((place for place, result in enumerate(results) if result.outcome is Outcome.CRASHED), None)


def _kill(group: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
