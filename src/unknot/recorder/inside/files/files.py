"""Files and directories that tests leave changed, and that others find."""

import os
from collections.abc import Iterator
from os import scandir as _scandir
from typing import Any

from unknot.recorder.inside.collector import Collector
from unknot.recorder.inside.database.sqlite_names import database_file
from unknot.recorder.inside.files.changes import FileChanges
from unknot.recorder.inside.files.real_paths import RealPaths
from unknot.recorder.inside.files.states import state_of
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.process.os_calls import OsCalls

_CHANGES = {"os.truncate": -1, "os.chmod": 2, "os.chown": 3, "os.utime": 3, "os.setxattr": -1, "os.removexattr": -1}
"""Changes of what is there, and where their arguments have the descriptor of a directory. All have the path first."""

_LISTS = frozenset({"os.listdir", "os.scandir"})
_REMOVES = frozenset({"os.remove", "os.rmdir"})
_EVENTS = frozenset(
    {"open", "sqlite3.connect", "os.mkdir", "os.rename", "os.link", "os.symlink", "os.chdir"}
    | _LISTS
    | _REMOVES
    | _CHANGES.keys()
)
_ASKED = "asked"
_MOST_MOVED = 1_000


class Files(Collector):
    """Tells the ledger of files (their being there, and their content) and of directories (their listing). A directory
    is a file too: its being there.

    Reads are told at once, if an earlier test has left that path changed or if it lies below one of `roots`; not what
    the test has made itself. Writes are told at the end of the test, with the stack of the last one, if the path is
    then not as the test has found it. What pytest, imports and tracebacks look at does not count, nor what a test does
    in a directory below `scratch` that pytest has made since the last border (its `tmp_path`); below `scratch`, but in
    a directory of longer life, it does.

    Assumes that files are opened through Python. Blind to what C code and subprocesses do by themselves, to reads
    through a file that an earlier test has opened, to new pipes and devices, and to `DirEntry.stat`. Costs some
    microseconds for each event, and the reading of up to 1 MB, twice, for a file that a test opens to write.
    """

    def __init__(self, ledger: Ledger, scratch: str, roots: tuple[str, ...]) -> None:
        super().__init__(ledger, _EVENTS)
        self._paths = RealPaths()
        self._calls = OsCalls(self._asked)
        self._changes = FileChanges(
            ledger,
            self._paths.of(scratch) or scratch,
            tuple(self._paths.of(root) or root for root in roots),
            self._calls.watch,
        )

    def start(self) -> None:
        self._calls.install()
        super().start()

    def stop(self) -> None:
        super().stop()
        self._calls.restore()

    def expect(self, paths: frozenset[str]) -> None:
        """These will be left changed by some test, as a run before has shown: reads of them are told from now on."""
        for path in paths:
            self._changes.expect(path)

    def begin_test(self) -> None:
        super().begin_test()
        self._changes.begin_test()

    def touched_outside(self) -> set[str]:
        return set(self._changes.touched)

    def _tell_what_is_left(self) -> None:
        self._changes.tell()

    def _asked(self, path: object, directory: object, follow: bool) -> None:
        """Somebody wants to know whether it exists. Comes from a wrapped call."""
        self.hear(_ASKED, (path, directory, follow))

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        changes, real, path = self._changes, self._paths.of, arguments[0]
        if event == "open":
            # A number is a file that is open already.
            if not isinstance(path, int):
                self._opened(real(path, self._calls.directory()), arguments[2])
        elif event == _ASKED:
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
            # A file without a name (`O_TMPFILE`), or an error.
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
        """A directory takes along all that is in it."""
        if source and target:
            for path in _tree(source):
                self._changes.make_or_remove(path)
                self._changes.write(target + path.removeprefix(source), whole=True)
            self._paths.forget()

    def _connected(self, database: object) -> None:
        """SQLite makes the file if it is not there. What is in it is told by table, and not as the file's content."""
        name = database_file(database)
        path = self._paths.of(name) if name else ""
        self._changes.read(path, only_left=True)
        self._changes.write(path, whole=False, content_matters=False)


def _tree(path: str) -> Iterator[str]:
    """The path and what is below it, not following links."""
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
