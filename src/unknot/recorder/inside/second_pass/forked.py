"""Does something in a forked child and brings back what came out."""

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

from unknot.recorder.inside.second_pass.private_descriptors import make_private

_PR_SET_PDEATHSIG = 1
_LOOK_FOR_DEATH = 0.1
"""Seconds. A child that was killed closes its end of the pipe, but one that it has forked may still hold it open."""

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_fork, _waitpid, _clock = os.fork, os.waitpid, time.monotonic


def why_not_fork() -> str:
    """In words; empty if this process may be forked. In a child, locks that another thread held stay locked."""
    try:
        threads = len(os.listdir("/proc/self/task"))
    except OSError:
        return "the system does not tell how many threads are running"
    return "threads are running" if threads > 1 else ""


def in_child(work: Callable[[], object], seconds: float) -> object:
    """What `work` returned in a child, as JSON brings it over; None if it raised, died, or took longer than `seconds`.

    The child has the memory of this process, but none of its open files (see `make_private`), and is killed at the
    end together with all that it has started. What it does to files by their names is done.
    """
    reading, writing = os.pipe()
    parent = os.getpid()
    give_back = _take_sigchld()
    child = _fork()
    if child == 0:
        _live(work, parent, writing)
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
        give_back()


def _live(work: Callable[[], object], parent: int, writing: int) -> None:
    """Never returns: what lies above on the stack belongs to the parent. No buffer is flushed."""
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
    """All up to the end of the line. A line without end is none."""
    deadline = _clock() + seconds
    data = bytearray()
    has_died = False
    while not data.endswith(b"\n") and _clock() < deadline:
        ready, _, _ = select.select([reading], [], [], _LOOK_FOR_DEATH)
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


def _take_sigchld() -> Callable[[], object]:
    """Sees to it that a child can be waited for, whatever the suite has done about SIGCHLD; returns the way back."""
    handler = signal.getsignal(signal.SIGCHLD)
    if handler is None or handler == signal.SIG_DFL:
        return lambda: None
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return lambda: signal.signal(signal.SIGCHLD, handler)
