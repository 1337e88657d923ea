"""Locks that all processes of one user share on this machine. The kernel frees one when its process ends in whatever
way."""

import fcntl
import os
import stat
import tempfile
from pathlib import Path

from unknot.model.errors import RunnerError

_SHARED = Path("/tmp")
"""Processes whose users have set TMPDIR differently must still meet."""


def lock_directory(purpose: str) -> Path:
    """Raises RunnerError if it cannot be made, or another user has made it first."""
    parent = _SHARED if os.access(_SHARED, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())
    return private_directory(parent / f"unknot-{purpose}-{os.geteuid()}")


def private_directory(directory: Path) -> Path:
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.lstat()
    except OSError as problem:
        raise RunnerError(
            f"cannot make the directory {directory}: {problem}",
            hint="remove what is there",
            slug="directory-unwritable",
        ) from problem
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise RunnerError(
            f"{directory} is not a directory that only you can use",
            hint="remove it, or have its owner remove it",
            slug="directory-not-private",
        )
    return directory


def take_lock(path: Path) -> int | None:
    """The descriptor that holds the lock as long as it, or a copy of it in another process, is open; None if another
    process has the lock. The file stays: to remove it would let two hold the lock of one name."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
