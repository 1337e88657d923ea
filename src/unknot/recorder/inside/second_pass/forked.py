"""Runs a function in a forked child and returns its result."""

import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable

from unknot.recorder.inside.second_pass.fork_safety import make_private, reset_sigchld, thread_count

_PR_SET_PDEATHSIG = 1
_POLL_SECONDS = 0.1
"""How often to check for the child's death: a child that was killed closes its end of the pipe, but its own children
may still hold it open."""

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_fork, _waitpid, _clock = os.fork, os.waitpid, time.monotonic


def why_not_fork() -> str:
    """In words; empty if this process may be forked. In a child, locks that another thread held stay locked."""
    threads = thread_count()
    if not threads:
        return "the system does not report how many threads are running"
    return "threads are running" if threads > 1 else ""


def in_child(work: Callable[[], object], seconds: float) -> object:
    """Returns what `work` returned in a child, passed as JSON; None if it raised, died, or ran longer than `seconds`.

    The child has the memory of this process, but none of its open files (see `make_private`). At the end it is killed
    together with everything that it has started. Files that it changes by name stay changed.
    """
    reading, writing = os.pipe()
    parent = os.getpid()
    restore_sigchld = reset_sigchld()
    child = _fork()
    if child == 0:
        _run_child(work, parent, writing)
    os.close(writing)
    try:
        return _decoded(_received(reading, child, seconds))
    finally:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            _waitpid(child, 0)
        os.close(reading)
        restore_sigchld()


def _run_child(work: Callable[[], object], parent: int, writing: int) -> None:
    """Never returns: the frames further up the stack belong to the parent. Flushes no buffer."""
    try:
        me = os.getpid()
        os.setpgid(0, 0)
        if _libc is not None:
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                return
        make_private(keep=writing)
        gc.freeze()  # leaves the pages shared
        answer = json.dumps(work()).encode() + b"\n"
        if os.getpid() == me:
            view = memoryview(answer)
            while view:
                view = view[os.write(writing, view) :]
    finally:
        os._exit(0)


def _received(reading: int, child: int, seconds: float) -> bytes:
    """Everything up to the end of the line. A line without end counts as none."""
    deadline = _clock() + seconds
    data = bytearray()
    has_died = False
    while not data.endswith(b"\n") and _clock() < deadline:
        ready, _, _ = select.select([reading], [], [], _POLL_SECONDS)
        if ready:
            piece = os.read(reading, 1 << 16)
            if not piece:
                break
            data += piece
        elif has_died:
            break
        else:
            has_died = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return bytes(data)


def _decoded(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
