"""Whether there is still space to write: without it, the results of tests mean nothing."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from unknot.model.errors import RunnerError

_LEAST_BYTES = 1024 * 1024
_LEAST_INODES = 16

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


def check_room(directories: Iterable[Path]) -> None:
    """Raises RunnerError if nearly nothing is left in one of these. Cost: one call for each."""
    for directory in directories:
        try:
            status = os.statvfs(directory)
        except OSError:
            continue
        if status.f_blocks and status.f_bavail * status.f_frsize < _LEAST_BYTES:
            raise full(directory, f"{status.f_bavail * status.f_frsize:,} bytes are left")
        if status.f_files and status.f_favail < _LEAST_INODES:
            raise full(directory, f"{status.f_favail} more files can be made")


def full(directory: Path, left: str) -> RunnerError:
    return RunnerError(
        f"the disk of {directory} is full ({left}), so the results of the tests mean nothing",
        hint="free some space, or set TMPDIR to a directory with more of it; what was learned before is kept",
        slug="disk-full",
    )


def cannot_write(directory: Path, problem: OSError) -> RunnerError:
    """Something of our own could not be written."""
    if problem.errno in _NO_ROOM:
        return full(directory, problem.strerror or "no space left on device")
    return RunnerError(
        f"{directory} cannot be put back into a clean state: {problem}",
        hint="check the owner of the files there; tests must not make files that they cannot remove themselves",
        slug="clean-state-failed",
    )
