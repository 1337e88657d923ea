"""The pytest process of one worker: its two pipes and its log."""

import contextlib
import json
import os
import secrets
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unknot.runners.pytest.inside import measuring
from unknot.runners.pytest.workspace import PytestWorkspace

_LOG_LINES = 40
_LOG_BYTES_READ = 64 * 1024
_LOG_BYTES_KEPT = 8 * 1024 * 1024


class PytestProcess:
    """A pytest with our plugin inside, its two pipes and its log. Ended by `stop` or `kill`, whatever happens."""

    def __init__(
        self, workspace: PytestWorkspace, paths: Sequence[str], options: Sequence[str], *, selects: bool = False
    ) -> None:
        """With `selects`, options that select tests by what failed before count."""
        self._workspace = workspace
        self._buffer = b""
        self._log_path = workspace.home / "log"
        self._variables = workspace.variables
        self._namespace = 0
        self._measured: Path | None = None
        answers, commands = workspace.home / "answers", workspace.home / "commands"
        for pipe in (answers, commands):
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe, 0o600)
        # Opened for both directions so that neither end blocks or sees an early end of file.
        self.answers = os.open(answers, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._commands = os.open(commands, os.O_RDWR | os.O_CLOEXEC)
        self._popen = self._start(paths, options, answers, commands, selects=selects)

    def _start(
        self, paths: Sequence[str], options: Sequence[str], answers: Path, commands: Path, *, selects: bool
    ) -> subprocess.Popen[bytes]:
        settings = self._workspace.settings
        environment = self._workspace.environment()
        environment["UNKNOT_ANSWERS"] = str(answers)
        environment["UNKNOT_COMMANDS"] = str(commands)
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
        self._log_path.write_bytes(b"")
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
        """Whether the system under test, or the namespace, is another one by now: this process, and what it forks,
        would not find it."""
        workspace = self._workspace
        return workspace.variables != self._variables or workspace.overlays.pid != self._namespace

    def wait_for_answers(self, seconds: float) -> bool:
        """Whether there is something to read, now or within these seconds."""
        poll = select.poll()
        poll.register(self.answers, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

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

    def send_stop(self) -> None:
        """Does not wait, so that several can end at the same time. To be called twice does no harm."""
        with contextlib.suppress(OSError):
            self.send({"do": "stop"})

    def stop(self) -> None:
        """Lets pytest end its session; kills it if it does not."""
        if self.exit_status is None:
            self.send_stop()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(timeout=5)
        self.kill()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._workspace.end_leftovers()
        self._keep_coverage()
        for descriptor in (self.answers, self._commands):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.answers = self._commands = -1

    def _keep_coverage(self) -> None:
        measure, measured = self._workspace.settings.measure, self._measured
        if measure is not None and measured is not None and measured.exists():
            shutil.move(measured, measure.directory / measured.name)


def _parsed(lines: Sequence[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in filter(None, lines):
        # A process that was killed while it wrote leaves a piece of a line.
        with contextlib.suppress(ValueError):
            yield json.loads(line.decode())
