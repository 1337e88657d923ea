"""One kept state of a directory."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.file_times import Signature
from unknot.runners.sandbox.identical import make_identical
from unknot.runners.sandbox.tree import EntryKind, TreeEntry, set_status, walk


class Snapshot:
    """What `top` was when this was made. Contents lie in `store`, one file for each, numbered.

    `believes_times`: a file that looks as it did when it was last known to be right is not read. Otherwise all are.
    `links`: a file is kept as a second name of itself instead of a copy. That is right only for files that are replaced
    and never written to; one that was written to after all is noticed by its time.
    """

    def __init__(self, top: Path, store: Path, *, believes_times: bool, links: bool = False) -> None:
        self._top = top
        self._store = store
        self._believes_times = believes_times
        self._links = links
        self._entries: dict[str, TreeEntry] = {}
        self._numbers: dict[int, int] = {}
        """By inode: names that were one file share a number."""
        self._names_of: dict[int, list[str]] = {}
        self._right: dict[str, Signature] = {}
        store.mkdir()
        for entry in walk(top):
            with contextlib.suppress(FileNotFoundError):  # gone meanwhile, if the program runs
                self._take(entry)

    def put_back(self) -> None:
        present = {}
        if os.path.lexists(self._top):
            present = {entry.name: entry for entry in walk(self._top, opens=True)}
        self._remove_what_is_new(present)
        for name, entry in self._entries.items():
            there = present.get(name)
            if entry.kind is EntryKind.DIRECTORY and there is None:
                os.mkdir(self._path(name), 0o700)
            elif entry.kind is EntryKind.LINK and there is None:
                os.symlink(entry.points_to, self._path(name))
            elif entry.kind is EntryKind.FILE:
                self._put_back_file(entry, there)
        # Last, and what is below first: whatever is done in a directory changes its time.
        for name in reversed(self._entries):
            self._set_status(self._entries[name])

    def remove(self) -> None:
        shutil.rmtree(self._store)

    def _take(self, entry: TreeEntry) -> None:
        if entry.kind is EntryKind.FILE:
            inode = entry.status.st_ino
            is_first = inode not in self._numbers
            number = self._numbers.setdefault(inode, len(self._numbers))
            if is_first:
                self._keep_contents(entry, number)
            self._names_of.setdefault(number, []).append(entry.name)
            self._believe(entry.name)
        self._entries[entry.name] = entry

    def _keep_contents(self, entry: TreeEntry, number: int) -> None:
        if self._links:
            os.link(self._path(entry.name), self._store / str(number), follow_symlinks=False)
            return
        with (
            _opened(self._path(entry.name), os.O_RDONLY) as live,
            _opened(str(self._store / str(number)), os.O_RDWR | os.O_CREAT | os.O_EXCL) as kept,
        ):
            make_identical(live, kept)

    def _remove_what_is_new(self, present: dict[str, TreeEntry]) -> None:
        removed = "/"  # no name starts with that
        for name, there in list(present.items()):
            if name.startswith(removed):
                del present[name]  # went with its directory, which came right before
                continue
            wanted = self._entries.get(name)
            if wanted is not None and (there.kind, there.points_to) == (wanted.kind, wanted.points_to):
                continue
            del present[name]
            path = self._path(name)
            if there.kind is EntryKind.DIRECTORY:
                shutil.rmtree(path, ignore_errors=True)  # what could not be removed is named below
                with contextlib.suppress(FileNotFoundError):
                    os.rmdir(path)
                removed = f"{name}/"
            else:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)

    def _put_back_file(self, entry: TreeEntry, there: TreeEntry | None) -> None:
        path = self._path(entry.name)
        number = self._numbers[entry.status.st_ino]
        if there is not None and self._right.get(entry.name) == Signature.of(there.status):
            return
        if self._links:
            self._link_again(entry, number, there)
            return
        names = self._names_of[number]
        if names[0] != entry.name:
            if there is None or not os.path.samefile(path, self._path(names[0])):
                _unlink(path)
                os.link(self._path(names[0]), path, follow_symlinks=False)
            return
        # A file with a name elsewhere is not ours alone, or no longer: it is left to whoever has it.
        if there is not None and there.status.st_nlink != len(names):
            os.unlink(path)
        with _opened(str(self._store / str(number)), os.O_RDONLY) as kept, _opened_for_change(path) as live:
            make_identical(kept, live)

    def _link_again(self, entry: TreeEntry, number: int, there: TreeEntry | None) -> None:
        path, kept = self._path(entry.name), self._store / str(number)
        now = kept.lstat()
        if (now.st_size, now.st_mtime_ns) != (entry.status.st_size, entry.status.st_mtime_ns):
            raise RunnerError(
                f"{path} was written to in place, and its kept state with it",
                hint="hard links are only for files that are replaced as a whole: leave out `links = true`",
            )
        if there is None or there.status.st_ino != now.st_ino:
            _unlink(path)
            os.link(kept, path, follow_symlinks=False)

    def _set_status(self, entry: TreeEntry) -> None:
        if entry.kind is not EntryKind.SPECIAL:
            set_status(self._path(entry.name), entry.status)
        if entry.kind is EntryKind.FILE:
            self._believe(entry.name)

    def _believe(self, name: str) -> None:
        """The live file is right now; from its times one can tell later whether it still is, if they say so."""
        signature = Signature.of(os.lstat(self._path(name)))
        if self._believes_times and signature.is_settled():
            self._right[name] = signature
        else:
            self._right.pop(name, None)

    def _path(self, name: str) -> str:
        return os.path.join(self._top, name) if name else str(self._top)


@contextlib.contextmanager
def _opened(path: str, flags: int) -> Iterator[int]:
    file = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield file
    finally:
        os.close(file)


def _opened_for_change(path: str) -> contextlib.AbstractContextManager[int]:
    """One that forbids it is replaced instead."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    except PermissionError:
        os.unlink(path)
    return _opened(path, os.O_RDWR | os.O_CREAT)


def _unlink(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
