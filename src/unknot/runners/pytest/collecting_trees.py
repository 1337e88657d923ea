"""Runs trees of orders by a pytest of one's own: by forks of a warm one, or by a fresh one for every order.

Both give the same results. The *fork tree* keeps one warm pytest, collected once, and forks; the *fresh* way starts
pytest for every order, for suites that do not survive a fork.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from unknot.model.errors import RunnerError, UnknotError
from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.crash_attribution import may_be_foreign
from unknot.runners.dispatch.work_queue import Group
from unknot.runners.pytest.collection import Collected, explain_early_end, is_same_suite
from unknot.runners.pytest.process import PytestProcess
from unknot.runners.pytest.pytest_trees import POLL_SECONDS, PytestTrees, TreeWork
from unknot.runners.pytest.tree_task import TreeTask
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.workers.slot import SlotLost

_MOST_STARTS = 3


class CollectingTrees(PytestTrees):
    """The suite is collected when this is made."""

    _workspace: PytestWorkspace
    _process: PytestProcess | None

    def __init__(self, workspace: PytestWorkspace, fork: bool | None) -> None:
        """Lets pytest collect the suite. Raises what that raises; then nothing is left to be closed."""
        super().__init__(workspace)
        self._settings = workspace.settings
        self._collects_whole = False
        try:
            self.collected = self._collect()
        except BaseException:
            self.close()
            raise
        self.forks = fork if fork is not None else not self.collected.fork_is_unsafe
        self.why_fresh = "" if self.forks else self.collected.fork_is_unsafe or "asked for"
        if not self.forks:
            self.close()
            self._workspace.start_over()

    def _collect(self) -> Collected:
        """Once more if pytest was killed, perhaps from outside."""
        for restarts_left in reversed(range(_MOST_STARTS)):
            started = time.monotonic()
            process = self._start(self._settings.paths)
            if (message := self._first_message(process)) is not None:
                return replace(self._accepted(message), seconds=time.monotonic() - started)
            self._workspace.check_room()
            if not restarts_left or not may_be_foreign(-(process.exit_status or 0)):
                raise explain_early_end(process, self._workspace)
            self._end_process(gently=False)
            self._workspace.start_over()
        raise AssertionError("the last one raises or returns")

    def _first_message(self, process: PytestProcess) -> Mapping[str, Any] | None:
        """What was collected; None if the process ended before that."""
        while True:
            has_ended = process.exit_status is not None
            for message in process.read():
                if message["event"] == "collected":
                    return message
            if has_ended:
                return None
            process.wait_for_answers(POLL_SECONDS)

    def _accepted(self, message: Mapping[str, Any]) -> Collected:
        collected = Collected.from_message(message, self._workspace)
        self._workspace.accept(message["wrote"], unknown=message["started_process"])
        return collected

    def _start(self, paths: Sequence[str], more_options: Sequence[str] = ()) -> PytestProcess:
        # What is run afresh was selected when the suite was collected.
        selects = self._settings.selects and paths == self._settings.paths
        options = (*self._settings.options, *more_options)
        self._process = PytestProcess(self._workspace, paths, options, selects=selects)
        return self._process

    def revive(self) -> None:
        """For a caller that sends commands of its own: lets pytest collect again if its process has ended. Raises
        RunnerError if it finds other tests."""
        if self._process is None or self._process.exit_status is not None:
            self._end_process(gently=False)
            self._workspace.start_over()
            found = self._collect()
            if not is_same_suite(self.collected.suite, found.suite):
                raise _varies()

    def send(self, command: Mapping[str, Any]) -> None:
        """To the process, which has collected."""
        assert self._process is not None
        self._process.send(command)

    def send_stop(self) -> None:
        if self._process is not None:
            self._process.send_stop()

    @property
    def is_warm(self) -> bool:
        """Whether there is a process that has collected."""
        return self._process is not None and self._process.exit_status is None

    def log(self) -> str:
        return self._process.log() if self._process is not None else ""

    def _begin(self, tree: prefix_tree.Tree, orders: Group, work: TreeWork) -> None:
        if self.forks:
            self._fork(tree.wire(self._tracing), work)
            return
        (path,) = orders.values()
        self._start_fresh(path)
        # The fresh process numbers what it is given; a node's item is its place in the order.
        wire = {**tree.wire(), "items": list(range(len(path))), "following": [*range(1, len(path)), None]}
        ids = [self._workspace.id_here(self.collected.suite.tests[item]) for item in path]
        work.to_send = {"do": "here", "tree": wire, "ids": ids}

    def _fork(self, tree: Mapping[str, Any], work: TreeWork) -> None:
        command = {"do": "fork", "tree": tree}
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

    def _took_collection(self, task: TreeTask, message: Mapping[str, Any], work: TreeWork) -> None:
        process = self._process
        if work.to_send is None or process is None:
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
            raise _varies()

    def _collect_whole(self, process: PytestProcess, problem: str) -> None:
        """Some files can only be collected together with others. The process ends, and all is run again."""
        if self._collects_whole:
            raise RunnerError(
                f"a fresh pytest process collects other tests than the first one: {problem}", slug="collection-varies"
            )
        self._collects_whole = True
        process.send({"do": "stop"})

    def _keeps_looking_for(self, work: TreeWork) -> bool:
        if work.to_send is None or self.forks or self._collects_whole:
            return False
        self._collects_whole = True
        return True


def _varies() -> RunnerError:
    return RunnerError(
        "pytest collects other tests each time",
        hint="give the parameters of parametrised tests a fixed order; a set has none",
        slug="collection-varies",
    )
