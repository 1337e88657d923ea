"""One worker: a place of its own on disk, and the pytest process that runs there."""

import contextlib
import json
import os
import select
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unknot.model.errors import RunnerError
from unknot.run.settings import Settings
from unknot.run.workdir import WorkingCopy, project_root

_LOG_LINES = 40


class Place:
    """A worker's directories and pipes below `home`: the working copy, TMPDIR, pytest's scratch directory."""

    def __init__(self, home: Path, number: int, settings: Settings) -> None:
        self.number = number
        self.settings = settings
        self.home = home / str(number)
        self.home.mkdir(parents=True)
        self.temporary = self.home / "tmp"
        self.temporary.mkdir()
        self.scratch = self.home / "scratch"
        self.root = project_root(settings.directory)
        self.copy = WorkingCopy.make(self.root, self.home / "copy") if settings.workdir == "copy" else None
        self.beyond: set[str] = set()

    @property
    def directory(self) -> Path:
        if self.copy is None:
            return self.settings.directory
        return self.copy.copy / self.settings.directory.relative_to(self.root)

    def here(self, path: str) -> str:
        """A path argument of the user's, as seen from this worker."""
        if self.copy is not None and os.path.isabs(path) and Path(path).is_relative_to(self.root):
            return str(self.copy.copy / Path(path).relative_to(self.root))
        return path

    def original(self, path: str) -> Path:
        """The user's own file behind a path that was seen in this worker."""
        if self.copy is not None and Path(path).is_relative_to(self.copy.copy):
            return self.root / Path(path).relative_to(self.copy.copy)
        return Path(path)

    def clean_up(self, paths: Sequence[str], *, unknown: bool) -> None:
        """Back to the clean state on disk. What lies outside the working copy is remembered, not undone."""
        if self.copy is None:
            elsewhere = [path for path in paths if not path.startswith(str(self.temporary))]
            self.beyond.update(elsewhere)
        elif unknown:
            self.copy.restore_all()
        own = str(self.temporary) + os.sep
        if self.copy is not None:
            self.beyond.update(path for path in self.copy.restore(paths) if not path.startswith(own))
        if unknown or any(path.startswith(own) for path in paths):
            shutil.rmtree(self.temporary, ignore_errors=True)
            self.temporary.mkdir(exist_ok=True)

    def reset(self) -> None:
        """The user's own way to a clean state, run by a shell because it is the user's own command line."""
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
                f"the reset command `{self.settings.reset}` ended with status {done.returncode}: {done.stderr.strip()[-500:]}",
                hint="run it by hand in the project directory; it must succeed from any state a test can leave",
            )

    def environment(self) -> dict[str, str]:
        """The user's, with this worker's number and temporary directory. The hash seed is fixed: a process under
        test that iterates over a set would answer the same question differently from worker to worker."""
        environment = dict(os.environ)
        environment["UNKNOT_WORKER"] = str(self.number)
        environment["TMPDIR"] = str(self.temporary)
        environment.setdefault("PYTHONHASHSEED", "0")
        environment.pop("PYTEST_XDIST_WORKER", None)
        return environment


class Process:
    """A pytest with our plugin inside, its two pipes and its log. Ended by `stop` or `kill`, whatever happens."""

    def __init__(self, place: Place, paths: Sequence[str], options: Sequence[str]) -> None:
        self._place = place
        self._buffer = b""
        self._log_path = place.home / "log"
        answers, commands = place.home / "answers", place.home / "commands"
        for pipe in (answers, commands):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe, 0o600)
        # Opened for both directions so that neither end blocks or sees an early end of file.
        self.answers = os.open(answers, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._commands = os.open(commands, os.O_RDWR | os.O_CLOEXEC)
        self._popen = self._start(paths, options, answers, commands)

    def _start(self, paths: Sequence[str], options: Sequence[str], answers: Path, commands: Path) -> subprocess.Popen[bytes]:
        settings = self._place.settings
        environment = self._place.environment()
        environment["UNKNOT_ANSWERS"] = str(answers)
        environment["UNKNOT_COMMANDS"] = str(commands)
        environment["UNKNOT_SCRATCH"] = str(self._place.scratch)
        safe_path = [] if settings.python_m else ["-P"]
        command = [settings.python, *safe_path, "-m", "pytest", "-p", "unknot.run.inside.plugin", *options]
        with open(self._log_path, "wb") as log:
            return subprocess.Popen(
                [*command, *(self._place.here(path) for path in paths)],
                cwd=self._place.directory,
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

    def read(self) -> list[Mapping[str, Any]]:
        """The messages that have come in, oldest first; never blocks."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.answers, 1 << 20):
                self._buffer += chunk
        *lines, self._buffer = self._buffer.split(b"\n")
        return [json.loads(line) for line in lines]

    def send(self, command: Mapping[str, Any]) -> None:
        """Hands over a command. A large one goes in pieces as the other side reads; if that side dies meanwhile, the
        rest is dropped, and the caller finds out by `exit_status`."""
        data = memoryview(json.dumps(command, separators=(",", ":")).encode() + b"\n")
        os.set_blocking(self._commands, False)
        while data and self.exit_status is None:
            _, ready, _ = select.select([], [self._commands], [], 0.2)
            if ready:
                data = data[os.write(self._commands, data) :]

    def log(self) -> str:
        """The end of what pytest itself printed."""
        lines = self._log_path.read_text(errors="replace").strip().splitlines()
        return "\n".join(lines[-_LOG_LINES:])

    def command_line(self) -> str:
        arguments = self._popen.args
        return shlex.join(arguments) if isinstance(arguments, list) else str(arguments)

    def stop(self) -> None:
        """Lets pytest end its session; kills it if it does not."""
        if self.exit_status is None:
            with contextlib.suppress(OSError):
                self.send({"do": "stop"})
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(timeout=5)
        self.kill()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        for descriptor in (self.answers, self._commands):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.answers = self._commands = -1
