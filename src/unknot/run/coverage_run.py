"""One run of the suite in its own order, measured from inside."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unknot.model.errors import RunnerError
from unknot.model.suite import TestId
from unknot.run.worker import Place

_POLL_SECONDS = 0.05
_SLOWER = 3
"""How much longer than usual a test may take while it is measured."""

_LOG_LINES = 20

_OF_OTHERS = ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "COV_CORE_SOURCE", "COV_CORE_DATAFILE")
"""Variables by which somebody else may be measuring already."""


def run_measured(place: Place, data: Path, leave_out: Sequence[TestId]) -> dict[str, Any]:
    """Writes coverage.py's data to `data` and gives back what the plugin `coverage_contexts` says besides. All paths
    and ids are as seen in the place. Raises RunnerError, with the test at which it happened, if the run does not come
    to its end."""
    place.reset()
    return _Measured(place, data).answer(leave_out)


class _Measured:
    def __init__(self, place: Place, data: Path) -> None:
        self._place = place
        self._data = data
        self._request = place.home / "request.json"
        self._progress = place.home / "progress"
        self._answer = place.home / "answer.json"
        self._log = place.home / "log"

    def answer(self, leave_out: Sequence[TestId]) -> dict[str, Any]:
        wanted = {
            "data": str(self._data),
            "answer": str(self._answer),
            "progress": str(self._progress),
            "scratch": str(self._place.scratch),
            "parent": os.getpid(),
            # A project that is installed for editing is imported from where it is, not from the working copy.
            "roots": sorted({self._place.here(str(self._place.root)), str(self._place.root)}),
            "leave_out": [self._place.id_here(test) for test in leave_out],
        }
        self._request.write_text(json.dumps(wanted), encoding="utf-8")
        with open(self._log, "wb") as log:
            process = subprocess.Popen(
                self._command(),
                cwd=self._place.directory,
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
                self._place.end_leftovers()
        if not self._answer.exists():
            raise self._failure(f"pytest ended with status {process.returncode}")
        found: dict[str, Any] = json.loads(self._answer.read_text(encoding="utf-8"))
        return found

    def _command(self) -> list[str]:
        settings = self._place.settings
        safe_path = [] if settings.python_m else ["-P"]
        plugin = ["-p", "unknot.run.inside.coverage_contexts"]
        paths = [self._place.here(path) for path in settings.paths]
        return [settings.python, *safe_path, "-m", "pytest", *plugin, *settings.options, *paths]

    def _environment(self) -> dict[str, str]:
        environment = {name: value for name, value in self._place.environment().items() if name not in _OF_OTHERS}
        return {**environment, "UNKNOT_COVERAGE": str(self._request)}

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        """A test that hangs only while it is measured must not hang us."""
        limit = self._place.settings.timeout * _SLOWER
        size, since = -1, time.monotonic()
        while process.poll() is None:
            time.sleep(_POLL_SECONDS)
            now = self._progress.stat().st_size if self._progress.exists() else 0
            if now != size:
                size, since = now, time.monotonic()
            elif time.monotonic() - since > limit:
                raise self._failure(f"nothing happened for {limit:g} s")

    def _failure(self, what: str) -> RunnerError:
        started = self._progress.read_text(encoding="utf-8").splitlines() if self._progress.exists() else []
        where = f" in {json.loads(started[-1])}" if started else " before the first test"
        log = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-_LOG_LINES:]
        return RunnerError(
            f"the coverage could not be recorded: {what}{where}\n" + "\n".join(log),
            hint="leave that test out, or leave --coverage out; what was found about the suite is written already",
        )
