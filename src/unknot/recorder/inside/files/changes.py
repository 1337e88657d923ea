"""What tests do to files, and which changes they leave for other tests."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

from unknot.recorder.inside.files.states import FileState, OpenFiles, differ, state_of
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame

_TOOL_DIRECTORIES = frozenset({".git", ".hypothesis", ".pytest_cache", ".unknot", "__pycache__", "site-packages"})
"""What tools keep here does not decide the outcome of a test."""

_DEVICES = ("/dev/", "/proc/", "/sys/")
_IN_MEMORY = "/dev/shm/"
_NO_DATA = (".pyc", ".so")
_MOST_RECORDED = 1_000

_IMPORTERS = ("<frozen importlib", "<frozen zipimport", "<frozen runpy")
_READERS_OF_SOURCE = tuple(
    os.path.join(os.path.dirname(os.__file__), name)
    for name in ("linecache.py", "traceback.py", "pkgutil.py", "runpy.py", "zipimport.py")
)
_TOOLS = tuple(f"{os.sep}{name}{os.sep}" for name in ("_pytest", "pluggy", "coverage", "hypothesis", "xdist"))
_INSIDE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_SKIPPED = (os.path.dirname(os.__file__) + os.sep, _INSIDE, "<")
"""Frames of the standard library act for their caller; the recorder's own frames are on top of every stack."""

_MOST_FRAMES = 12

IMPORT, TOOL = "import", "tool"


@dataclass(slots=True)
class _Change:
    """What one test has done to one path."""

    before: FileState | None
    content_matters: bool
    time_matters: bool = False
    whole: bool = False
    last: list[Frame] = field(default_factory=list)


class FileChanges:
    """Compares each path that a test writes with its earlier state, and remembers what earlier tests have left.

    All paths are real ones, except for a final link that is itself made, moved or removed. `on_left` is called with
    each path that a test leaves changed.
    """

    def __init__(self, ledger: Ledger, scratch: str, roots: tuple[str, ...], on_left: Callable[[str], None]) -> None:
        self._ledger = ledger
        self._scratch = scratch + os.sep
        self._roots = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        self._on_left = on_left
        self._open_files = OpenFiles()
        self._changes: dict[str, _Change] = {}
        self._made: set[str] = set()
        self._left: set[str] = set()
        self._left_listings: set[str] = set()

    def begin_test(self) -> None:
        self._changes = {}
        self._made = set()

    def expect(self, path: str) -> None:
        self._leave(path)
        self._left_listings.add(os.path.dirname(path))

    def read(self, path: str, *, only_left: bool = False) -> None:
        """Records a read of the content or of the existence of a path."""
        change = self._changes.get(path)
        if not path or (change is not None and change.whole):
            return
        self.reach(path)
        is_left = path in self._left
        if not is_left and (only_left or not self._is_below_roots(path) or path.endswith(_NO_DATA)):
            return
        if _is_tools(path):
            return
        tool = tool_behind(sys._getframe(1))
        # An import reads a module that an earlier test has written.
        if not tool or (tool == IMPORT and is_left):
            self._ledger.read("file", path)

    def reach(self, path: str) -> None:
        """Records a read of the parent directory if an earlier test left it: without that directory, using the path
        would fail."""
        parent = os.path.dirname(path)
        if parent in self._left and parent not in self._changes and not tool_behind(sys._getframe(1)):
            self._ledger.read("file", parent)

    def read_listing(self, path: str) -> None:
        change = self._changes.get(path)
        if change is not None and change.whole:
            return
        if path not in self._left_listings and not self._is_below_roots(path):
            return
        if not _is_tools(path) and not tool_behind(sys._getframe(1)):
            self._ledger.read("directory", path)
            self.read(path, only_left=True)

    def write(self, path: str, *, whole: bool, content_matters: bool = True, time_matters: bool = False) -> None:
        """`whole` means that nothing of the earlier content can be found afterwards."""
        if not path or _is_tools(path) or self._is_in_own_directory(path) or tool_behind(sys._getframe(1)):
            return
        change = self._changes.get(path)
        if change is None:
            change = self._changes[path] = _Change(state_of(path, read=content_matters), content_matters)
        self._ledger.touched.add(f"file {path}")
        change.content_matters |= content_matters
        change.time_matters |= time_matters
        change.whole |= whole
        change.last = self._ledger.stacks.here(sys._getframe(1))

    def make_or_remove(self, path: str) -> None:
        """Making fails if an earlier test has made the path, removing if none has: so the path is read too."""
        self.read(path, only_left=True)
        self.write(path, whole=True)

    def make_directory(self, path: str) -> None:
        if path.startswith(self._scratch) and tool_behind(sys._getframe(1)):
            if state_of(path, read=False) is None:
                # A new `tmp_path`.
                self._made.add(path)
        else:
            self.make_or_remove(path)

    def record(self) -> None:
        """Records, at a test boundary, the paths that are not as the test found them."""
        changes, self._changes, self._made = self._changes, {}, set()
        listings: dict[str, list[Frame]] = {}
        count = 0
        for path, change in changes.items():
            after = state_of(path, read=change.content_matters)
            is_new_or_gone = (change.before is None) != (after is None)
            if not change.content_matters and not is_new_or_gone:
                continue
            if not differ(change.before, after, time_matters=change.time_matters):
                continue
            count += 1
            if count <= _MOST_RECORDED:
                self._record(path, after, change.last)
            if is_new_or_gone:
                listings[os.path.dirname(path)] = change.last
        for directory, stack in listings.items():
            if state_of(directory) is not None:
                self._left_listings.add(directory)
                self._ledger.wrote("directory", directory, stack)
        if count > _MOST_RECORDED:
            self._ledger.note(f"{self._ledger.test} left {count} files changed: {_MOST_RECORDED} of them are recorded")
        for path in self._open_files.changed(changes):
            self._record(path, state_of(path), [])

    def _record(self, path: str, after: FileState | None, stack: list[Frame]) -> None:
        self._leave(path)
        if after is None:
            self._ledger.removed("file", path, stack)
        else:
            shown = "a directory" if after.is_directory else f"{after.size} bytes"
            self._ledger.wrote("file", path, stack, shown=shown, fingerprint=after.content.hex() or None)

    def _leave(self, path: str) -> None:
        self._left.add(path)
        self._on_left(path)

    def _is_below_roots(self, path: str) -> bool:
        return (path + os.sep).startswith(self._roots) and not path.startswith(self._scratch)

    def _is_in_own_directory(self, path: str) -> bool:
        """Whether it is in a directory that pytest has made since the last boundary."""
        if not path.startswith(self._scratch):
            return False
        parent = os.path.dirname(path)
        while len(parent) >= len(self._scratch):
            if parent in self._made:
                return True
            parent = os.path.dirname(parent)
        return False


def tool_behind(frame: FrameType | None) -> str:
    """`IMPORT` or `TOOL` if the import system or a test tool accesses the file: to import, collect, measure, or print a
    traceback. Empty if the user's code does. The test itself runs inside pytest's frames, so the search ends at the
    first frame of the project's own code."""
    for _ in range(_MOST_FRAMES):
        if frame is None:
            return ""
        name = frame.f_code.co_filename
        if name.startswith(_IMPORTERS):
            return IMPORT
        if name in _READERS_OF_SOURCE or any(tool in name for tool in _TOOLS):
            return TOOL
        if not name.startswith(_SKIPPED) or "site-packages" in name:
            return ""
        frame = frame.f_back
    return ""


def _is_tools(path: str) -> bool:
    if path.startswith(_DEVICES) and not path.startswith(_IN_MEMORY):
        return True
    return not _TOOL_DIRECTORIES.isdisjoint(path.split(os.sep))
