"""Short descriptions of files, to decide whether a test left them as it found them."""

import contextlib
import os
import stat
from collections.abc import Collection
from hashlib import blake2b
from os import listdir as _listdir
from os import lstat as _lstat
from os import readlink as _readlink
from typing import NamedTuple

MOST_BYTES = 1 << 20
"""Larger files are compared by size and time only."""

_DESCRIPTORS = "/proc/self/fd"


class FileState(NamedTuple):
    mode: int
    size: int
    time: int
    content: bytes
    """A digest, the target of a link, or empty if the file was not read."""

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.mode)


def state_of(path: str, *, read: bool = True) -> FileState | None:
    """None if there is no such file. Never raises. Opens only regular files: opening a pipe could block forever."""
    try:
        found = _lstat(path)
    except (OSError, ValueError):
        return None
    content = b""
    if stat.S_ISLNK(found.st_mode):
        content = _link_target(path)
    elif read and stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES:
        content = _digest(path)
    return FileState(found.st_mode, found.st_size, found.st_mtime_ns, content)


def differ(before: FileState | None, after: FileState | None, *, time_matters: bool = False) -> bool:
    """The same content written again is no change, unless the file's time was set on purpose. Of a directory only its
    existence and permissions count."""
    if before is None or after is None:
        return before is not after
    if before.mode != after.mode or (time_matters and before.time != after.time):
        return True
    if before.is_directory:
        return False
    if before.size != after.size:
        return True
    if before.content and after.content:
        return before.content != after.content
    return before.time != after.time


def _digest(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return blake2b(file.read(MOST_BYTES) or b"", digest_size=16).digest()
    except OSError:
        return b""


def _link_target(path: str) -> bytes:
    try:
        return os.fsencode(_readlink(path))
    except OSError:
        return b""


class OpenFiles:
    """The files that a test has opened for writing and left open, such as a log: later writes raise no audit event, so
    size and time of these files are compared at each later test boundary.

    Costs one system call for each such file and boundary. The list of open files is read after tests that have written
    to a file. Buffered data counts as a write of the test in which it is flushed.
    """

    def __init__(self) -> None:
        self._states: dict[str, FileState | None] = {}

    def changed(self, written: Collection[str]) -> list[str]:
        """Those that have changed since the last boundary, except those that the test is known to have `written`."""
        found = []
        for path, before in self._states.items():
            after = state_of(path, read=False)
            if after != before:
                self._states[path] = after
                if path not in written and after is not None:
                    found.append(path)
        if written:
            is_open = _open_files()
            self._states = {path: state_of(path, read=False) for path in (*self._states, *written) if path in is_open}
        return found


def _open_files() -> set[str]:
    found = set()
    try:
        for name in _listdir(_DESCRIPTORS):
            with contextlib.suppress(OSError):
                found.add(_readlink(f"{_DESCRIPTORS}/{name}"))
    except OSError:
        pass
    return found
