"""Forks a process for each worker off the one that has collected the suite.

A worker's process has layers of its own over all files that tests write, pipes and a log of its own, and its own mark
in its environment, by which it and what it starts can be told from the other workers.
"""

import contextlib
import ctypes
import os
import signal
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from unknot.recorder.inside.second_pass.fork_safety import make_private
from unknot.runners.pytest.inside.channel import Channel
from unknot.runners.pytest.inside.descriptors import open_descriptors
from unknot.runners.sandbox.branch_layers import BranchLayers, LayeredPlaces
from unknot.runners.sandbox.lifeline import die_with_parent

_ENVIRONMENT_BEGINS, _ENVIRONMENT_ENDS = 47, 48
"""Fields of /proc/self/stat, counted behind the name."""


class ForkedWorkers:
    """`serve` is called in each new process, with its channel and its layers, and returns when the worker is to end."""

    def __init__(self, serve: Callable[[Mapping[str, Any], Channel, BranchLayers], None]) -> None:
        self._serve = serve
        self._status_files: dict[int, str] = {}
        self._handler: Any = signal.SIG_DFL

    def fork(self, command: Mapping[str, Any]) -> None:
        """One more. Its first message on its pipe says its number, or what is in the way."""
        if not self._status_files:
            self._handler = signal.signal(signal.SIGCHLD, self._reap)
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            self._live(command, parent)
        self._status_files[child] = command["status"]
        # It may have ended before its number was known.
        self._reap()

    def _reap(self, number: int = 0, frame: FrameType | None = None) -> None:  # noqa: ARG002 - a signal handler
        for pid in list(self._status_files):
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                file = self._status_files.pop(pid)
                Path(f"{file}.new").write_text(str(os.waitstatus_to_exitcode(status)), encoding="ascii")
                os.rename(f"{file}.new", file)

    def _live(self, command: Mapping[str, Any], parent: int) -> None:
        """Never returns: what lies above on the stack belongs to the parent."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL if self._handler is None else self._handler)
            os.setsid()
            die_with_parent(parent)
            channel = Channel(command["answers"])
            layers = BranchLayers(LayeredPlaces.from_text(command["layers"]))
            try:
                layers.lay()
                layers.begin_here()
                _take_descriptors(command, channel)
            except OSError as problem:
                channel.send({"event": "forked", "pid": 0, "problem": str(problem)})
                return
            for name, (old, new) in command["variables"].items():
                _rename(name, old, new)
            channel.send({"event": "forked", "pid": os.getpid()})
            self._serve(command, channel, layers)
        finally:
            os._exit(0)


def _take_descriptors(command: Mapping[str, Any], channel: Channel) -> None:
    """No file is shared with another worker: not its position, nor what pytest captures into it."""
    shared_log = os.stat(command["shared_log"])
    logging = [number for number, _ in open_descriptors() if _is_same(number, shared_log)]
    make_private(keep=channel.descriptor)
    log = os.open(command["log"], os.O_WRONLY | os.O_APPEND)
    for number in logging:
        os.dup2(log, number, inheritable=os.get_inheritable(number))
    os.close(log)


def _is_same(number: int, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(number), file)
    except OSError:
        return False


def cannot_be_taken() -> list[str]:
    """Descriptors for which a forked process cannot have one of its own: sockets, pipes, event queues."""
    found = []
    for number, target in sorted(open_descriptors()):
        with contextlib.suppress(OSError):
            mode = os.fstat(number).st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISCHR(mode)):
                found.append(target)
    return found


def _rename(name: str, old: str, new: str) -> None:
    """Changes a variable: for what this process starts, and in what /proc shows of this process and its forks, where
    the family of a worker is looked for. The new value is as long as the old one."""
    os.environ[name] = new
    before, after = os.fsencode(f"{name}={old}"), os.fsencode(f"{name}={new}")
    if len(before) != len(after):
        return
    try:
        fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        begin, end = int(fields[_ENVIRONMENT_BEGINS]), int(fields[_ENVIRONMENT_ENDS])
    except (OSError, IndexError, ValueError):
        return
    place = (b"\0" + ctypes.string_at(begin, end - begin)).find(b"\0" + before + b"\0")
    if place >= 0:
        ctypes.memmove(begin + place, after, len(after))
