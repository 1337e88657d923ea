"""Files and directories that tests leave changed, and that other tests find."""

import os
from collections.abc import Iterator
from os import scandir as _scandir
from typing import Any

from unknot.recorder.inside.audit import Collector
from unknot.recorder.inside.files.changes import FileChanges
from unknot.recorder.inside.files.os_calls import OsPatches
from unknot.recorder.inside.files.real_paths import RealPaths, database_file
from unknot.recorder.inside.files.states import state_of
from unknot.recorder.inside.ledger import Ledger

_CHANGES = {"os.truncate": -1, "os.chmod": 2, "os.chown": 3, "os.utime": 3, "os.setxattr": -1, "os.removexattr": -1}
"""Events that change an existing file, and which argument is the descriptor of a directory. The first is the path."""

_LISTS = frozenset({"os.listdir", "os.scandir"})
_REMOVES = frozenset({"os.remove", "os.rmdir"})
_EVENTS = frozenset(
    {"open", "sqlite3.connect", "os.mkdir", "os.rename", "os.link", "os.symlink", "os.chdir"}
    | _LISTS
    | _REMOVES
    | _CHANGES.keys()
)
_QUERIED = "queried"
_MOST_MOVED = 1_000


class FileCollector(Collector):
    """Records files (existence and content) and directories (listing). A directory counts as a file too: its existence.

    Reads are recorded at once, if an earlier test has left the path changed or if it is below one of `roots`, but not
    of what the test has made itself. Writes are recorded at the end of the test, with the stack of the last one, if the
    path then differs from what the test found. Accesses by pytest, imports and tracebacks do not count, nor does what a
    test does in a directory below `scratch` that pytest has made since the last test boundary (its `tmp_path`). In a
    directory below `scratch` that lives longer, it does count.

    Assumes that files are opened through Python. Misses what C code and subprocesses do by themselves, reads through a
    file that an earlier test has opened, new pipes and devices, and `DirEntry.stat`. Costs a few microseconds for each
    event, and reads up to 1 MB, twice, of a file that a test opens for writing.
    """

    subject = "files"

    def __init__(self, ledger: Ledger, scratch: str, roots: tuple[str, ...]) -> None:
        super().__init__(ledger, _EVENTS)
        self._paths = RealPaths()
        self._os_patches = OsPatches(self._queried)
        self._changes = FileChanges(
            ledger,
            self._paths.of(scratch) or scratch,
            tuple(self._paths.of(root) or root for root in roots),
            self._os_patches.watch,
        )

    def start(self) -> None:
        self._os_patches.install()
        super().start()

    def stop(self) -> None:
        super().stop()
        self._os_patches.restore()

    def expect(self, paths: frozenset[str]) -> None:
        """Records reads of these paths from now on: an earlier run has shown that some test leaves them changed."""
        for path in paths:
            self._changes.expect(path)

    def begin_test(self) -> None:
        super().begin_test()
        self._changes.begin_test()

    def _record_leftovers(self) -> None:
        self._changes.record()

    def _queried(self, path: object, directory: object, follow: bool) -> None:
        """A wrapped call has queried whether the path exists."""
        self.handle(_QUERIED, (path, directory, follow))

    def _record_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        changes, real, path = self._changes, self._paths.of, arguments[0]
        if event == "open":
            # A number is an open descriptor.
            if not isinstance(path, int):
                self._opened(real(path, self._os_patches.directory()), arguments[2])
        elif event == _QUERIED:
            changes.read(real(path, arguments[1], follow=arguments[2]), only_left=True)
        elif event in _LISTS:
            changes.read_listing(real(path))
        elif event in _CHANGES:
            self._changed(event, real(path, _argument(arguments, _CHANGES[event])), arguments)
        elif event == "os.mkdir":
            changes.make_directory(real(path, _argument(arguments, 2), follow=False))
        elif event in _REMOVES:
            changes.make_or_remove(real(path, _argument(arguments, 1), follow=False))
            self._paths.forget()
        elif event == "os.rename":
            source = real(path, _argument(arguments, 2), follow=False)
            self._renamed(source, real(arguments[1], _argument(arguments, 3), follow=False))
        elif event == "os.link":
            changes.read(real(path, _argument(arguments, 2)))
            changes.make_or_remove(real(arguments[1], _argument(arguments, 3), follow=False))
        elif event == "os.symlink":
            changes.make_or_remove(real(arguments[1], _argument(arguments, 2), follow=False))
            self._paths.forget()
        elif event == "os.chdir":
            changes.read(real(path), only_left=True)
        else:
            self._connected(path)

    def _opened(self, path: str, flags: object) -> None:
        if not path or not isinstance(flags, int):
            return
        access = flags & os.O_ACCMODE
        if access == os.O_RDONLY and not flags & (os.O_CREAT | os.O_TRUNC):
            self._changes.read(path)
            return
        found = state_of(path, read=False)
        if found is not None and found.is_directory:
            # An unnamed file (`O_TMPFILE`), or an error.
            return
        if flags & os.O_EXCL:
            self._changes.read(path, only_left=True)
        elif access == os.O_RDWR and not flags & os.O_TRUNC and found is not None:
            self._changes.read(path)
        else:
            self._changes.reach(path)
        self._changes.write(path, whole=found is None or bool(flags & (os.O_TRUNC | os.O_EXCL)))

    def _changed(self, event: str, path: str, arguments: tuple[Any, ...]) -> None:
        self._changes.read(path, only_left=True)
        is_emptied = event == "os.truncate" and arguments[1] == 0
        self._changes.write(path, whole=is_emptied, time_matters=event == "os.utime")

    def _renamed(self, source: str, target: str) -> None:
        """A directory moves with everything in it."""
        if source and target:
            for path in _tree(source):
                self._changes.make_or_remove(path)
                self._changes.write(target + path.removeprefix(source), whole=True)
            self._paths.forget()

    def _connected(self, database: object) -> None:
        """SQLite creates the file if it is missing. Its content is recorded by table, not as a file."""
        name = database_file(database)
        path = self._paths.of(name) if name else ""
        self._changes.read(path, only_left=True)
        self._changes.write(path, whole=False, content_matters=False)


def _tree(path: str) -> Iterator[str]:
    """The path and everything below it, without following links."""
    waiting = [path]
    for _ in range(_MOST_MOVED):
        if not waiting:
            return
        path = waiting.pop()
        yield path
        found = state_of(path, read=False)
        if found is not None and found.is_directory:
            try:
                with _scandir(path) as entries:
                    waiting.extend(entry.path for entry in entries)
            except OSError:
                pass


def _argument(arguments: tuple[Any, ...], place: int) -> object:
    return arguments[place] if 0 <= place < len(arguments) else None
