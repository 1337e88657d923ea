"""One pytest that collects the suite once, and forks the processes of all workers."""

import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from unknot.model.errors import CollectionError, RunnerError
from unknot.runners.pytest.collecting_trees import CollectingTrees
from unknot.runners.pytest.collection import Collected
from unknot.runners.pytest.forked_process import ForkedProcess
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.sandbox import PART, Sandbox
from unknot.runners.settings import Settings
from unknot.runners.workers.slot import SlotLost

_FORK_SECONDS = 30.0
_MOST_TRIALS = 6
_OTHERWISE = "Set UNKNOT_NO_NAMESPACES=1: then each worker has a copy of the project and collects the suite by itself."
_POLL_SECONDS = 0.2


class Forking(Protocol):
    """The workspace that a process is forked for."""

    home: Path
    number: int
    originals: Path
    part: str

    def end_leftovers(self, *, spare: int = 0) -> None: ...


class SharedCollection:
    """The suite as it is collected in this sandbox.

    Guarantee: what a forked process writes, others do not see, as far as `keeps` says; its memory is that of the
    process that has collected. Cost of a fork: some 20 ms, instead of another collection."""

    def __init__(self, settings: Settings, sandbox: Sandbox, fork: bool | None) -> None:
        """Raises what collecting the suite raises."""
        self.settings = settings
        self._part = sandbox.mark[PART]
        self._worker = sandbox.number
        self._workspace = PytestWorkspace(sandbox.home, sandbox.number, settings, sandbox.mark)
        self._lock = threading.Lock()
        try:
            self.trees = CollectingTrees(self._workspace, fork)
        except BaseException:
            self._workspace.close()
            raise

    @property
    def workspace(self) -> PytestWorkspace:
        return self._workspace

    @property
    def collected(self) -> Collected:
        return self.trees.collected

    def why_not_shared(self) -> str:
        """Why each worker has to collect the suite by itself; empty if it need not."""
        if not self.trees.forks:
            return self.trees.why_fresh
        if self.settings.reset or self.settings.instance is not None:
            return "each worker has a system of its own"
        if not self._workspace.layered.own:
            return self._workspace.overlays.problem or "tests run in place"
        if not hasattr(os, "pidfd_open"):
            return "the system cannot wait for a process that is not a child"
        return self.collected.of_one_worker

    def keeps(self, path: str) -> bool:
        """Whether only the worker that writes to this path sees it."""
        return self._workspace.layered.keep(path)

    def fork(self, given: Forking) -> ForkedProcess:
        """A new process for this worker. If the one that has collected was killed, the suite is collected again. Raises
        SlotLost if that is in vain, and RunnerError if pytest finds other tests."""
        why = ""
        with self._lock:
            for _ in range(_MOST_TRIALS):
                try:
                    self.trees.revive()
                except CollectionError as problem:
                    # It was collected before: this process was killed.
                    why = problem.message
                    continue
                process = ForkedProcess(given.home, given.end_leftovers)
                self.trees.send(self._command(given, process))
                why = self._why_not_begun(process)
                if not why:
                    return process
                process.kill()
        text = f"the process that has collected the suite cannot fork a worker: {why}"
        raise SlotLost(RunnerError(text, hint=_OTHERWISE, slug="worker-died"))

    def _command(self, given: Forking, process: ForkedProcess) -> Mapping[str, object]:
        layers = given.home / f"layers-{time.monotonic_ns()}"
        layers.mkdir()
        return {
            "do": "worker",
            "answers": str(given.home / "answers"),
            "commands": str(given.home / "commands"),
            "status": str(process.status_path),
            "originals": str(given.originals),
            "log": str(given.home / "log"),
            "shared_log": str(self._workspace.home / "log"),
            "layers": self._workspace.layers_for(layers).to_text(),
            "mark": f"{PART}={given.part}",
            "variables": {
                PART: (self._part, given.part),
                "UNKNOT_WORKER": (str(self._worker), str(given.number)),
            },
        }

    def _why_not_begun(self, process: ForkedProcess) -> str:
        """Waits until the new process says its number: then it is empty."""
        until = time.monotonic() + _FORK_SECONDS
        while time.monotonic() < until and self.trees.is_warm:
            if process.wait_for_answers(_POLL_SECONDS):
                for message in process.read():
                    if not message["pid"]:
                        return f"it would have no files of its own: {message['problem']}"
                    process.began(message["pid"])
                    return ""
        return f"it has ended:\n{self.trees.log()}"

    def send_stop(self) -> None:
        """pytest ends its session, and all that was forked ends. Does not wait."""
        self.trees.send_stop()

    def close(self) -> None:
        self.trees.close()
        self._workspace.close()
