"""A program of its own: starts commands for one slot, and knows every process that comes of them.

It adopts whatever loses its parent below it, so nothing that a command leaves behind can hide: not in another session,
not with another environment. To learn that nothing is left costs one call, where a look through /proc costs
milliseconds. Only the standard library and `processes`, and as little of them as will do: it is started for every slot.

Speaks JSON, one line for each message, over its standard input, which is a socket. When the other side is gone, in
whatever way, it ends what it has started and itself.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any

from unknot.runners.sandbox.processes import descendants

_ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER"""

_SECONDS_TO_DIE = 10.0
_EMPTIED = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_TRUNC
"""Appending, so that what is printed can be cut under the writer's hands."""

_DEFAULT_AGAIN = [signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


class Launching:
    """`running` is the process of the command under way, 0 if there is none."""

    def __init__(self, caller: socket.socket, woken: int) -> None:
        self._caller = caller
        self._woken = woken
        self._environment: dict[str, str] = {}
        self._buffer = b""
        self._running = 0
        self._sweeps = False

    def serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._caller.fileno(), self._woken], [], [])
            if self._woken in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._woken, 4096)
                self._reap()
            if self._caller.fileno() in ready:
                data = self._caller.recv(1 << 20)
                if not data:
                    self.sweep()
                    return
                *lines, self._buffer = (self._buffer + data).split(b"\n")
                for line in lines:
                    self._handle(json.loads(line))

    def _handle(self, message: dict[str, Any]) -> None:
        if message["do"] == "start":
            self._start(message)
        elif message["do"] == "sweep":
            self._send({"swept": self.sweep()})
        elif message["do"] == "look":
            self._send({"alive": self._reap()})

    def _start(self, message: dict[str, Any]) -> None:
        self._environment = message.get("environment", self._environment)
        self._sweeps = message["sweeps"]
        try:
            os.chdir(message["directory"])
            self._running = self._spawn(message["words"], message["stdout"], message["stderr"])
        except (OSError, ValueError) as problem:
            where = f" ({problem.filename})" if isinstance(problem, OSError) and problem.filename else ""
            reason = getattr(problem, "strerror", None) or str(problem)
            self._send({"problem": reason + where, "errno": getattr(problem, "errno", None)})

    def _spawn(self, words: list[str], stdout: str, stderr: str) -> int:
        errors: tuple[Any, ...] = (os.POSIX_SPAWN_OPEN, 2, stderr, _EMPTIED, 0o600)
        if stderr == stdout:
            errors = (os.POSIX_SPAWN_DUP2, 1, 2)
        return os.posix_spawn(
            _found(words[0], self._environment),
            words,
            self._environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, stdout, _EMPTIED, 0o600),
                errors,
            ],
            setsid=True,
            setsigdef=_DEFAULT_AGAIN,
            setsigmask=[],
        )

    def _reap(self) -> bool:
        """Takes note of processes that have ended. Whether any is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self._running:
                self._running = 0
                is_swept = self.sweep() if self._sweeps else True
                self._send({"status": os.waitstatus_to_exitcode(status), "swept": is_swept})

    def sweep(self) -> bool:
        """Kills all that was started and still runs, the command too: its end is not reported then. Whether all of
        them went."""
        limit = time.monotonic() + _SECONDS_TO_DIE
        self._running = 0
        pause = 0.0005
        while self._reap():
            if time.monotonic() > limit:
                return False
            for pid in descendants(os.getpid()):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        return True

    def _send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            self._caller.sendall(json.dumps(message).encode() + b"\n")


def _found(program: str, environment: dict[str, str]) -> str:
    """By the PATH that the command itself will see; with a slash in it, from the working directory."""
    if "/" in program:
        return program
    for directory in environment.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(directory or ".", program)
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            return path
    raise FileNotFoundError(2, "no such program", program)


def main() -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # A Ctrl-C in the terminal is for the caller to answer.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    Launching(socket.socket(fileno=sys.stdin.fileno()), reading).serve()
