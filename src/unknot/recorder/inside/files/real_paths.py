"""One name for each file, whichever path leads to it; also for the files of SQLite databases."""

import stat
from os import fsdecode as _fsdecode
from os import getcwd as _getcwd
from os import lstat as _lstat
from os import readlink as _readlink
from posixpath import join as _join
from types import FunctionType
from urllib.parse import unquote

MEMORY = ":memory:"
_MOST_KNOWN = 5_000
_MOST_LINKS = 40
_PATH_LIBRARIES = ("pathlib", "_pytest.", "py._path.")


class RealPaths:
    """Resolves paths as the system does, with the functions that the `os` module had at the start: a suite that patches
    `os.lstat` or `os.getcwd` has no effect here.

    Caches directories. Call `forget` when one was moved, removed or replaced by a link. A path then costs one system
    call, for its last part.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def forget(self) -> None:
        self._known = {}

    def of(self, path: object, directory: object = None, *, follow: bool = True) -> str:
        """Empty if it cannot be known: not a path, or one with a null character. A number is a file descriptor.
        Without `follow`, a link at the end stands for itself, as when it is removed."""
        try:
            name = self._absolute(path, directory)
            return self._real(name, follow, _MOST_LINKS) if name else ""
        except (OSError, ValueError):
            return ""

    def _absolute(self, path: object, directory: object) -> str:
        if path is None:
            return _getcwd()
        if isinstance(path, int):
            name = _readlink(f"/proc/self/fd/{int(path)}")
            # Pipes and sockets have no name, and a removed file has none any more.
            return name if name.startswith("/") and not name.endswith(" (deleted)") else ""
        name = text_of(path)
        if not name or "\0" in name:
            return ""
        if not name.startswith("/"):
            start = self._absolute(directory, None) if isinstance(directory, int) and directory >= 0 else _getcwd()
            name = _join(start, name)
        return name

    def _real(self, name: str, follow: bool, links: int) -> str:
        # Part by part, as the system does: `..` after a link leads to the parent of the link's target.
        parts = [part for part in name.split("/") if part and part != "."]
        real = ""
        for number, part in enumerate(parts, 1):
            if part == "..":
                real = real.rpartition("/")[0]
                continue
            path = f"{real}/{part}"
            if number == len(parts):
                return self._target(path, links) if follow else path
            known = self._known.get(path)
            real = self._remember(path, links) if known is None else known
        return real or "/"

    def _remember(self, path: str, links: int) -> str:
        if len(self._known) >= _MOST_KNOWN:
            self._known = {}
        real = self._known[path] = self._target(path, links).rstrip("/")
        return real

    def _target(self, real: str, links: int) -> str:
        try:
            if links <= 0 or not stat.S_ISLNK(_lstat(real).st_mode):
                return real
        except OSError:
            return real
        return self._real(_join(real.rpartition("/")[0] or "/", _readlink(real)), True, links - 1)


def text_of(path: object) -> str:
    """A path as text. Audit events carry text; wrapped calls also get path objects, of which only those are converted
    that inherit `__fspath__` from well-known libraries: any other `__fspath__` would be the suite's code."""
    if type(path) is str:
        return path
    if isinstance(path, str):
        return str.__str__(path)
    if isinstance(path, bytes):
        return _fsdecode(bytes(path))
    convert = getattr(type(path), "__fspath__", None)
    if isinstance(convert, FunctionType) and convert.__module__.startswith(_PATH_LIBRARIES):
        return _fsdecode(convert(path))
    return ""


def database_file(database: object) -> str:
    """The file that `sqlite3.connect` opens. Empty for databases without a file: in memory, or a temporary one.

    A name that starts with `file:` is taken for a URI, though `connect` does so only with `uri=True`.

    >>> database_file("file:data/shop.db?mode=ro")
    'data/shop.db'
    >>> database_file("file:shared?mode=memory&cache=shared")
    ''
    """
    name = text_of(database)
    if name.startswith("file:"):
        name, _, options = name.removeprefix("file:").partition("#")[0].partition("?")
        if "mode=memory" in options.split("&"):
            return ""
        name = unquote(name)
        if name.startswith("//"):
            # An authority: empty or "localhost".
            name = "/" + name[2:].partition("/")[2]
    return "" if name.startswith(MEMORY) else name
