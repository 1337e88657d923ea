"""Which files of the project a test reads, and whether it starts other processes: what no line coverage shows."""

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from unknot.recorder.inside.audit import AuditListener, absolute

_LISTS = frozenset({"os.listdir", "os.scandir"})
_STARTS = frozenset({"subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.fork", "os.forkpty", "os.spawn"})
_MAKES = "os.mkdir"
_EVENTS = frozenset({"open", "sqlite3.connect", _MAKES, *_LISTS, *_STARTS})

_NOBODYS = frozenset({".git", ".hypothesis", ".pytest_cache", ".unknot", "__pycache__"})
"""Directories of tools: what is in them decides nothing that a test is there to find out."""

_LOOKERS = ("<frozen importlib", f"{os.sep}_pytest{os.sep}", f"{os.sep}coverage{os.sep}", f"{os.sep}pluggy{os.sep}")
"""What opens sources and lists directories to import, to collect, to measure or to print a traceback."""

_FRAMES = 12


class FilesRead(AuditListener):
    """Collects, from CPython's audit events, what was read by what below one of `roots`: `read[path]` are the owners.

    `owner` says what is running. A file that is not there counts too: a test that looks for it would notice its coming.
    A directory that was listed counts as read. What the suite itself makes does not count. Blind to what C code reads
    without Python, and to what only checks whether a file exists.
    """

    def __init__(self, roots: tuple[str, ...], owner: Callable[[], str]) -> None:
        super().__init__(_EVENTS)
        self.read: dict[str, set[str]] = {}
        self.started_processes: set[str] = set()
        self._roots = tuple(root + os.sep for root in roots)
        self._owner = owner
        self._made: set[str] = set()

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _STARTS:
            self.started_processes.add(self._owner())
            return
        path = absolute("." if event in _LISTS and arguments[0] is None else arguments[0])
        if not path or not (path + os.sep).startswith(self._roots) or not _NOBODYS.isdisjoint(path.split(os.sep)):
            return
        if self._is_product(event, arguments, path):
            return
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_ACCMODE == os.O_WRONLY:
            return
        if path.endswith((".pyc", ".so")):
            return
        if (event in _LISTS or path.endswith(".py")) and _is_a_looker(sys._getframe(2)):
            return
        self.read.setdefault(path, set()).add(self._owner())

    def _is_product(self, event: str, arguments: tuple[Any, ...], path: str) -> bool:
        """Whether the suite makes it itself, now or before: a test that finds it later finds what another left behind,
        and not something that a person has changed."""
        creates = event in (_MAKES, "sqlite3.connect")
        if event == "open":
            creates = isinstance(arguments[2], int) and bool(arguments[2] & os.O_CREAT)
        if creates and not os.path.lexists(path):
            self._made.add(path)
            # A test may have looked for it before it was there.
            self.read = {other: owners for other, owners in self.read.items() if not self._is_made(other)}
        return event == _MAKES or self._is_made(path)

    def _is_made(self, path: str) -> bool:
        while path not in self._made:
            parent = os.path.dirname(path)
            if parent == path:
                return False
            path = parent
        return True


def _is_a_looker(frame: FrameType | None) -> bool:
    """Whether one of the innermost frames belongs to the machinery. The test itself runs inside of pytest's frames, so
    that no more than a few are looked at, and none beyond the project's own code."""
    for _ in range(_FRAMES):
        if frame is None:
            return False
        name = frame.f_code.co_filename
        if any(looker in name for looker in _LOOKERS):
            # `_pytest/python.py` calls the test and `pluggy` calls the hooks of a conftest: theirs are not pytest's.
            return True
        if not _is_library(name):
            return False
        frame = frame.f_back
    return False


def _is_library(name: str) -> bool:
    return name.startswith((_STANDARD_LIBRARY, "<")) or "site-packages" in name


_STANDARD_LIBRARY = os.path.dirname(os.__file__)
