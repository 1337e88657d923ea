"""Starts the commands of one slot, waits for them, and leaves none of their processes behind."""

import contextlib
import errno
import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.sandbox.overlays import Overlays
from unknot.runners.sandbox.reaper import isolated_program

_PROGRAM = "unknot.runners.command.launcher_program"
_SECONDS_TO_SWEEP = 30.0
_WRONG_COMMAND = frozenset({errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR, errno.ELOOP})


class LauncherLost(Exception):
    """The launcher was killed. Nothing is known of the command that it had under way."""


class CannotStart(UsageError):
    """The command could not be started: the program or the directory is not there, or not allowed."""


class Launcher:
    """One command at a time. `mark` stands in the environment of the launching process too. Commands see HOME and /tmp
    as `overlays` show them, if there are any.

    Assumes Linux for processes that outlive their parents; elsewhere only what stays in its process group is found.
    Cost: about 30 ms for the first command, well below a millisecond for each that follows, besides the process itself.
    """

    def __init__(self, mark: Mapping[str, str], overlays: Overlays | None = None) -> None:
        self._mark = mark
        self._overlays = overlays
        self._namespace = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._buffer = b""
        self._sent: Mapping[str, str] | None = None
        self._program = ""

    def start(
        self,
        words: Sequence[str],
        directory: Path,
        environment: Mapping[str, str],
        output: Path,
        errors: Path,
        *,
        sweeps: bool,
    ) -> None:
        """Standard output and errors go to these files, which are empty before. With `sweeps`, what the command leaves
        running is killed as soon as it ends."""
        self._begin()
        self._program = words[0]
        message: dict[str, Any] = {
            "do": "start",
            "words": list(words),
            "directory": str(directory),
            "stdout": str(output),
            "stderr": str(errors),
            "sweeps": sweeps,
        }
        if environment != self._sent:
            message["environment"] = self._sent = dict(environment)
        self._send(message)

    def wait(self, seconds: float) -> int | None:
        """Until the command ends by itself, but no longer than this. Its exit status, or the number of a signal as a
        negative one. Raises CannotStart."""
        received = self._receive(seconds)
        if received is None:
            return None
        if "problem" in received:
            raise _not_started(self._program, received)
        _check_swept(received)
        return int(received["status"])

    def sweep(self) -> None:
        """Kills the command, if it is still under way, and whatever commands have left running."""
        if self._socket is not None:
            self._send({"do": "sweep"})
            _check_swept(self._answer("swept"))

    def has_leftovers(self) -> bool:
        """Whether anything still runs that a command has started."""
        if self._socket is None:
            return False
        self._send({"do": "look"})
        return bool(self._answer("alive")["alive"])

    def close(self) -> None:
        """Kills whatever still runs. The launching process does it by itself when the connection ends."""
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=_SECONDS_TO_SWEEP)
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
        self._socket = self._process = self._sent = None
        self._buffer = b""

    def _begin(self) -> None:
        if self._overlays is not None and self._overlays.pid != self._namespace:
            self.close()
        if self._socket is not None:
            return
        program = isolated_program(_PROGRAM)
        if self._overlays is not None:
            program = self._overlays.words(program, Path("/"))
            self._namespace = self._overlays.pid
        mine, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                program,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **self._mark},
                cwd="/",
                start_new_session=True,
            )
        self._socket = mine

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._socket is not None
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as problem:
            self._lose(problem)

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        assert self._socket is not None
        limit = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._socket], [], [], max(0.0, limit - time.monotonic()))
            if not ready:
                return None
            try:
                data = self._socket.recv(1 << 16)
            except OSError as problem:
                self._lose(problem)
            if not data:
                self._lose(None)
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        received: dict[str, Any] = json.loads(line)
        return received

    def _answer(self, wanted: str) -> dict[str, Any]:
        """Passes over the news that the command has ended, which may have crossed our request."""
        limit = time.monotonic() + _SECONDS_TO_SWEEP
        while time.monotonic() < limit:
            received = self._receive(_SECONDS_TO_SWEEP)
            if received is not None and wanted in received and "status" not in received:
                return received
        raise RunnerError(
            "the processes of the last order do not end",
            hint="check for processes that cannot be killed",
            slug="processes-remain",
        )

    def _lose(self, problem: OSError | None) -> None:
        self.close()
        raise LauncherLost("the process that starts the commands was killed") from problem


def _check_swept(received: Mapping[str, Any]) -> None:
    if not received["swept"]:
        raise RunnerError(
            "a test has left processes running that cannot be killed",
            hint="they may belong to another user, or wait for a disk that does not answer",
            slug="processes-remain",
        )


def _not_started(program: str, received: Mapping[str, Any]) -> Exception:
    if received["errno"] == errno.E2BIG:
        return UsageError(
            "the command line is longer than this system allows",
            hint="give the tests in a file: use `{tests_file}` instead of `{tests}`",
            slug="command-too-long",
        )
    story = f"`{program}` cannot be started: {received['problem']}"
    if received["errno"] in _WRONG_COMMAND:
        return CannotStart(
            story,
            hint="check the first word of the command; it is looked for in PATH, by no shell",
            slug="command-not-started",
        )
    return RunnerError(
        story,
        hint="see whether the machine is out of memory, processes, files or disk space",
        slug="command-not-started",
    )
