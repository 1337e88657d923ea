"""Calls of the `os` module for which audit events are missing or incomplete."""

import contextlib
import os
from _thread import get_ident
from collections.abc import Callable, Set
from os import lstat as _lstat
from typing import Any

from unknot.recorder.inside.files.real_paths import text_of

_SUPPORT = ("supports_dir_fd", "supports_effective_ids", "supports_fd", "supports_follow_symlinks")
_QUERIES = ("stat", "lstat", "access", "readlink")

QueryListener = Callable[[object, object, bool], None]
"""Takes a path, the descriptor of the directory that it is relative to, and whether a final link was followed."""


class OsPatches:
    """Replaces a few functions of `os` by wrappers.

    `open` from the start, since its audit event lacks `dir_fd`. Functions that query files only from the first `watch`
    on; they report only calls that may concern a watched path: one with the same last part or the same inode. Each such
    call then costs about a microsecond more.

    Misses code that took a function out of `os` before. The wrappers are members of the `os.supports_…` sets.
    """

    def __init__(self, on_query: QueryListener) -> None:
        self._on_query = on_query
        self._names: set[str] = set()
        self._inodes: set[int] = set()
        self._directories: dict[int, object] = {}
        self._replaced: list[tuple[str, Any, Any]] = []
        self._has_queries = False

    def directory(self) -> object:
        """The `dir_fd` of the `os.open` call that this thread is in, if any."""
        return self._directories.get(get_ident())

    def install(self) -> None:
        self._replace("open", _Open(os.open, self._directories))

    def watch(self, path: str) -> None:
        self._names.add(path.rpartition("/")[2])
        with contextlib.suppress(OSError):
            self._inodes.add(_lstat(path).st_ino)
        if not self._has_queries:
            self._has_queries = True
            for name in _QUERIES:
                original = getattr(os, name)
                self._replace(name, _Query(original, self._names, self._inodes, self._on_query, name not in _NO_FOLLOW))

    def restore(self) -> None:
        """Leaves alone a function that other code has replaced since."""
        for name, original, ours in self._replaced:
            if getattr(os, name, None) is ours:
                setattr(os, name, original)
            for functions in _support():
                functions.discard(ours)
        self._replaced = []
        self._has_queries = False

    def _replace(self, name: str, ours: Any) -> None:
        original = getattr(os, name)
        if type(original) is not type(len):
            # Other code has replaced it already, and may not expect a second wrapper.
            return
        for functions in _support():
            if original in functions:
                functions.add(ours)
        self._replaced.append((name, original, ours))
        setattr(os, name, ours)


_NO_FOLLOW = frozenset({"lstat", "readlink"})


class Wrapper:
    """Replaces a function of a module. An object, so that it does not become a method as an attribute of a class."""

    def __init__(self, original: Callable[..., Any], module: str = "os") -> None:
        self._original = original
        # `pickle` finds it under this name, and `help` and `inspect` show the original.
        self.__module__ = module
        self.__name__ = self.__qualname__ = original.__name__
        self.__doc__ = original.__doc__
        self.__wrapped__ = original
        self.__text_signature__ = getattr(original, "__text_signature__", None)

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return repr(self._original)


class _Open(Wrapper):
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


class _Query(Wrapper):
    def __init__(
        self, original: Callable[..., Any], names: Set[str], inodes: Set[int], on_query: QueryListener, follow: bool
    ) -> None:
        super().__init__(original)
        self._names = names
        self._inodes = inodes
        self._on_query = on_query
        self._follow = follow

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            result = self._original(*args, **kwargs)
        except OSError:
            self._report(args, kwargs, 0)
            raise
        self._report(args, kwargs, result.st_ino if type(result) is os.stat_result else 0)
        return result

    def _report(self, args: tuple[Any, ...], kwargs: dict[str, Any], inode: int) -> None:
        path = args[0] if args else kwargs.get("path")
        if inode in self._inodes or text_of(path).rstrip("/").rpartition("/")[2] in self._names:
            self._on_query(path, kwargs.get("dir_fd"), self._follow and kwargs.get("follow_symlinks", True) is True)


def _support() -> list[set[Any]]:
    return [functions for name in _SUPPORT if isinstance(functions := getattr(os, name, None), set)]
