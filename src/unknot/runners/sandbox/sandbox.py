"""A slot's sandbox: a private directory, a number, and a reaper that clears both away whatever happens."""

import itertools
import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.locks import lock_directory, private_directory, take_lock
from unknot.runners.sandbox.processes import kill_family
from unknot.runners.sandbox.reaper import Reaper

_IN_MEMORY = Path("/dev/shm")
_FREE_BYTES = 1024**3
"""Working copies and what tests write must fit with room to spare."""

_KILL_SECONDS = 2.0


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


def take_number(directory: Path | None = None) -> tuple[int, int]:
    """The smallest number that no other slot of this user has on this machine, and the descriptor that holds it. The
    files stay; they are empty."""
    where = private_directory(directory) if directory else lock_directory("slots")
    for number in itertools.count():
        if (descriptor := take_lock(where / str(number))) is not None:
            return number, descriptor
    raise AssertionError("there are numbers enough")


MARK = "UNKNOT_SLOT"


@dataclass(frozen=True)
class Sandbox:
    """What a slot is given: a private directory, a number that no other slot of this machine has at the same time,
    and a mark that must stand in the environment of whatever it starts. When the slot is closed, or the process that
    holds it dies in whatever way, everything with that mark is killed and the directory is removed."""

    home: Path
    number: int
    mark: Mapping[str, str] = field(default_factory=dict)


class OpenSandbox:
    """A sandbox with its reaper."""

    def __init__(self) -> None:
        number, self._lock = take_number()
        home: Path | None = None
        try:
            home = make_home()
            token = f"{os.getpid()}-{secrets.token_hex(8)}"
            self._reaper = Reaper(f"{MARK}={token}", home, [self._lock])
        except BaseException as problem:
            os.close(self._lock)
            if home is not None:
                shutil.rmtree(home, ignore_errors=True)
            if isinstance(problem, OSError):
                raise RunnerError(
                    f"cannot set up a sandbox for tests: {problem}",
                    hint="free some space, or set TMPDIR",
                    slug="directory-unwritable",
                ) from problem
            raise
        self.sandbox = Sandbox(home, number, {MARK: token})

    def kill(self) -> None:
        """Ends every process with the mark; the sandbox stays. From any thread."""
        kill_family("=".join(*self.sandbox.mark.items()).encode(), seconds=_KILL_SECONDS)

    def close(self) -> None:
        """Returns when no process with the mark is left and the directory is gone."""
        self._reaper.end()
        os.close(self._lock)
