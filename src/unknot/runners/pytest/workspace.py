"""A pytest worker's workspace: its directories, its copy of the system under test, and the way to a clean state."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.workspace import Workspace
from unknot.runners.settings import Settings

if TYPE_CHECKING:
    from unknot.runners.sut.instance import SandboxedInstance

_LEFTOVER_ROUNDS = 50
_LEFTOVER_SECONDS = 0.02
"""How long a killed process may take to end."""


class PytestWorkspace(Workspace):
    """A Workspace with pytest's scratch directory and, if the user described one, an instance."""

    def __init__(self, home: Path, number: int, settings: Settings) -> None:
        super().__init__(
            home / str(number),
            settings.directory,
            worker=settings.first_worker + number,
            copies=settings.workdir == "copy",
        )
        self.number = number
        self.settings = settings
        self.scratch = self.home / "scratch"
        self._instance: SandboxedInstance | None = None

    def start_instance(self) -> None:
        """Starts this worker's copy of the system under test, if the user described one. `close` ends it."""
        if self.settings.instance is not None and self._instance is None:
            # Most suites have none, and need not wait for what it imports.
            from unknot.runners.sut.instance import SandboxedInstance

            self._instance = SandboxedInstance(self.settings.instance, self.directory)

    def close(self) -> None:
        if self._instance is not None:
            self._instance.close()
            self._instance = None

    def end_leftovers(self, *, spare: int = 0) -> None:
        """Kills what was started from here and still runs, in whatever session it hides, but for the process `spare`.
        Knows them by the environment they inherited; without /proc nothing is found."""
        mark = f"TMPDIR={self.temporary}".encode()
        for _ in range(_LEFTOVER_ROUNDS):
            found = [pid for pid in _processes_with(mark) if pid != spare]
            if not found:
                return
            for pid in found:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_LEFTOVER_SECONDS)

    def reset(self) -> None:
        """Resets the system under test, then runs the user's own reset command, by a shell because it is a command
        line of the user's."""
        if self._instance is not None:
            self._instance.reset()
        if not self.settings.reset:
            return
        done = subprocess.run(
            self.settings.reset,
            shell=True,
            cwd=self.directory,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            raise RunnerError(
                f"the reset command `{self.settings.reset}` ended with status {done.returncode}:"
                f" {done.stderr.strip()[-500:]}",
                hint="run it by hand in the project directory; it must succeed from any state a test can leave",
            )

    @property
    def variables(self) -> Mapping[str, str]:
        """What the system under test adds to the environment of tests. Changes with a reset that takes other ports."""
        return dict(self._instance.variables) if self._instance is not None else {}

    def environment(self) -> dict[str, str]:
        return {**super().environment(), **self.variables}


def _processes_with(mark: bytes) -> Iterator[int]:
    """Processes that were started with this in their environment."""
    try:
        entries = os.listdir("/proc")
    except OSError:
        return
    for entry in entries:
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError):
            if mark in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                yield int(entry)
