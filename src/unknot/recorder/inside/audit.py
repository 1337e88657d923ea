"""Listens to CPython's audit events."""

import os
import sys
from typing import Any


class AuditListener:
    """Hands the events of interest to `_take` while it is active."""

    def __init__(self, events: frozenset[str]) -> None:
        self._events = events
        self._active = False

    def install(self) -> None:
        """Cannot be undone: CPython has no way to remove an audit hook. Inactive until `start`."""
        interesting = self._events

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            # Called tens of thousands of times a second, nearly always for an event that does not matter.
            if event in interesting and self._active:
                self._take(event, arguments)

        sys.addaudithook(hook)

    def start(self) -> None:
        self._active = True

    def stop(self) -> None:
        self._active = False

    def _take(self, event: str, arguments: tuple[Any, ...]) -> None:
        raise NotImplementedError


def absolute(path: object, directory: object = None) -> str:
    """Empty for descriptors and in-memory databases. Never raises: an audit hook that raises would fail the test.

    A `file:` URI names a SQLite database in too many ways to parse here; its path part is near enough.
    """
    if not isinstance(path, str | bytes | os.PathLike):
        return ""
    try:
        name = os.fsdecode(path)
        if name.startswith("file:"):
            name = name.removeprefix("file:").split("?")[0]
        if not name or name.startswith(":memory:"):
            return ""
        if isinstance(directory, int) and directory >= 0 and not os.path.isabs(name):
            # As `shutil.rmtree` does it: relative to an open directory.
            name = os.path.join(os.readlink(f"/proc/self/fd/{directory}"), name)
        return os.path.abspath(name)
    except (OSError, ValueError, TypeError):
        return ""
