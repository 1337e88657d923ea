"""A worker process of this machine, on both sides of its socket."""

import contextlib
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

from unknot.model.errors import UnknotError
from unknot.runners.sandbox.lifeline import die_with_parent
from unknot.runners.workers import pool

_PRINTED_BYTES = 2000

_SENT, _RETURNED, _RAISED = range(3)
"""Kinds of messages from a worker process."""

_caller: Connection | None = None
"""In a worker process."""

_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from unknot.runners.workers.worker_process import serve
serve(*map(int, sys.argv[2:]))
"""


class WorkerProcess:
    """Calls functions in a Python process of its own, one after another.

    Functions, arguments and what they return are pickled, as for multiprocessing; but the main program is not imported
    again, and no other process is started beside it. It dies with the thread that made this object (on Linux), and
    when the socket closes. No Ctrl-C of the terminal reaches it."""

    def __init__(self, last_breath: int = -1, environment: Mapping[str, str] | None = None) -> None:
        ours, theirs = socket.socketpair()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        kept = [theirs.fileno(), *([last_breath] if last_breath >= 0 else [])]
        numbers = map(str, (theirs.fileno(), os.getpid(), last_breath))
        try:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, json.dumps(sys.path), *numbers],
                env=None if environment is None else dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=kept,
                start_new_session=True,
            )
        finally:
            theirs.close()
        self._connection = Connection(ours.detach())

    @property
    def pid(self) -> int:
        return self._popen.pid

    def call(
        self, function: Callable[..., Any], arguments: Sequence[Any], on_message: Callable[[Any], None] = lambda _: None
    ) -> Any:
        """Raises what the function raises, or BrokenProcessPool if the process has died. `on_message` is called with
        what the function sends meanwhile."""
        message = pickle.dumps((function, tuple(arguments)), protocol=pickle.HIGHEST_PROTOCOL)
        try:
            self._connection.send_bytes(message)
            while (answer := pickle.loads(self._connection.recv_bytes()))[0] == _SENT:
                on_message(answer[1])
        except (EOFError, OSError) as problem:
            raise BrokenProcessPool(self._story()) from problem
        kind, value = answer
        if kind == _RETURNED:
            return value
        raise value

    def _story(self) -> str:
        try:
            status = self._popen.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return f"the worker process {self.pid} does not answer"
        self._errors.seek(max(0, os.fstat(self._errors.fileno()).st_size - _PRINTED_BYTES))
        printed = self._errors.read().decode(errors="replace").strip()
        return f"the worker process {self.pid} ended with status {status}" + (f": {printed}" if printed else "")

    def end_gently(self) -> None:
        """Breaks off what it does; it closes its slots then. From any thread; does not wait."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """From any thread; does not wait."""
        self._signal(signal.SIGKILL)

    def wait(self, seconds: float) -> bool:
        """Whether it ended within that time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
        return self._popen.returncode is not None

    def close(self) -> None:
        """Ends it at once, and waits for that."""
        self.kill()
        self._popen.wait()
        self._connection.close()
        self._errors.close()

    def _signal(self, number: int) -> None:
        # Checks first whether it has ended: its number may be another's by now.
        if self._popen.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self._popen.send_signal(number)


def send_to_caller(value: Any) -> None:
    """In a worker process: passes something on before the function that was called returns."""
    assert _caller is not None, "only a worker process has a caller"
    _caller.send_bytes(pickle.dumps((_SENT, value), protocol=pickle.HIGHEST_PROTOCOL))


def serve(descriptor: int, parent: int, last_breath: int) -> None:
    """The other side: until the socket closes or a signal comes."""
    global _caller
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _break_off)
    if last_breath >= 0:
        os.set_inheritable(last_breath, False)
        pool.hold_until_cleared(last_breath)
    os.set_inheritable(descriptor, False)
    _caller = connection = Connection(descriptor)
    try:
        with contextlib.suppress(EOFError, OSError):
            while True:
                connection.send_bytes(_called(connection.recv_bytes()))
    finally:
        pool.close_all()


def _break_off(_: int, __: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(0)


def _called(message: bytes) -> bytes:
    try:
        function, arguments = pickle.loads(message)
        return pickle.dumps((_RETURNED, function(*arguments)), protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the caller gets it
        return _packed(problem)


def _packed(problem: Exception) -> bytes:
    if not isinstance(problem, UnknotError):
        problem.add_note("".join(traceback.format_exception(problem)))
    try:
        packed = pickle.dumps((_RAISED, problem))
        pickle.loads(packed)
    except Exception:  # noqa: BLE001 - an exception of the suite's own making can do anything here
        packed = pickle.dumps((_RAISED, RuntimeError("".join(traceback.format_exception(problem)))))
    return packed
