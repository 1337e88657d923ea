"""A slot's sandbox: a private directory, a number, and a reaper that clears both away whatever happens."""

import fcntl
import itertools
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unknot.model.errors import RunnerError
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
    """In a directory that all can write, another user may have made it first."""
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
        status = directory.lstat()
    except OSError as problem:
        raise RunnerError(f"cannot make the directory {directory}: {problem}", slug="directory-unwritable") from problem
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise RunnerError(
            f"{directory} is not a directory that only you can use",
            hint="remove it, or have its owner remove it",
            slug="directory-not-private",
        )
    return directory


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
    """A sandbox with its reaper. `last_breath` is a descriptor that stays open until all is cleared away, or -1."""

    def __init__(self, last_breath: int = -1) -> None:
        self._number = take_number()
        home: Path | None = None
        try:
            home = make_home()
            token = f"{os.getpid()}-{secrets.token_hex(8)}"
            kept = [self._number.descriptor, *([last_breath] if last_breath >= 0 else [])]
            self._reaper = Reaper(f"{MARK}={token}", home, kept)
        except BaseException as problem:
            self._number.release()
            if home is not None:
                shutil.rmtree(home, ignore_errors=True)
            if isinstance(problem, OSError):
                raise RunnerError(
                    f"cannot set up a sandbox for tests: {problem}",
                    hint="free some space, or set TMPDIR",
                    slug="directory-unwritable",
                ) from problem
            raise
        self.sandbox = Sandbox(home, self._number.value, {MARK: token})

    def kill(self) -> None:
        """Ends every process with the mark; the sandbox stays. From any thread."""
        kill_family("=".join(*self.sandbox.mark.items()).encode(), seconds=_KILL_SECONDS)

    def close(self) -> None:
        """Returns when no process with the mark is left and the directory is gone."""
        self._reaper.end()
        self._number.release()
