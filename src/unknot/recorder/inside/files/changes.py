"""What tests do to files, and what of it is left for others to find."""

import os
import sys
from collections.abc import Callable

from unknot.recorder.inside.files.held_files import HeldFiles
from unknot.recorder.inside.files.states import FileState, differ, state_of
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.lookers import IMPORT, looker
from unknot.recorder.inside.stack import Frame

_NOBODYS = frozenset({".git", ".hypothesis", ".pytest_cache", ".unknot", "__pycache__", "site-packages"})
"""Directories of tools: what is in them decides nothing that a test is there to find out."""

_DEVICES = ("/dev/", "/proc/", "/sys/")
_IN_MEMORY = "/dev/shm/"
_NO_DATA = (".pyc", ".so")
_MOST_TOLD = 1_000


class _Change:
    """What one test has done to one path."""

    __slots__ = ("before", "content_matters", "last", "time_matters", "whole")

    def __init__(self, before: FileState | None, content_matters: bool) -> None:
        self.before = before
        self.content_matters = content_matters
        self.last: list[Frame] = []
        self.whole = False
        self.time_matters = False


class FileChanges:
    """Compares each path that a test writes with what it was before, and knows what earlier tests have left.

    All paths are real ones, but for a link at the end that is itself made, moved or removed. `left` is called with
    each path that a test leaves changed.
    """

    def __init__(self, ledger: Ledger, scratch: str, roots: tuple[str, ...], left: Callable[[str], None]) -> None:
        self.touched: set[str] = set()
        self._ledger = ledger
        self._scratch = scratch + os.sep
        self._roots = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        self._tell_left = left
        self._held = HeldFiles()
        self._changes: dict[str, _Change] = {}
        self._made: set[str] = set()
        self._left: set[str] = set()
        self._left_listings: set[str] = set()

    def begin_test(self) -> None:
        self.touched = set()
        self._changes = {}
        self._made = set()

    def expect(self, path: str) -> None:
        self._leave(path)
        self._left_listings.add(os.path.dirname(path))

    def read(self, path: str, *, only_left: bool = False) -> None:
        """Its content, or only whether it is there."""
        change = self._changes.get(path)
        if not path or (change is not None and change.whole):
            return
        self.reach(path)
        is_left = path in self._left
        if not is_left and (only_left or not self._is_roots(path) or path.endswith(_NO_DATA)):
            return
        if _is_nobodys(path):
            return
        who = looker(sys._getframe(1))
        # A module that an earlier test has written is read by its import.
        if not who or (who == IMPORT and is_left):
            self._ledger.read("file", path)

    def reach(self, path: str) -> None:
        """Nothing can be done in a directory that an earlier test should have made and has not."""
        parent = os.path.dirname(path)
        if parent in self._left and parent not in self._changes and not looker(sys._getframe(1)):
            self._ledger.read("file", parent)

    def read_listing(self, path: str) -> None:
        change = self._changes.get(path)
        if (path not in self._left_listings and not self._is_roots(path)) or (change is not None and change.whole):
            return
        if not _is_nobodys(path) and not looker(sys._getframe(1)):
            self._ledger.read("directory", path)
            self.read(path, only_left=True)

    def write(self, path: str, *, whole: bool, content_matters: bool = True, time_matters: bool = False) -> None:
        """`whole` says that nothing of what was there before can be seen after that."""
        if not path or _is_nobodys(path) or self._is_own(path) or looker(sys._getframe(1)):
            return
        change = self._changes.get(path)
        if change is None:
            change = self._changes[path] = _Change(state_of(path, read=content_matters), content_matters)
        self.touched.add(f"file {path}")
        change.content_matters |= content_matters
        change.time_matters |= time_matters
        change.whole |= whole
        change.last = self._ledger.stacks.here(sys._getframe(1))

    def make_or_remove(self, path: str) -> None:
        """Both fail if another test has done it before, or has not: so the path is read too."""
        self.read(path, only_left=True)
        self.write(path, whole=True)

    def make_directory(self, path: str) -> None:
        if path.startswith(self._scratch) and looker(sys._getframe(1)):
            if state_of(path, read=False) is None:
                # A new `tmp_path`.
                self._made.add(path)
        else:
            self.make_or_remove(path)

    def tell(self) -> None:
        """At a border: what is not as the test has found it."""
        changes, self._changes, self._made = self._changes, {}, set()
        listings: dict[str, list[Frame]] = {}
        told = 0
        for path, change in changes.items():
            after = state_of(path, read=change.content_matters)
            is_new_or_gone = (change.before is None) != (after is None)
            if not change.content_matters and not is_new_or_gone:
                continue
            if not differ(change.before, after, time_matters=change.time_matters):
                continue
            told += 1
            if told <= _MOST_TOLD:
                self._tell(path, after, change.last)
            if is_new_or_gone:
                listings[os.path.dirname(path)] = change.last
        for directory, stack in listings.items():
            if state_of(directory) is not None:
                self._left_listings.add(directory)
                self._ledger.wrote("directory", directory, stack)
        if told > _MOST_TOLD:
            self._ledger.note(f"{self._ledger.test} left {told} files changed: {_MOST_TOLD} of them are told")
        for path in self._held.changed(changes):
            self._tell(path, state_of(path), [])

    def _tell(self, path: str, after: FileState | None, stack: list[Frame]) -> None:
        self._leave(path)
        if after is None:
            self._ledger.removed("file", path, stack)
        else:
            shown = "a directory" if after.is_directory else f"{after.size} bytes"
            self._ledger.wrote("file", path, stack, shown=shown, sign=after.content.hex() or None)

    def _leave(self, path: str) -> None:
        self._left.add(path)
        self._tell_left(path)

    def _is_roots(self, path: str) -> bool:
        return (path + os.sep).startswith(self._roots) and not path.startswith(self._scratch)

    def _is_own(self, path: str) -> bool:
        """Whether it lies in a directory of pytest's that was made since the last border."""
        if not path.startswith(self._scratch):
            return False
        parent = os.path.dirname(path)
        while len(parent) >= len(self._scratch):
            if parent in self._made:
                return True
            parent = os.path.dirname(parent)
        return False


def _is_nobodys(path: str) -> bool:
    if path.startswith(_DEVICES) and not path.startswith(_IN_MEMORY):
        return True
    return not _NOBODYS.isdisjoint(path.split(os.sep))
