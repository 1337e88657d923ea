"""Small numbers that tell the slots of a machine apart."""

import fcntl
import itertools
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import RunnerError

_COMMON = Path("/tmp")
"""Slots whose users have set TMPDIR differently must still meet."""


@dataclass(frozen=True)
class SlotNumber:
    """Ours as long as the descriptor, or a copy of it in another process, is open: the kernel frees it, whatever
    happens to the process."""

    value: int
    descriptor: int

    def release(self) -> None:
        os.close(self.descriptor)


def take_number(directory: Path | None = None) -> SlotNumber:
    """The smallest number that no other slot of this user has on this machine. The files stay; they are empty."""
    where = _ours(directory or _default())
    for value in itertools.count():
        descriptor = os.open(where / str(value), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return SlotNumber(value, descriptor)
    raise AssertionError("there are numbers enough")


def _default() -> Path:
    parent = _COMMON if os.access(_COMMON, os.W_OK) else Path(tempfile.gettempdir())
    return parent / f"unknot-slots-{os.geteuid()}"


def _ours(directory: Path) -> Path:
    """In a directory that all can write, somebody else may have been here first."""
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.lstat()
    except OSError as problem:
        raise RunnerError(f"cannot make the directory {directory}: {problem}") from problem
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise RunnerError(
            f"{directory} is not a directory that only you can use", hint="remove it, or ask its owner to do so"
        )
    return directory
