"""The directories of one instance, below its slot's home."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.tree import remove


class InstancePaths:
    """`directory` is the system's own (UNKNOT_DIR), `temporary` its TMPDIR, `store` is for states kept. The paths are
    short: a socket's path may have 107 characters."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._base = home / "instance"
        self.directory = self._base / "dir"
        self.temporary = self._base / "tmp"
        self.store = self._base / "store"
        self.log = self._base / "log"
        self.check_log = self._base / "check-log"

    def recreate(self) -> None:
        """All of them, empty."""
        self.make_empty(self.directory, self.temporary, self.store)
        if os.geteuid() == 0:
            # Servers that root starts change to a user of their own, which must reach the directories: through the
            # home, without seeing what else is there.
            for directory in (self._home, self._base):
                directory.chmod(directory.stat().st_mode & 0o7777 | 0o011)

    def make_empty(self, *directories: Path) -> None:
        """Whatever was there. Other users may use `temporary` as they may use /tmp; `directory` is for `prepare` to
        give away."""
        for directory in directories:
            with explained(directory):
                remove(str(directory))
                directory.mkdir(parents=True)
                if directory == self.temporary and os.geteuid() == 0:
                    directory.chmod(0o1777)

    def remove(self) -> None:
        """As far as it can be removed; the log stays with the slot's home."""
        for directory in (self.directory, self.temporary, self.store):
            with contextlib.suppress(OSError):
                remove(str(directory))


@contextlib.contextmanager
def explained(directory: Path) -> Iterator[None]:
    """A problem with files there becomes a RunnerError."""
    try:
        yield
    except OSError as problem:
        raise RunnerError(
            f"cannot write to {directory}, which belongs to the instance: {problem.strerror or problem}",
            hint="free some space, set TMPDIR to another disk, or check what else writes there",
            slug="directory-unwritable",
        ) from problem
