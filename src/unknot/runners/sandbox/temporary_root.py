"""Where workers live while a suite is run: in memory if that is possible."""

import os
import tempfile
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")
_FREE_BYTES = 1024**3
"""Working copies and what tests write must fit with room to spare."""


def make_home() -> Path:
    """A new private directory. In memory, putting files back and a test's own commits to disk cost a fraction; but a
    directory that the user chose by TMPDIR, or one that programs can be run from, comes first."""
    parent = str(_IN_MEMORY) if "TMPDIR" not in os.environ and _is_suitable(_IN_MEMORY) else None
    return Path(tempfile.mkdtemp(prefix="unknot-", dir=parent)).resolve()


def _is_suitable(directory: Path) -> bool:
    try:
        status = os.statvfs(directory)
    except OSError:
        return False
    is_runnable = not status.f_flag & getattr(os, "ST_NOEXEC", 8)
    return is_runnable and os.access(directory, os.W_OK) and status.f_bavail * status.f_frsize >= _FREE_BYTES
