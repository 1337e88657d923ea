"""The slot of a pytest suite: runs orders by a fork tree, or by a fresh pytest process for every order.

Both give the same results. The *fork tree* keeps one warm pytest, collected once, and forks; the *fresh* way starts
pytest for every order, for suites that do not survive a fork.
"""

import os
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unknot.model.errors import RunnerError, UnknotError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, Suite
from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.crash_attribution import KillCounts
from unknot.runners.dispatch.deadlines import BETWEEN_TESTS, Deadlines
from unknot.runners.dispatch.work_queue import Group, one_by_one
from unknot.runners.pytest.collection import Collected, check_same_suite, explain_early_end, is_same_suite
from unknot.runners.pytest.process import PytestProcess
from unknot.runners.pytest.tree_task import TreeTask
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import CLEAN_SECONDS
from unknot.runners.workers.slot import Answered, OutsideTraces, SlotEvent, SlotLost, TestRan

FORK_SECONDS = 0.01
FRESH_SECONDS = 1.0
"""What a clean state costs, for predictions. Constants, not measurements: the detector's choices, and so the requests
that the journal can answer, must not change from one day to the next."""

_POLL_SECONDS = 0.2
_MOST_RESTARTS = 3
_MOST_BARREN = 3
"""How often orders are run again that come to nothing for no known reason."""


@dataclass(frozen=True)
class PytestSlotSpec:
    """Implements SlotSpec. `suite` is what the caller has collected: a slot must find the same, and answers in its ids.
    None if it has not: then the slot lists what it finds. `fork` says which of the two ways it is; None lets it
    choose."""

    settings: Settings
    suite: Suite | None = None
    fork: bool | None = None

    @property
    def can_share(self) -> bool:
        """Whether orders that begin alike can run their beginning once: no fork copies what a reset restores."""
        return bool(self.fork) and not self.settings.reset and self.settings.instance is None

    @property
    def clean_state(self) -> float:
        pytest = FORK_SECONDS if self.fork else FRESH_SECONDS
        return pytest if self.settings.instance is None else pytest + CLEAN_SECONDS

    def open(self, sandbox: Sandbox) -> "PytestSlot":
        return PytestSlot(self, sandbox)


class PytestSlot:
    """Implements WorkerSlot. A test that touches what no fork copies is found out when it has left its traces; what it
    spoilt is run again, and it is kept apart from then on.

    `collected` is the suite as pytest finds it here, `forks` which of the two ways it is, and `why_fresh` the reason
    if each order needs a fresh process."""

    def __init__(self, spec: PytestSlotSpec, sandbox: Sandbox) -> None:
        self._settings = spec.settings
        self._workspace = PytestWorkspace(sandbox.home, sandbox.number, spec.settings, sandbox.mark)
        self._deadlines = Deadlines(spec.settings.timeout)
        self._kills = KillCounts()
        self._apart: set[int] = set()
        self._beyond_reported: set[str] = set()
        self._process: PytestProcess | None = None
        self._is_used = False
        self._collects_whole = False
        self._was_cut_off = False
        self._restarts = 0
        try:
            self._workspace.start_instance()
            self.collected = self._collect()
            wanted = spec.suite or self.collected.suite
            check_same_suite(wanted, self.collected.suite)
        except BaseException:
            self.close()
            raise
        self._index = wanted.index
        self.forks = spec.fork if spec.fork is not None else not self.collected.fork_is_unsafe
        self.why_fresh = "" if self.forks else self.collected.fork_is_unsafe or "asked for"
        self._can_share = PytestSlotSpec(spec.settings, None, self.forks).can_share
        if not self.forks:
            self._end_process(gently=True)
            self._workspace.start_over()

    def close(self) -> None:
        """Lets pytest end its session, unless it is in the middle of something: then it was killed already."""
        self._end_process(gently=True)
        self._workspace.close()

    def renew(self) -> None:
        """A slot that has answered nothing since it was opened holds nothing."""
        if self._is_used:
            self.close()
            self._workspace.start_over()
            self._workspace.start_instance()
            self._is_used = False

    def _collect(self) -> Collected:
        self._start(self._settings.paths)
        process = self._process
        assert process is not None
        while True:
            has_ended = process.exit_status is not None
            for message in process.read():
                if message["event"] == "collected":
                    return self._accepted(message)
            if has_ended:
                raise explain_early_end(process, self._workspace)
            process.wait_for_answers(_POLL_SECONDS)

    def _accepted(self, message: Mapping[str, Any]) -> Collected:
        collected = Collected.from_message(message, self._workspace)
        self._workspace.accept(message["wrote"], unknown=message["started_process"])
        return collected

    def _start(self, paths: Sequence[str], more_options: Sequence[str] = ()) -> None:
        self._process = PytestProcess(self._workspace, paths, (*self._settings.options, *more_options))

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

    def answer(
        self, orders: Sequence[Order], *, shares: bool, in_lanes: bool = False
    ) -> Generator[SlotEvent, None, None]:
        """With `in_lanes`, a test whose process was killed has crashed. Otherwise that takes several kills."""
        self._is_used = True
        self._kills.forget_orders()
        paths = {number: tuple(self._index[test] for test in order) for number, order in enumerate(orders)}
        work = _Work(paths, shares=shares and self._can_share, kills=None if in_lanes else self._kills)
        try:
            yield from work.next_answers()
            while work.groups:
                yield from self._run_group(work)
        finally:
            if work.task is not None:
                # Broken off in the middle: the process is somewhere in a test.
                self._end_process(work.task, gently=False)
                self._was_cut_off = True

    def _run_group(self, work: "_Work") -> Generator[SlotEvent, None, None]:
        """Runs orders as one tree. What it does not get to is queued again."""
        task = work.task = self._hand_out(work)
        while True:
            yield from self._progress(task, work)
            if task.done:
                break
            self._take_answers(task, work)
            yield from work.next_answers()
        was_killed = bool(task.killed)
        for node in task.attribute_kills(work.kills):
            yield self._ran(task, node, work)
        self._take_answers(task, work)
        if not was_killed:
            self._give_up(task, work)
        yield from work.next_answers()
        self._settle(task, work)
        work.task = None
        yield from self._traces(task)

    def _hand_out(self, work: "_Work") -> TreeTask:
        orders = work.groups.popleft()

        def may_share(number: int) -> bool:
            return number not in work.alone and self._apart.isdisjoint(orders[number])

        tree = prefix_tree.grow(orders, self.collected.chains, may_share)
        if self._was_cut_off:
            self._workspace.clean_up((), unknown=True)
            self._was_cut_off = False
        self._workspace.reset()
        if self._process is not None and self._process.is_outdated:
            self._end_process(gently=True)
        work.since = time.monotonic()
        work.deadline = work.since + self._settings.timeout + BETWEEN_TESTS
        if self.forks:
            self._fork(tree, work)
        else:
            (path,) = orders.values()
            self._start_fresh(path)
            # The fresh process numbers what it is given; a node's item is its place in the order.
            wire = {**tree.wire(), "items": list(range(len(path))), "following": [*range(1, len(path)), None]}
            ids = [self._workspace.id_here(self.collected.suite.tests[item]) for item in path]
            work.to_send = {"do": "here", "tree": wire, "ids": ids}
        return TreeTask(orders, tree)

    def _fork(self, tree: prefix_tree.Tree, work: "_Work") -> None:
        command = {"do": "fork", "tree": tree.wire()}
        if self._process is None:
            self._workspace.start_over()
            self._start(self._settings.paths)
            work.to_send = command
        else:
            self._process.cut_log()
            self._process.send(command)

    def _start_fresh(self, path: prefix_tree.Path) -> None:
        """Gives pytest only the files that are needed, which is much faster than all; what it would otherwise conclude
        from its arguments, the root and the configuration, is given as options."""
        if self._collects_whole:
            self._start(self._settings.paths)
            return
        files = dict.fromkeys(str(self.collected.files[item]) for item in path)
        options = [f"--rootdir={self._workspace.here(str(self.collected.root))}"]
        if self.collected.inipath:
            options += ["-c", self._workspace.here(self.collected.inipath)]
        self._start(tuple(files), options)

    def _progress(self, task: TreeTask, work: "_Work") -> Generator[SlotEvent, None, None]:
        """Waits a moment for the process and reads what it reports; checks the deadline and whether it has ended."""
        process = self._process
        assert process is not None
        if process.wait_for_answers(_POLL_SECONDS):
            yield from self._read(task, process, work)
        else:
            yield None
        if not task.done and time.monotonic() > work.deadline:
            self._cut_off(task, work)
        if not task.done and process.exit_status is not None:
            yield from self._read(task, process, work)
            yield from self._take_end(task, process, work)

    def _read(self, task: TreeTask, process: PytestProcess, work: "_Work") -> Generator[SlotEvent, None, None]:
        for message in process.read():
            event = message["event"]
            if event == "collected":
                self._send_to_started(task, process, message, work)
                continue
            under_way = task.in_flight
            task.take(message)
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

    def _ran(self, task: TreeTask, node: int, work: "_Work") -> TestRan:
        number = task.key_of(node)
        result = task.results[node]
        # For a test that took its process down, no seconds were reported.
        seconds = result.seconds if result.outcome.is_verdict else time.monotonic() - work.test_since
        return TestRan(number, task.tree.nodes_of[number].index(node), result, seconds)

    def _time_for(self, task: TreeTask) -> float:
        """How long to wait for the next message: for the test under way, or for a process to fork or to leave."""
        if task.in_flight is None:
            return BETWEEN_TESTS
        return self._deadlines.of_test(self.collected.suite.tests[task.tree.items[task.in_flight]])

    def _send_to_started(
        self, task: TreeTask, process: PytestProcess, message: Mapping[str, Any], work: "_Work"
    ) -> None:
        if work.to_send is None:
            return
        if self.forks:
            try:
                self._check_collected_again(message)
            except UnknotError as problem:
                raise SlotLost(problem) from problem
        else:
            task.wrote.update(message["wrote"])
            task.wrote_unknown |= message["started_process"]
            found = {test["id"] for test in message["tests"]}
            missing = [test for test in work.to_send["ids"] if test not in found]
            if message["problems"] or missing:
                self._collect_whole(process, "\n".join(message["problems"]) or f"{missing[0]} is not found again")
                return
        process.send(work.to_send)
        work.to_send = None

    def _check_collected_again(self, message: Mapping[str, Any]) -> None:
        if not is_same_suite(self.collected.suite, self._accepted(message).suite):
            raise RunnerError(
                "pytest collects other tests each time",
                hint="give the parameters of parametrised tests a fixed order; a set has none",
                slug="collection-varies",
            )

    def _collect_whole(self, process: PytestProcess, problem: str) -> None:
        """Some files can only be collected together with others. The process ends, and all is run again."""
        if self._collects_whole:
            raise RunnerError(
                f"a fresh pytest process collects other tests than the first one: {problem}", slug="collection-varies"
            )
        self._collects_whole = True
        process.send({"do": "stop"})

    def _cut_off(self, task: TreeTask, work: "_Work") -> None:
        task.out_of_time = True
        work.deadline = time.monotonic() + BETWEEN_TESTS
        if self.forks and task.child:
            _kill(task.child)
        elif self._process is not None:
            _kill(self._process.pid)

    def _take_end(self, task: TreeTask, process: PytestProcess, work: "_Work") -> Generator[SlotEvent, None, None]:
        """The pytest process is gone. The test under way is to blame, if there is one: in a fork tree too, where a test
        can kill its ancestors."""
        if task.done:
            return
        status, log = process.exit_status, process.log()
        assert status is not None
        under_way = task.in_flight
        if work.to_send is not None and not self.forks and not self._collects_whole:
            self._collects_whole = True
        elif not task.results and under_way is None:
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

    def _take_answers(self, task: TreeTask, work: "_Work") -> None:
        for number, results, executed in task.finished():
            self._kills.decided(number, _crashed_at(results))
            now = time.monotonic()
            work.answers[number] = Answered(results, executed, now - work.since)
            work.since = now

    def _give_up(self, task: TreeTask, work: "_Work") -> None:
        """Orders that ended without a verdict again and again. Before that, they are run by themselves."""
        is_not_its_doing = self.forks and work.to_send is not None
        if task.has_reported or is_not_its_doing:
            return
        left = task.unfinished()
        work.barren.update(list(left))
        task.split.update(left)
        if left and min(work.barren[number] for number in left) >= _MOST_BARREN:
            log = self._process.log() if self._process is not None else ""
            task.give_up(f"the process ends between tests, {_MOST_BARREN} times in a row\n{log}")
            self._take_answers(task, work)

    def _settle(self, task: TreeTask, work: "_Work") -> None:
        """Back to a clean state; what the task did not get to is run again."""
        process = self._process
        if process is not None and (not self.forks or process.exit_status is not None):
            self._end_process(gently=True)
        self._apart |= task.marking
        if task.wrote_unknown and self._process is not None:
            self._workspace.end_leftovers(spare=self._process.pid)
        if task.wrote or task.wrote_unknown:
            self._workspace.clean_up(sorted(task.wrote), unknown=task.wrote_unknown)
        work.alone |= task.split
        if left := task.unfinished():
            work.groups.appendleft(left)
        if task.results:
            self._restarts = 0
        work.to_send = None

    def _traces(self, task: TreeTask) -> Generator[SlotEvent, None, None]:
        """Each path once."""
        paths = self._workspace.beyond - self._beyond_reported
        self._beyond_reported |= paths
        if task.marking or paths:
            yield OutsideTraces(frozenset(task.marking), tuple(sorted(paths)))


class _Work:
    """The orders of one call of `answer`, by their numbers, and how far they are. Those in `alone` share nothing;
    `to_send` is the command that a process gets once it has collected."""

    def __init__(self, paths: Group, *, shares: bool, kills: KillCounts | None) -> None:
        self.kills = kills
        self.answers = {number: Answered((), 0, 0.0) for number, path in paths.items() if not path}
        paths = {number: path for number, path in paths.items() if path}
        self.groups = deque([paths] if shares and paths else one_by_one(paths))
        self.alone: set[int] = set()
        self.barren: Counter[int] = Counter()
        self.task: TreeTask | None = None
        self.to_send: Mapping[str, Any] | None = None
        self.since = self.test_since = 0.0
        self.deadline = float("inf")
        self._next = 0

    def next_answers(self) -> Iterator[Answered]:
        """Those that are known and whose predecessors were answered."""
        while (answered := self.answers.pop(self._next, None)) is not None:
            self._next += 1
            yield answered


def _crashed_at(results: Sequence[Result]) -> int | None:
    return next((place for place, result in enumerate(results) if result.outcome is Outcome.CRASHED), None)


def _kill(group: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(group, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue
