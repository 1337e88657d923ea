"""The pytest process of one worker, which collects the suite."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from unknot.runners.pytest.inside import measuring
from unknot.runners.pytest.piped_process import PipedProcess
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.processes import wait_for_end

_STOP_SECONDS = 5.0
"""For pytest to end its session."""


class PytestProcess(PipedProcess):
    """A pytest with our plugin inside."""

    def __init__(
        self, workspace: PytestWorkspace, paths: Sequence[str], options: Sequence[str], *, selects: bool = False
    ) -> None:
        """With `selects`, options that select tests by what failed before count."""
        super().__init__(workspace.home)
        self._workspace = workspace
        self._variables = workspace.variables
        self._namespace = 0
        self._measured: Path | None = None
        self._popen = self._start(paths, options, selects=selects)

    def _start(self, paths: Sequence[str], options: Sequence[str], *, selects: bool) -> subprocess.Popen[bytes]:
        settings = self._workspace.settings
        environment = self._workspace.environment()
        environment["UNKNOT_ANSWERS"] = str(self._answers_path)
        environment["UNKNOT_COMMANDS"] = str(self._commands_path)
        environment["UNKNOT_SCRATCH"] = str(self._workspace.scratch)
        environment["UNKNOT_PARENT"] = str(os.getpid())
        environment["UNKNOT_ORIGINALS"] = str(self._workspace.originals)
        environment["UNKNOT_COLLECTING"] = str(self._workspace.originals_of_collecting)
        if settings.reports:
            environment["UNKNOT_REPORTS"] = "terminal" if os.isatty(1) else "file"
        if selects:
            environment["UNKNOT_SELECTS"] = "1"
        before: Sequence[str] = [] if settings.python_m else ["-P"]
        if settings.measure is not None:
            # Elsewhere, what is written here is seen only here.
            self._measured = self._workspace.home / f"coverage-{secrets.token_hex(8)}"
            root = self._workspace.root
            environment |= measuring.environment(self._measured, self._workspace.here(str(root)), str(root))
            before = settings.measure.command or before
        command = [settings.python, *before, "-m", "pytest", "-p", "unknot.runners.pytest.inside.plugin", *options]
        words = [*command, *(self._workspace.here(path) for path in paths)]
        started = self._workspace.overlays.words(words, self._workspace.directory)
        self._namespace = self._workspace.overlays.pid
        environment["UNKNOT_PLACES"] = self._workspace.places.to_text()
        environment["UNKNOT_LAYERS"] = self._workspace.layered.to_text()
        # Appending, so that it can be cut under the writer's hands.
        with open(self._log_path, "ab") as log:
            return subprocess.Popen(
                started,
                cwd=self._workspace.directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def exit_status(self) -> int | None:
        return self._popen.poll()

    @property
    def is_outdated(self) -> bool:
        workspace = self._workspace
        return workspace.variables != self._variables or workspace.overlays.pid != self._namespace

    def stop(self) -> None:
        """Lets pytest end its session; kills it if it does not."""
        if self.exit_status is None:
            self.send_stop()
            wait_for_end(self._popen, _STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._workspace.end_leftovers()
        self._keep_coverage()
        self._close_pipes()

    def _keep_coverage(self) -> None:
        measure, measured = self._workspace.settings.measure, self._measured
        if measure is not None and measured is not None and measured.exists():
            shutil.move(measured, measure.directory / measured.name)
