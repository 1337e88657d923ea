"""What a directory holds: names, kinds, permissions, owners, times; and whether times show that a file has changed.

Only the standard library, and little of it: the reaper uses this too.
"""

import contextlib
import os
import shutil
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_TIMES_SHOW_MAPPED_WRITES = frozenset({"ext2", "ext3", "ext4", "xfs"})
"""A write through mapped memory changes the time there, at the latest when it is the first one of a process. In memory
(tmpfs) it never does. Others were not examined."""

_FINE_NS = 20_000_000
"""Times are taken from a clock that ticks every 1 to 10 ms."""

_COARSE_NS = 2_000_000_000
_SECOND_NS = 1_000_000_000


class TreeEntry(NamedTuple):
    """`name` is relative to the top of the tree, "" for the top itself. `points_to` is what a symbolic link says. What
    is neither a file nor a directory nor a link is special, and has nothing in it to keep: sockets, pipes, devices."""

    name: str
    status: os.stat_result
    points_to: str = ""

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.status.st_mode)

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.status.st_mode)

    def is_like(self, other: "TreeEntry | None") -> bool:
        """Whether both are of the same kind, links that lead to the same place."""
        if other is None or self.points_to != other.points_to:
            return False
        return stat.S_IFMT(self.status.st_mode) == stat.S_IFMT(other.status.st_mode)


class Signature(NamedTuple):
    """What changes when a file is written to or replaced, even if a program sets its times back."""

    inode: int
    size: int
    changed_ns: int
    written_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Signature":
        return cls(status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns)

    def is_settled(self) -> bool:
        """Whether a write from now on must give another signature: the clock has ticked since the last one."""
        margin = _FINE_NS if self.changed_ns % _SECOND_NS else _COARSE_NS
        return 0 <= self.changed_ns < time.time_ns() - margin


def walk(
    top: Path, name: str = "", *, opens: bool = False, ignored: Collection[str] = frozenset()
) -> Iterator[TreeEntry]:
    """The entry `name` of this tree, the top itself if that is empty, and all below it: a directory before what is in
    it, no link followed, no file or directory that is called as one of `ignored`. With `opens`, directories that their
    owner may not read or change are made so first."""
    path = os.path.join(top, name) if name else str(top)
    status = os.lstat(path)
    yield TreeEntry(name, status, os.readlink(path) if stat.S_ISLNK(status.st_mode) else "")
    if not stat.S_ISDIR(status.st_mode):
        return
    if opens and status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(path, stat.S_IMODE(status.st_mode) | stat.S_IRWXU)
    for below in sorted(os.listdir(path)):
        if below in ignored:
            continue
        below = os.path.join(name, below)
        try:
            yield from walk(top, below, opens=opens, ignored=ignored)
        except FileNotFoundError:
            # A program that still runs has removed it meanwhile: then it is not there.
            if os.path.lexists(os.path.join(top, below)):
                raise


def is_within(path: str, directory: str) -> bool:
    """By their names alone."""
    return path == directory or path.startswith(directory + os.sep)


def is_within_any(path: str, directories: Iterable[str]) -> bool:
    return any(is_within(path, directory) for directory in directories)


def set_status(path: str, wanted: os.stat_result) -> None:
    """Owner, permissions and time of writing, where they differ."""
    present = os.lstat(path)
    if (present.st_uid, present.st_gid) != (wanted.st_uid, wanted.st_gid):
        os.chown(path, wanted.st_uid, wanted.st_gid, follow_symlinks=False)
        present = os.lstat(path)
    if stat.S_ISLNK(wanted.st_mode):
        return
    if stat.S_IMODE(present.st_mode) != stat.S_IMODE(wanted.st_mode):
        os.chmod(path, stat.S_IMODE(wanted.st_mode))
    if present.st_mtime_ns != wanted.st_mtime_ns:
        os.utime(path, ns=(wanted.st_atime_ns, wanted.st_mtime_ns))


def remove(path: str) -> None:
    """Whatever it is, with all that is in it, also what was made read-only. A path that does not exist is no error."""
    with contextlib.suppress(FileNotFoundError):
        if os.path.islink(path) or not os.path.isdir(path):
            os.unlink(path)
            return
        shutil.rmtree(path, ignore_errors=True)
        if os.path.lexists(path):
            for _ in walk(Path(path), opens=True):
                pass
            shutil.rmtree(path)


def remove_if_possible(path: str | Path) -> None:
    """The same, as far as it can be done."""
    with contextlib.suppress(OSError):
        remove(str(path))


def times_show_writes(directory: Path) -> bool:
    """Whether times can be trusted on this file system while no process has its files mapped. Cost: reads
    /proc/self/mountinfo; where that does not exist the answer is no."""
    device = os.stat(directory).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="replace").splitlines()
    except OSError:
        return False
    for line in lines:
        words = line.split()
        if words[2] == wanted and words[words.index("-", 6) + 1] in _TIMES_SHOW_MAPPED_WRITES:
            return True
    return False
