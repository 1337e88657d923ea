"""What a file holds, shortly: to see whether it was left as it was found."""

import os
import stat
from hashlib import blake2b
from os import lstat as _lstat
from os import readlink as _readlink
from typing import NamedTuple

MOST_BYTES = 1 << 20
"""Larger files are compared by size and time only."""


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
    """None if there is nothing. Never raises. Opens only plain files: a pipe could wait for ever."""
    try:
        found = _lstat(path)
    except (OSError, ValueError):
        return None
    content = b""
    if stat.S_ISLNK(found.st_mode):
        content = _linked(path)
    elif read and stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES:
        content = _digest(path)
    return FileState(found.st_mode, found.st_size, found.st_mtime_ns, content)


def differ(before: FileState | None, after: FileState | None, *, time_matters: bool = False) -> bool:
    """The same content written again is no change, unless the time of the file was set on purpose. Of a directory only
    its being there counts, and its permissions."""
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


def _linked(path: str) -> bytes:
    try:
        return os.fsencode(_readlink(path))
    except OSError:
        return b""
