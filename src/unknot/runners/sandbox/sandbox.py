"""A slot's sandbox: a private directory, a number, and a reaper that clears both away whatever happens."""

import contextlib
import itertools
import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.locks import lock_directory, private_directory, take_lock
from unknot.runners.sandbox.processes import kill_family, process_info
from unknot.runners.sandbox.reaper import Reaper
from unknot.runners.sandbox.tree import remove_if_possible

_IN_MEMORY = Path("/dev/shm")
_FREE_BYTES = 1024**3
"""Working copies and what tests write must fit with room to spare."""

_KILL_SECONDS = 2.0


_PREFIX = "unknot-"
_OWNER = ".owner"
"""In each home: the process that made it."""


def make_home() -> Path:
    """A new private directory. In memory, putting files back and a test's own commits to disk cost a fraction; but a
    directory that the user chose by TMPDIR, or one that programs can be run from, comes first. Those of processes that
    were killed, with their reapers, are removed."""
    parent = Path(tempfile.gettempdir())
    if "TMPDIR" not in os.environ and _is_suitable(_IN_MEMORY):
        parent = _IN_MEMORY
    owner = _process_mark(os.getpid())
    _remove_left_behind(parent)
    home = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent)).resolve()
    try:
        if owner:
            (home / _OWNER).write_text(owner, encoding="utf-8")
    except OSError:
        remove_if_possible(home)
        raise
    return home


def _remove_left_behind(parent: Path) -> None:
    for home in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, ValueError):
            if home.lstat().st_uid != os.getuid() or home.is_symlink():
                continue
            namespace, pid, started = (home / _OWNER).read_text(encoding="utf-8").split()
            is_ours = namespace == _pid_namespace()
            if is_ours and _process_mark(int(pid)) != f"{namespace} {pid} {started}":
                remove_if_possible(home)


def _process_mark(pid: int) -> str:
    """Distinguishes the process from all others of this machine, also from later ones with its number; empty if it does
    not live, or there is no way to know."""
    found = process_info(pid)
    return f"{_pid_namespace()} {pid} {found.started}" if found is not None else ""


def _pid_namespace() -> str:
    """Processes of another container may use the same directory, and cannot be seen."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


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
PART = "UNKNOT_PART"
"""Told apart by the second are processes that have the first in common: see SandboxPart."""


@dataclass(frozen=True)
class Sandbox:
    """What a slot is given: a private directory, a number that no other slot of this machine has at the same time,
    and a mark that must stand in the environment of whatever it starts. When the slot is closed, or the process that
    holds it dies in whatever way, everything with that mark is killed and the directory is removed."""

    home: Path
    number: int
    mark: Mapping[str, str] = field(default_factory=dict)


class HeldSandbox(Protocol):
    """A sandbox, and how it ends."""

    sandbox: Sandbox

    def kill(self) -> None:
        """Ends every process with the mark; the sandbox stays. From any thread."""
        ...

    def close(self) -> None:
        """Returns when no process with the mark is left and the directory is gone."""
        ...


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
                remove_if_possible(home)
            if isinstance(problem, OSError):
                raise RunnerError(
                    f"cannot set up a sandbox for tests: {problem}",
                    hint="free some space, or set TMPDIR",
                    slug="directory-unwritable",
                ) from problem
            raise
        self.sandbox = Sandbox(home, number, {MARK: token, PART: _part(token, 0)})
        self._parts = 0

    def part(self) -> "SandboxPart":
        """A sandbox in this one, for what is forked off a process of this one. This one's reaper clears it away too."""
        self._parts += 1
        token = self.sandbox.mark[MARK]
        return SandboxPart(self.sandbox.home / f"part-{self._parts}", {MARK: token, PART: _part(token, self._parts)})

    def kill(self) -> None:
        _kill(self.sandbox.mark, MARK)

    def close(self) -> None:
        self._reaper.end()
        os.close(self._lock)


class SandboxPart:
    """Part of a sandbox: with a number, a directory and a mark of its own, but no reaper."""

    def __init__(self, home: Path, mark: Mapping[str, str]) -> None:
        number, self._lock = take_number()
        home.mkdir()
        self.sandbox = Sandbox(home, number, mark)

    def kill(self) -> None:
        _kill(self.sandbox.mark, PART)

    def close(self) -> None:
        """The directory goes with that of the whole, and so does what may be left of the processes."""
        os.close(self._lock)


def _part(token: str, number: int) -> str:
    """All of them equally long: a process that is forked for a part changes it in place."""
    return f"{token}-{number:06d}"


def _kill(mark: Mapping[str, str], name: str) -> None:
    kill_family(f"{name}={mark[name]}".encode(), seconds=_KILL_SECONDS)
