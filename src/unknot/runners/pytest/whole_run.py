"""One run of the suite in its own order, in one pytest process with a plugin of ours that writes down what it sees."""

import contextlib
import functools
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.recorder.events import Events, read_events
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.runners.dispatch.crash_attribution import may_be_foreign
from unknot.runners.pytest.workspace import PytestWorkspace

_POLL_SECONDS = 0.02
_SLOWER = 3
"""How much longer than usual a test may take while it is looked at."""

_LOG_LINES = 20


class BrokenOff(RunnerError):
    """The run did not come to its end; `test`, as seen in the workspace, was under way, empty if none was.
    `was_killed`: the process died by a signal that others send too, so the test need not be to blame."""

    def __init__(self, message: str, *, slug: str, hint: str, test: str, was_killed: bool = False) -> None:
        super().__init__(message, slug=slug, hint=hint)
        self.test = test
        self.was_killed = was_killed


class OutOfTime(RunnerError):
    """The run was stopped because it took longer than it may."""


@dataclass(frozen=True)
class Watcher:
    """The plugin, the variable that says where its request is, variables that it must not find, and the words
    for a run that does not come to its end."""

    plugin: str
    variable: str
    failure: str
    hint: str
    unset: frozenset[str] = frozenset()


def run_whole(
    workspace: PytestWorkspace,
    watcher: Watcher,
    request: Mapping[str, object],
    leave_out: Sequence[TestId],
    seconds: float = float("inf"),
    is_stopped: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """What the plugin answers to the request, which gets what every plugin of this kind needs to know besides. All
    paths and ids are those of the workspace. Raises BrokenOff, with the test at which it happened, if the run does not
    come to its end, and OutOfTime if it takes longer than these seconds or is stopped."""
    workspace.start_instance()
    try:
        workspace.reset()
        return _WholeRun(workspace, watcher, seconds, is_stopped).answer(request, leave_out)
    finally:
        workspace.close()


class _WholeRun:
    def __init__(
        self, workspace: PytestWorkspace, watcher: Watcher, seconds: float, is_stopped: Callable[[], bool]
    ) -> None:
        self._workspace = workspace
        self._seconds = seconds
        self._is_stopped = is_stopped
        self._watcher = watcher
        self._request = workspace.home / "request.json"
        self._progress = workspace.home / "progress"
        self._answer = workspace.home / "answer.json"
        self._log = workspace.home / "log"

    def answer(self, request: Mapping[str, object], leave_out: Sequence[TestId]) -> dict[str, Any]:
        words = self._workspace.overlays.words(self._command(), self._workspace.directory)
        wanted = {
            **request,
            "places": self._workspace.places.to_text(),
            "originals": str(self._workspace.originals),
            "answer": str(self._answer),
            "progress": str(self._progress),
            "scratch": str(self._workspace.scratch),
            "parent": os.getpid(),
            # A project that is installed for editing is imported from where it is, not from the working copy.
            "roots": sorted({self._workspace.here(str(self._workspace.root)), str(self._workspace.root)}),
            "leave_out": [self._workspace.id_here(test) for test in leave_out],
        }
        for former in (self._answer, self._progress):
            former.unlink(missing_ok=True)
        self._request.write_text(json.dumps(wanted), encoding="utf-8")
        with open(self._log, "wb") as log:
            process = subprocess.Popen(
                words,
                cwd=self._workspace.directory,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                self._wait(process)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                self._workspace.end_leftovers()
        if not self._answer.exists():
            self._workspace.check_room()
            raise self._failure(f"pytest ended with status {process.returncode}", died_by=max(0, -process.returncode))
        found: dict[str, Any] = json.loads(self._answer.read_text(encoding="utf-8"))
        if found["problem"]:
            self._workspace.check_room()
            raise RunnerError(f"{self._watcher.failure}: {found['problem']}", hint="", slug="recording-aborted")
        if not found["tests"]:
            raise self._failure(f"pytest ran no test and ended with status {process.returncode}")
        return found

    def _command(self) -> list[str]:
        settings = self._workspace.settings
        safe_path = [] if settings.python_m else ["-P"]
        paths = [self._workspace.here(path) for path in settings.paths]
        return [settings.python, *safe_path, "-m", "pytest", "-p", self._watcher.plugin, *settings.options, *paths]

    def _environment(self) -> dict[str, str]:
        inherited = self._workspace.environment()
        environment = {name: value for name, value in inherited.items() if name not in self._watcher.unset}
        return {**environment, self._watcher.variable: str(self._request)}

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        """A test that hangs only while it is looked at must not hang us. Nothing is expected of the process after its
        answer: the end of a large pytest process takes a while."""
        limit = self._workspace.settings.timeout * _SLOWER
        started = since = time.monotonic()
        size = -1
        while process.poll() is None and not self._answer.exists():
            time.sleep(_POLL_SECONDS)
            if time.monotonic() - started > self._seconds or self._is_stopped():
                raise OutOfTime(
                    f"{self._watcher.failure}: stopped after {self._seconds:.0f} s", hint="", slug="recording-timeout"
                )
            now = self._progress.stat().st_size if self._progress.exists() else 0
            if now != size:
                size, since = now, time.monotonic()
            elif time.monotonic() - since > limit:
                raise self._failure(f"nothing happened for {limit:g} s")

    def _failure(self, what: str, *, died_by: int = 0) -> BrokenOff:
        test = self._last_test()
        where = f" in {test}" if test else " before the first test"
        log = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-_LOG_LINES:]
        message = f"{self._watcher.failure}: {what}{where}\n" + "\n".join(log)
        return BrokenOff(
            message, hint=self._watcher.hint, test=test, slug="recording-aborted", was_killed=may_be_foreign(died_by)
        )

    def _last_test(self) -> str:
        """Empty if none began."""
        lines = self._progress.read_bytes().splitlines() if self._progress.exists() else []
        for line in reversed(lines):
            # A test may have written to this file too.
            with contextlib.suppress(ValueError):
                test = json.loads(line)
                if isinstance(test, str):
                    return test
        return ""


_COVERAGE = Watcher(
    plugin="unknot.runners.pytest.inside.coverage_contexts",
    variable="UNKNOT_COVERAGE",
    failure="the coverage could not be recorded",
    hint="Leave that test out, or do not record coverage. The dependencies found are already in the lock file.",
    # By these another tool may be measuring already.
    unset=frozenset({"COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "COV_CORE_SOURCE", "COV_CORE_DATAFILE"}),
)


def run_measured(workspace: PytestWorkspace, data: Path, leave_out: Sequence[TestId]) -> dict[str, Any]:
    """Writes coverage.py's data to `data` and gives back what the plugin `coverage_contexts` says besides. Raises
    RunnerError if the run does not come to its end."""
    return run_whole(workspace, _COVERAGE, {"data": str(data)}, leave_out)


_RECORDING = Watcher(
    plugin="unknot.runners.pytest.inside.recorder",
    variable="UNKNOT_RECORDING",
    failure="the suite could not be recorded",
    hint="Leave that test out, or turn `trace` off: dependencies are found without a recording, but not explained.",
)


def run_recorded(
    workspace: PytestWorkspace,
    stop: Sequence[str],
    known: Mapping[str, Any] | None,
    leave_out: Sequence[TestId],
    seconds: float = float("inf"),
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[Events, dict[TestId, Outcome]]:
    """What happened, in the user's own paths and ids, and what came out of each test. `stop` are globs of locations
    that do not count; `known` says what a second look is to look for. Raises RunnerError if the run does not come to
    its end, or not within these seconds."""
    events = workspace.home / "events.jsonl"
    request: dict[str, object] = {"events": str(events), "stop": list(stop), "known": known and _seen(known, workspace)}
    answer = run_whole(workspace, _RECORDING, request, leave_out, seconds, is_stopped)

    @functools.cache  # Thousands of events name a few files.
    def users_path(path: str) -> str:
        original = workspace.original(path)
        return (
            original.relative_to(workspace.root).as_posix()
            if original.is_relative_to(workspace.root)
            else str(original)
        )

    with open(events, encoding="utf-8", errors="replace") as lines:
        # The recorder knows the list too, but not what the user calls a file.
        found = read_events(lines, workspace.original_id, users_path, StopList(stop).stops)
    return found, {TestId(workspace.original_id(test)): Outcome(outcome) for test, outcome in answer["tests"].items()}


def _seen(known: Mapping[str, Any], workspace: PytestWorkspace) -> dict[str, Any]:
    """What a second look is to look for, as it is called in the workspace."""
    return {
        **known,
        "steps": {workspace.id_here(test): numbers for test, numbers in known["steps"].items()},
        "alone": {workspace.id_here(test): numbers for test, numbers in known["alone"].items()},
        "seconds": {workspace.id_here(test): seconds for test, seconds in known["seconds"].items()},
        "files": [workspace.here(str(workspace.root / file)) for file in known["files"]],
    }
