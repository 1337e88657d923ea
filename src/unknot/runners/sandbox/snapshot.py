"""Snapshot and restore of a directory: the one way back to a clean state on disk.

Working copies of the project, TMPDIR and the `directory` reset of an instance all use it.
"""

import contextlib
import fcntl
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from pathlib import Path
from typing import IO

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.tree import Signature, TreeEntry, remove, set_status, walk

_BLOCK = 256 * 1024
_LARGE = 4 * 1024 * 1024
"""To share blocks with a file that was just written to, the file system first writes it to disk. Comparing less than
this is quicker."""

_FICLONE = 0x40049409
"""Linux: both files share their blocks on disk until one of them is written to (btrfs, XFS, bcachefs)."""


def make_identical(source: int, target: int) -> None:
    """`target` must be open for reading and writing. It is never shorter than it is to become, because a program that
    has mapped it would be killed. Blocks that are the same are not written; holes cost nothing. Cost:
    nothing to speak of where the file system can share blocks, else reading both."""
    size = os.fstat(source).st_size
    is_worth_sharing = size >= _LARGE or os.fstat(target).st_size == 0
    if not (is_worth_sharing and _shares_blocks(source, target)):
        at = 0
        for start, end in _data(source, size):
            _write_zeros(target, at, start)
            _copy(source, target, start, end)
            at = end
        _write_zeros(target, at, size)
    if os.fstat(target).st_size != size:
        os.ftruncate(target, size)


def _shares_blocks(source: int, target: int) -> bool:
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError:
        return False
    return True


def _data(file: int, end: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """Where the file has bytes, from `start` to `end`; a file system that knows no holes says: everywhere."""
    while start < end:
        try:
            begin = os.lseek(file, start, os.SEEK_DATA)
        except OSError:
            return  # a hole up to the file's end
        if begin >= end:
            return
        stop = min(end, os.lseek(file, begin, os.SEEK_HOLE))
        yield begin, stop
        start = stop


def _copy(source: int, target: int, start: int, end: int) -> None:
    for at in range(start, end, _BLOCK):
        wanted = os.pread(source, min(_BLOCK, end - at), at)
        if os.pread(target, len(wanted), at) != wanted:
            _write(target, wanted, at)


def _write_zeros(target: int, start: int, end: int) -> None:
    for begin, stop in list(_data(target, min(end, os.fstat(target).st_size), start)):
        for at in range(begin, stop, _BLOCK):
            length = min(_BLOCK, stop - at)
            if os.pread(target, length, at).count(0) != length:
                _write(target, bytes(length), at)


def _write(target: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(target, data, at)
        data, at = data[written:], at + written


class TimeTrust(Enum):
    """Whether a file that looks as it did when it was last known to be right need not be read."""

    NEVER = auto()
    SETTLED = auto()
    """Only if the clock has ticked since the last change. Right where times show every write."""
    ALWAYS = auto()
    """Right for files that no program has mapped, if the changing program starts after the snapshot was made."""


class Snapshot:
    """What `top` was when this was made: files with their contents, owners, permissions and times, symbolic links, hard
    links inside the directory, empty directories. Extended attributes are not kept.

    Contents lie below `kept`. Usually they are copied there. With `borrows`, they are there already, under the names
    that they have in `top`, and must not change. With `links`, a file is kept as a second name of itself instead of a
    copy. That is right only for files that are replaced and never written to; one that was written to after all is
    noticed by its time. Names that are `ignored` are neither kept nor restored, wherever they are.

    Guarantee: restoring writes and removes nothing outside `top`, wherever links lead that tests have made. Files are
    changed in place, so that a program that has them open sees it. Sockets and pipes that were there are left alone,
    others are removed. Assumes that nothing writes there meanwhile.

    Cost: keeping is a copy, or next to nothing where the file system shares blocks. Restoring is a walk of the tree,
    some microseconds for each file, and reads those files whose times cannot be trusted.
    """

    def __init__(
        self,
        top: Path,
        kept: Path,
        *,
        trust: TimeTrust,
        links: bool = False,
        borrows: bool = False,
        ignored: frozenset[str] = frozenset(),
    ) -> None:
        self._top = top
        self._kept = kept
        self._trust = trust
        self._links = links
        self._borrows = borrows
        self._ignored = ignored
        self._entries: dict[str, TreeEntry] = {}
        self._names_of: dict[int, list[str]] = {}
        """By inode: several names may be one file."""
        self._signatures: dict[str, Signature] = {}
        if not borrows:
            kept.mkdir()
        for entry in walk(top, ignored=ignored):
            with contextlib.suppress(FileNotFoundError):  # gone meanwhile, if the program runs
                self._take(entry)

    def changed(self) -> list[str]:
        """Names, from `top`, of what is new, gone or different; of a directory that is new or gone only itself. The
        top itself is a directory again afterwards, whatever a test has done to it.

        A file whose contents, permissions or place were changed is found even if its size and time were set back,
        because no program can set the time of the last change of status. Nothing is read."""
        self._restore_top()
        present = {entry.name: entry for entry in walk(self._top, opens=True, ignored=self._ignored)}
        found = [name for name, entry in present.items() if self._differs(entry)]
        found += [name for name in self._entries if name not in present]
        return _topmost(found)

    def restore(self, names: Iterable[str] | None = None) -> None:
        """Puts back these names with all below them; everything if none are given. A new directory on the way to a
        name goes too. Raises OSError if something cannot be put back."""
        wanted = self._entries
        chosen = [""]
        if names is not None:
            chosen = _topmost(filter(None, map(self._affected, names)))
            wanted = {name: self._entries[name] for one in chosen for name in self._below(one)}
        present = self._present(chosen)
        self._remove_what_is_new(present)
        for name, entry in wanted.items():
            there = present.get(name)
            if entry.is_file:
                self._restore_file(entry, there)
            elif entry.is_directory and there is None:
                os.mkdir(self._path(name), 0o700)
            elif entry.is_link and there is None:
                os.symlink(entry.points_to, self._path(name))
        # Last, and what is below first: whatever is done in a directory changes its time.
        for name in reversed(wanted):
            self._set_status(self._entries[name])

    def remove(self) -> None:
        """Throws away the contents that were copied."""
        shutil.rmtree(self._kept)

    def _take(self, entry: TreeEntry) -> None:
        if entry.is_file:
            names = self._names_of.get(entry.status.st_ino, [])
            if not names and not self._borrows:
                self._keep_contents(entry)
            self._names_of[entry.status.st_ino] = [*names, entry.name]
            self._record(entry.name)
        self._entries[entry.name] = entry

    def _keep_contents(self, entry: TreeEntry) -> None:
        if self._links:
            os.link(self._path(entry.name), self._contents(entry), follow_symlinks=False)
            return
        with (
            _opened(self._path(entry.name), os.O_RDONLY) as live,
            _opened(self._contents(entry), os.O_RDWR | os.O_CREAT | os.O_EXCL) as kept,
        ):
            make_identical(live.fileno(), kept.fileno())

    def _contents(self, entry: TreeEntry) -> str:
        """Where the contents of a file are kept."""
        inode = entry.status.st_ino
        return os.path.join(self._kept, self._names_of[inode][0] if self._borrows else str(inode))

    def _differs(self, there: TreeEntry) -> bool:
        wanted = self._entries.get(there.name)
        if wanted is None or not wanted.is_like(there):
            return True
        if there.is_directory:
            return there.status.st_mode != wanted.status.st_mode
        return there.is_file and self._signatures.get(there.name) != Signature.of(there.status)

    def _affected(self, name: str) -> str:
        """What has to be restored so that this name is as it was: itself, or a directory above it that is new, or has
        become something else. Empty if the name is ignored."""
        parts = name.split("/")
        if not self._ignored.isdisjoint(parts):
            return ""
        for depth in range(1, len(parts)):
            above = "/".join(parts[:depth])
            entry = self._entries.get(above)
            if entry is None or not entry.is_directory or not _is_directory(self._path(above)):
                return above
        return name

    def _below(self, name: str) -> list[str]:
        """The kept names at and below this one."""
        entry = self._entries.get(name)
        if entry is None:
            return []
        if not entry.is_directory:
            return [name]
        return [each for each in self._entries if each == name or each.startswith(f"{name}/")]

    def _present(self, names: Iterable[str]) -> dict[str, TreeEntry]:
        return {
            entry.name: entry
            for name in names
            if os.path.lexists(self._path(name))
            for entry in walk(self._top, name, opens=True, ignored=self._ignored)
        }

    def _restore_top(self) -> None:
        path = self._path("")
        if not _is_directory(path):
            remove(path)
            os.mkdir(path)
        mode = stat.S_IMODE(self._entries[""].status.st_mode)
        if stat.S_IMODE(os.lstat(path).st_mode) != mode:
            os.chmod(path, mode)

    def _remove_what_is_new(self, present: dict[str, TreeEntry]) -> None:
        removed = "/"  # no name starts with that
        for name, there in list(present.items()):
            if name.startswith(removed):
                del present[name]  # went with its directory, which came right before
                continue
            if there.is_like(self._entries.get(name)):
                continue
            del present[name]
            path = self._path(name)
            if there.is_directory:
                shutil.rmtree(path, ignore_errors=True)  # what could not be removed is named below
                with contextlib.suppress(FileNotFoundError):
                    os.rmdir(path)
                removed = f"{name}/"
            else:
                _unlink(path)

    def _restore_file(self, entry: TreeEntry, there: TreeEntry | None) -> None:
        path = self._path(entry.name)
        if there is not None and self._signatures.get(entry.name) == Signature.of(there.status):
            return
        if self._links:
            self._link_again(entry, there)
            return
        names = self._names_of[entry.status.st_ino]
        if names[0] != entry.name:
            if there is None or not os.path.samefile(path, self._path(names[0])):
                _unlink(path)
                os.link(self._path(names[0]), path, follow_symlinks=False)
            return
        # A file with a name elsewhere is not ours alone, or no longer: it is left to its other name.
        if there is not None and there.status.st_nlink != len(names):
            os.unlink(path)
        with _opened(self._contents(entry), os.O_RDONLY) as kept, _opened_for_change(path) as live:
            make_identical(kept.fileno(), live.fileno())

    def _link_again(self, entry: TreeEntry, there: TreeEntry | None) -> None:
        path, kept = self._path(entry.name), self._contents(entry)
        now = os.lstat(kept)
        if (now.st_size, now.st_mtime_ns) != (entry.status.st_size, entry.status.st_mtime_ns):
            raise RunnerError(
                f"{path} was written to in place, and its kept state with it",
                hint="hard links are only for files that are replaced as a whole: leave out `links = true`",
                slug="clean-state-failed",
            )
        if there is None or there.status.st_ino != now.st_ino:
            _unlink(path)
            os.link(kept, path, follow_symlinks=False)

    def _set_status(self, entry: TreeEntry) -> None:
        if entry.is_file or entry.is_directory or entry.is_link:
            set_status(self._path(entry.name), entry.status)
        if entry.is_file:
            self._record(entry.name)

    def _record(self, name: str) -> None:
        """The live file is right now; its signature shows later whether it still is, if times can be trusted."""
        signature = Signature.of(os.lstat(self._path(name)))
        if self._trust is TimeTrust.ALWAYS or (self._trust is TimeTrust.SETTLED and signature.is_settled()):
            self._signatures[name] = signature
        else:
            self._signatures.pop(name, None)

    def _path(self, name: str) -> str:
        return os.path.join(self._top, name) if name else str(self._top)


def _topmost(names: Iterable[str]) -> list[str]:
    """Without those that lie below another one."""
    found: list[str] = []
    for name in sorted(names, key=lambda name: name.split("/")):
        if not found or (name != found[-1] and not name.startswith(f"{found[-1]}/")):
            found.append(name)
    return found


def _is_directory(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _opened(path: str, flags: int) -> IO[bytes]:
    flags |= os.O_CLOEXEC | os.O_NOFOLLOW
    return open(path, "rb", buffering=0, opener=lambda name, _: os.open(name, flags, 0o600))


def _opened_for_change(path: str) -> IO[bytes]:
    """One that forbids it is replaced instead."""
    try:
        return _opened(path, os.O_RDWR | os.O_CREAT)
    except PermissionError:
        os.unlink(path)
        return _opened(path, os.O_RDWR | os.O_CREAT)


def _unlink(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
