"""One worker: a place of its own on disk, and the pytest process that runs there."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unknot.model.errors import RunnerError
from unknot.runners.pytest.settings import Settings
from unknot.runners.sandbox.workdir import WorkingCopy, project_root

if TYPE_CHECKING:
    from unknot.runners.pytest.system import System

_LOG_LINES = 40
_LOG_BYTES_READ = 64 * 1024
_LOG_BYTES_KEPT = 8 * 1024 * 1024

_LEFTOVER_ROUNDS = 50
_LEFTOVER_SECONDS = 0.02
"""How long a killed process may take to go."""


class Place:
    """A worker's directories and pipes below `home`: the working copy, TMPDIR, pytest's scratch directory. Tests run
    in `directory`."""

    def __init__(self, home: Path, number: int, settings: Settings) -> None:
        self.number = number
        self.settings = settings
        self.home = home / str(number)
        self.home.mkdir(parents=True)
        self.temporary = self.home / "tmp"
        self.scratch = self.home / "scratch"
        self.root = project_root(settings.directory)
        self.beyond: set[str] = set()
        empty = self.home / "empty"
        empty.mkdir()
        self._pristine = [WorkingCopy.make(empty, self.temporary)]
        if settings.workdir == "copy":
            self._pristine.append(WorkingCopy.make(self.root, self.home / "copy"))
        self._copies = list(self._pristine)
        self._system: System | None = None
        # Asked for each test of each order, and always the same.
        self._seen_root = self.home / "copy" if settings.workdir == "copy" else self.root
        self.directory = self._seen_root / settings.directory.relative_to(self.root)
        # `/app` is not meant by `tests/app`, nor by `/apple`.
        self._root_in_id = re.compile(rf"(?<![\w.]){re.escape(str(self.root))}(?!\w)")

    def bring_up(self) -> None:
        """Starts this worker's copy of the system under test, if the user described one. To be ended by `close`."""
        if self.settings.instance is not None and self._system is None:
            # Most suites have none, and need not wait for what it imports.
            from unknot.runners.pytest.system import System

            self._system = System(self.settings.instance, self.directory)

    def close(self) -> None:
        if self._system is not None:
            self._system.close()
            self._system = None

    def here(self, path: str) -> str:
        """A path argument of the user's, as seen from this worker."""
        if os.path.isabs(path) and Path(path).is_relative_to(self.root):
            return str(self._seen_root / Path(path).relative_to(self.root))
        return path

    def original(self, path: str) -> Path:
        """The user's own file behind a path that was seen in this worker."""
        if Path(path).is_relative_to(self._seen_root):
            return self.root / Path(path).relative_to(self._seen_root)
        return Path(path)

    def id_here(self, test: str) -> str:
        """A test's id as it is given in this worker: a parameter may hold the project's path. Assumes that neither a
        letter, digit or dot stands right before it nor a letter or digit right after: that is another path."""
        return self._root_in_id.sub(lambda _: str(self._seen_root), test)

    def original_id(self, test: str) -> str:
        return test.replace(str(self._seen_root), str(self.root))

    def begin_anew(self) -> None:
        """Back to what was there before anything was collected."""
        self._copies = list(self._pristine)
        for copy in self._copies:
            copy.restore_all()

    def accept(self, wrote: Sequence[str], *, unknown: bool) -> None:
        """What collecting the suite wrote is part of the clean state that every order begins with."""
        for number, copy in enumerate(self._copies):
            if (unknown or any(copy.holds(path) for path in wrote)) and not copy.is_unchanged():
                self._copies[number] = copy.accept(self.home / f"clean-{number}")

    def clean_up(self, wrote: Sequence[str], *, unknown: bool) -> None:
        """Back to the clean state on disk. What lies outside our directories is remembered, not undone."""
        if unknown:
            for copy in self._copies:
                copy.restore_all()
        for copy in self._copies:
            wrote = copy.restore(wrote)
        self.beyond.update(wrote)

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
        """The user's own way to a clean state, run by a shell because it is the user's own command line; and that of
        the system under test."""
        if self._system is not None:
            self._system.reset()
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
        """What the system under test has for the environment of tests. Not the same after a reset that took other
        ports."""
        return dict(self._system.variables) if self._system is not None else {}

    def environment(self) -> dict[str, str]:
        """The user's, with this worker's number and temporary directory. The hash seed is fixed: a process under
        test that iterates over a set would answer the same request differently from worker to worker."""
        environment = dict(os.environ)
        environment["UNKNOT_WORKER"] = str(self.settings.first_worker + self.number)
        environment["TMPDIR"] = str(self.temporary)
        environment.setdefault("PYTHONHASHSEED", "0")
        environment.pop("PYTEST_XDIST_WORKER", None)
        return {**environment, **self.variables}


class Process:
    """A pytest with our plugin inside, its two pipes and its log. Ended by `stop` or `kill`, whatever happens."""

    def __init__(self, place: Place, paths: Sequence[str], options: Sequence[str]) -> None:
        self._place = place
        self._buffer = b""
        self._log_path = place.home / "log"
        self._variables = place.variables
        answers, commands = place.home / "answers", place.home / "commands"
        for pipe in (answers, commands):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe, 0o600)
        # Opened for both directions so that neither end blocks or sees an early end of file.
        self.answers = os.open(answers, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._commands = os.open(commands, os.O_RDWR | os.O_CLOEXEC)
        self._popen = self._start(paths, options, answers, commands)

    def _start(
        self, paths: Sequence[str], options: Sequence[str], answers: Path, commands: Path
    ) -> subprocess.Popen[bytes]:
        settings = self._place.settings
        environment = self._place.environment()
        environment["UNKNOT_ANSWERS"] = str(answers)
        environment["UNKNOT_COMMANDS"] = str(commands)
        environment["UNKNOT_SCRATCH"] = str(self._place.scratch)
        environment["UNKNOT_PARENT"] = str(os.getpid())
        safe_path = [] if settings.python_m else ["-P"]
        command = [settings.python, *safe_path, "-m", "pytest", "-p", "unknot.runners.pytest.inside.plugin", *options]
        self._log_path.write_bytes(b"")
        # Appending, so that it can be cut under the writer's hands.
        with open(self._log_path, "ab") as log:
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

    @property
    def is_outdated(self) -> bool:
        """Whether the system under test is elsewhere by now: this process, and what it forks, would not find it."""
        return self._place.variables != self._variables

    def read(self) -> list[Mapping[str, Any]]:
        """The messages that have come in, oldest first; never blocks."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.answers, 1 << 20):
                self._buffer += chunk
        *lines, self._buffer = self._buffer.split(b"\n")
        return list(_parsed(lines))

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
        with open(self._log_path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOG_BYTES_READ))
            text = file.read().decode(errors="replace")
        return "\n".join(text.strip().splitlines()[-_LOG_LINES:])

    def cut_log(self) -> None:
        """Tests that are not captured may print 100 MB each."""
        if self._log_path.stat().st_size > _LOG_BYTES_KEPT:
            os.truncate(self._log_path, 0)

    def ask_to_stop(self) -> None:
        """Does not wait, so that several can end at the same time. To be asked twice does no harm."""
        with contextlib.suppress(OSError):
            self.send({"do": "stop"})

    def stop(self) -> None:
        """Lets pytest end its session; kills it if it does not."""
        if self.exit_status is None:
            self.ask_to_stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(timeout=5)
        self.kill()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._place.end_leftovers()
        for descriptor in (self.answers, self._commands):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.answers = self._commands = -1


def _parsed(lines: Sequence[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in filter(None, lines):
        # A process that was killed while it wrote leaves a piece of a line.
        with contextlib.suppress(ValueError):
            yield json.loads(line.decode())


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
