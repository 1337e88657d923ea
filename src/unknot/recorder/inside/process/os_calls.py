"""Calls of the `os` module of which audit events say nothing, or too little."""

import contextlib
import os
from _thread import get_ident
from collections.abc import Callable, Set
from os import lstat as _lstat
from typing import Any

from unknot.recorder.inside.files.real_paths import text_of

_SUPPORT = ("supports_dir_fd", "supports_effective_ids", "supports_fd", "supports_follow_symlinks")
_ASKING = ("stat", "lstat", "access", "readlink")

Told = Callable[[object, object, bool], None]
"""Path, descriptor of the directory that it starts from, whether a link at its end was followed."""


class OsCalls:
    """Stands between the suite and a few functions of `os`.

    `open` from the start: its audit event does not have `dir_fd`. Those that ask whether a file exists only from the
    first `watch` on, and they tell nothing but questions about what may be a watched path: one that ends in the same
    name, or leads to the same inode. Each such call then costs about a microsecond more.

    Code that took a function out of `os` before is not seen. The stand-ins are objects and no functions, so that they
    do not become methods where a class has them as an attribute; they are members of the `os.supports_…` sets.
    """

    def __init__(self, tell: Told) -> None:
        self._tell = tell
        self._names: set[str] = set()
        self._inodes: set[int] = set()
        self._directories: dict[int, object] = {}
        self._replaced: list[tuple[str, Any, Any]] = []
        self._asking = False

    def directory(self) -> object:
        """What `dir_fd` the `os.open` has that this thread is in, if any."""
        return self._directories.get(get_ident())

    def install(self) -> None:
        self._replace("open", _Open(os.open, self._directories))

    def watch(self, path: str) -> None:
        self._names.add(path.rpartition("/")[2])
        with contextlib.suppress(OSError):
            self._inodes.add(_lstat(path).st_ino)
        if not self._asking:
            self._asking = True
            for name in _ASKING:
                original = getattr(os, name)
                self._replace(name, _Asking(original, self._names, self._inodes, self._tell, name not in _NO_FOLLOW))

    def restore(self) -> None:
        """A function that somebody has replaced since is left to him."""
        for name, original, ours in self._replaced:
            if getattr(os, name, None) is ours:
                setattr(os, name, original)
            for functions in _support():
                functions.discard(ours)
        self._replaced = []
        self._asking = False

    def _replace(self, name: str, ours: Any) -> None:
        original = getattr(os, name)
        if type(original) is not type(len):
            # Somebody else has been here; he may not like company.
            return
        for functions in _support():
            if original in functions:
                functions.add(ours)
        self._replaced.append((name, original, ours))
        setattr(os, name, ours)


_NO_FOLLOW = frozenset({"lstat", "readlink"})


class _StandIn:
    def __init__(self, original: Callable[..., Any]) -> None:
        self._original = original
        # Found again under this name by `pickle`, and shown by `help` and `inspect` as what it stands for.
        self.__module__ = "os"
        self.__name__ = self.__qualname__ = original.__name__
        self.__doc__ = original.__doc__
        self.__wrapped__ = original
        self.__text_signature__ = getattr(original, "__text_signature__", None)

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return repr(self._original)


class _Open(_StandIn):
    def __init__(self, original: Callable[..., Any], directories: dict[int, object]) -> None:
        super().__init__(original)
        self._directories = directories

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if "dir_fd" not in kwargs:
            return self._original(*args, **kwargs)
        me = get_ident()
        self._directories[me] = kwargs["dir_fd"]
        try:
            return self._original(*args, **kwargs)
        finally:
            self._directories.pop(me, None)


class _Asking(_StandIn):
    def __init__(
        self, original: Callable[..., Any], names: Set[str], inodes: Set[int], tell: Told, follow: bool
    ) -> None:
        super().__init__(original)
        self._names = names
        self._inodes = inodes
        self._tell = tell
        self._follow = follow

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self._original(*args, **kwargs)
        except OSError:
            self._look(args, kwargs, 0)
            raise
        self._look(args, kwargs, result.st_ino if type(result) is os.stat_result else 0)
        return result

    def _look(self, args: tuple[Any, ...], kwargs: dict[str, Any], inode: int) -> None:
        path = args[0] if args else kwargs.get("path")
        if inode in self._inodes or text_of(path).rstrip("/").rpartition("/")[2] in self._names:
            self._tell(path, kwargs.get("dir_fd"), self._follow and kwargs.get("follow_symlinks", True) is True)


def _support() -> list[set[Any]]:
    return [functions for name in _SUPPORT if isinstance(functions := getattr(os, name, None), set)]
