"""Which files a process touched: what a fork cannot undo."""

import os
from _thread import get_ident
from collections.abc import Callable
from typing import Any

from unknot.recorder.inside.audit import AuditListener, absolute
from unknot.recorder.inside.files.os_calls import Wrapper
from unknot.runners.sandbox.originals import Originals, SharedPlaces

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PATH_EVENTS: dict[str, tuple[tuple[int, int], ...]] = {
    "os.remove": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    "os.rmdir": ((0, 1),),
    "os.symlink": ((1, 2),),
    "os.link": ((1, 3),),
    "os.truncate": ((0, -1),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "shutil.rmtree": ((0, 1),),
}
"""Where an event's arguments hold a path, and where the descriptor of the directory that it starts from, -1 if none."""

_WHOLE_EVENTS = frozenset({"os.rename", "shutil.rmtree"})
"""They change a directory with all that is in it."""

_PROCESS_EVENTS = frozenset({"subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.fork"})
_EVENTS = frozenset({"open", "os.mkdir", "socket.bind", "sqlite3.connect", *_PATH_EVENTS, *_PROCESS_EVENTS})
_UNAUDITED = ("mkfifo", "mknod")
"""Functions of `os` that make a file without an event."""
_BESIDE_SQLITE = ("", "-journal", "-wal", "-shm")
_DEVICES = ("/dev/", "/proc/")
_IN_MEMORY = "/dev/shm/"


class Footprint(AuditListener):
    """Collects, from CPython's audit events, the paths that this process wrote, and whether it started others.

    Costs a few per cent of a test's time. Blind to writes by C code that does not go through Python (a database
    client's own files) and to what a subprocess does: `started_process` says that anything may have changed.
    Paths below a directory that this process made itself are its own business, unless it forks. What all workers share
    is kept in `originals` before it is written; `wrote_shared` says that this happened.
    """

    def __init__(self, places: SharedPlaces, originals: Originals) -> None:
        super().__init__(_EVENTS)
        self._places = places
        self.originals = originals
        self._keeping: set[int] = set()
        self.wrote_shared = False
        self.paths: set[str] = set()
        self.started_process = False
        self._made: set[str] = set()

    def install(self) -> None:
        super().install()
        for name in _UNAUDITED:
            original = getattr(os, name, None)
            if type(original) is type(len):
                setattr(os, name, _Making(original, self._made_special))

    def _made_special(self, path: object, directory: object) -> None:
        if self._active:
            self._wrote(path, directory)

    def start(self) -> None:
        """Begins a new account for the next test of this process."""
        self.paths.clear()
        self.started_process = False
        self.wrote_shared = False
        super().start()

    def forget_own(self) -> None:
        """Called in the child right after a fork: what the parent made is no longer ours alone."""
        self._made.clear()

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if get_ident() in self._keeping:
            return
        if event == "open":
            flags = arguments[2]
            if isinstance(flags, int) and flags & _WRITING:
                self._wrote(arguments[0])
        elif event == "os.mkdir":
            self._made_directory(arguments[0], _argument(arguments, 2))
        elif event in _PATH_EVENTS:
            for place, directory in _PATH_EVENTS[event]:
                self._wrote(arguments[place], _argument(arguments, directory), is_whole=event in _WHOLE_EVENTS)
        elif event == "sqlite3.connect":
            self._connected(arguments[0])
        elif event == "socket.bind":
            # A path if it is one of AF_UNIX; an abstract name, which begins with a NUL, is no file.
            if isinstance(arguments[1], str | bytes) and arguments[1][:1] not in ("\0", b"\0"):
                self._wrote(arguments[1])
        else:
            self.started_process = True

    def _wrote(self, path: object, directory: object = None, *, is_whole: bool = False) -> None:
        name = absolute(path, directory)
        if name and not self._is_own(name):
            self._add(name, is_whole=is_whole)
            if os.path.islink(name):
                self._add(os.path.realpath(name), is_whole=is_whole)

    def _connected(self, path: object) -> None:
        name = absolute(path)
        if name and not self._is_own(name):
            for ending in _BESIDE_SQLITE:
                self._add(name + ending)

    def _made_directory(self, path: object, directory: object) -> None:
        name = absolute(path, directory)
        if name and not self._is_own(name) and not os.path.lexists(name):
            self._made.add(name)
            self._add(name)

    def _add(self, name: str, *, is_whole: bool = False) -> None:
        """Right before it is written."""
        self.paths.add(name)
        if not self._places.has(os.path.join(os.path.realpath(os.path.dirname(name)), os.path.basename(name))):
            return
        self.wrote_shared = True
        me = get_ident()
        self._keeping.add(me)
        try:
            self.originals.keep(name, is_whole=is_whole)
        finally:
            self._keeping.discard(me)

    def _is_own(self, name: str) -> bool:
        if "/__pycache__/" in name or (name.startswith(_DEVICES) and not name.startswith(_IN_MEMORY)):
            return True
        parent = os.path.dirname(name)
        while parent not in self._made:
            shorter = os.path.dirname(parent)
            if shorter == parent:
                return False
            parent = shorter
        return True

    def beyond(self, scratch: str) -> list[str]:
        """What another order from a clean state could see: all but pytest's own scratch directory, which every
        order finds empty."""
        return sorted(path for path in self.paths if not _is_below(path, scratch))

    def marks(self, scratch: str) -> bool:
        """Whether a sibling that shares our prefix, and so the scratch directory, could notice that we ran.
        New directories in the scratch directory (`tmp_path` and pytest's links to them) are not noticed."""
        return self.started_process or any(
            not (_is_below(path, scratch) and (path in self._made or path.endswith("current"))) for path in self.paths
        )


class _Making(Wrapper):
    def __init__(self, original: Callable[..., Any], on_call: Callable[[object, object], None]) -> None:
        super().__init__(original)
        self._on_call = on_call

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self._on_call(args[0] if args else kwargs.get("path"), kwargs.get("dir_fd"))
        return self._original(*args, **kwargs)


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory + os.sep)


def _argument(arguments: tuple[Any, ...], place: int) -> object:
    return arguments[place] if 0 <= place < len(arguments) else None
