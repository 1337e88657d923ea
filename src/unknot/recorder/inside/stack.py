"""Where in the user's code something happens, and which modules and source files are the user's."""

import os
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from types import CodeType, FrameType, ModuleType

from unknot.recorder.inside.labels import module_contents

Frame = tuple[str, int, str]
"""File, line, function."""

_MOST_FRAMES = 5
_OURS = os.path.dirname(__file__) + os.sep
_MACHINERY = (f"{os.sep}_pytest{os.sep}", f"{os.sep}pluggy{os.sep}", _OURS)

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_ENVIRONMENTS = (*_INSTALLED, f"{os.sep}.venv{os.sep}")
_UNKNOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep
_NO_PACKAGES = frozenset({"", "test", "tests", "testing", "docs", "examples"})
"""The empty name, and directories that many projects have and some install by mistake."""

_is_file, _is_absolute = os.path.isfile, os.path.isabs


class Stacks:
    """Takes short stacks: the frame in which it happened, if that is library code, then the user's frames that led
    there, innermost first, up to pytest.

    `roots` are the user's directories; `UserFiles` decides what else is the user's. Costs about 100 ns for each frame
    of the stack.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self.files = UserFiles(roots)
        self.is_users = self.files.is_users
        self._last_position: list[tuple[CodeType, int, int]] = []
        self._last: list[Frame] = []

    def has_users(self, stack: Sequence[Frame]) -> bool:
        return any(self.is_users(file) for file, _, _ in stack)

    def here(self, frame: FrameType | None = None) -> list[Frame]:
        """The stack that ends in the frame, by default the caller's."""
        frame = frame or sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(_OURS):
            frame = frame.f_back
        # Reading a whole container reads many locations from the same stack.
        position = _position(frame)
        if position != self._last_position:
            self._last_position, self._last = position, self._stack(frame)
        return self._last

    def _stack(self, frame: FrameType | None) -> list[Frame]:
        found: list[Frame] = []
        while frame is not None and len(found) < _MOST_FRAMES:
            file = frame.f_code.co_filename
            if self.is_users(file):
                found.append(_described(frame))
            elif not found and not any(part in file for part in _MACHINERY):
                found.append(_described(frame))
                frame = self.nearest_users(frame.f_back)
                continue
            frame = frame.f_back
        return found

    def nearest_users(self, frame: FrameType | None) -> FrameType | None:
        """The frame itself or the first one above it that runs the user's code."""
        while frame is not None and not self.is_users(frame.f_code.co_filename):
            frame = frame.f_back
        return frame


class UserModules:
    """The user's modules that are imported now."""

    def __init__(self, stacks: Stacks) -> None:
        self._stacks = stacks
        self._count = 0
        self._modules: dict[str, ModuleType] = {}

    def by_name(self) -> Mapping[str, ModuleType]:
        """By their names in `sys.modules`."""
        if len(sys.modules) != self._count:
            self._count = len(sys.modules)
            self._modules = {name: module for name, module in list(sys.modules.items()) if self._is_users(module)}
        return self._modules

    def is_users(self, name: str) -> bool:
        return self._is_users(sys.modules.get(name))

    def _is_users(self, module: object) -> bool:
        # A module may be of a class whose every attribute access runs code.
        if not issubclass(type(module), ModuleType):
            return False
        file = module_contents(module).get("__file__")  # type: ignore[arg-type]
        return type(file) is str and self._stacks.is_users(file)


class UserFiles:
    """Decides which source files are the user's: files below one of `roots`; installed files whose source is there (a
    project is often tested as installed); and after `adopt_neighbours` also files imported from a directory that holds
    no installed packages, such as a neighbouring project on `sys.path`.

    Not the user's are the standard library, other installed packages, unknot itself, and files that tests write.
    Checks the disk once for each installed package.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._roots = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        self._known: dict[str, bool] = {}
        self._packages: dict[str, bool] = {}
        self._has_neighbours = False
        self._excluded: tuple[str, ...] = ()

    def adopt_neighbours(self, scratch: str) -> None:
        """`scratch` is where tests write, apart from the directory for temporary files."""
        self._known.clear()
        self._has_neighbours = True
        written = (os.path.join(directory, "") for directory in (scratch, tempfile.gettempdir()))
        self._excluded = (_UNKNOT, *written, *_standard_library())

    def is_users(self, file: str) -> bool:
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._decide(file)
        return known

    def _decide(self, file: str) -> bool:
        if any(part in file for part in _ENVIRONMENTS):
            return self._has_source_here(_package(file))
        return file.startswith(self._roots) or (self._has_neighbours and self._is_neighbours(file))

    def _is_neighbours(self, file: str) -> bool:
        return _is_absolute(file) and not file.startswith(self._excluded)

    def _has_source_here(self, package: str) -> bool:
        known = self._packages.get(package)
        if known is None:
            known = self._packages[package] = package not in _NO_PACKAGES and any(
                _is_file(f"{root}{layout}{package}{source}")
                for root in self._roots
                for layout in ("", f"src{os.sep}", f"lib{os.sep}")
                for source in (f"{os.sep}__init__.py", ".py")
            )
        return known


def _package(file: str) -> str:
    """The name of the outermost package or module; empty if the file is not in a directory of installed packages."""
    for part in _INSTALLED:
        _, found, inside = file.rpartition(part)
        if found:
            return inside.partition(os.sep)[0].partition(".")[0]
    return ""


def _standard_library() -> set[str]:
    paths = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.dirname(os.__file__))
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    return {path.rstrip(os.sep) + os.sep for path in paths if path} | {os.path.join(p, "lib", "") for p in prefixes}


def _described(frame: FrameType) -> Frame:
    return frame.f_code.co_filename, frame.f_lineno or frame.f_code.co_firstlineno, frame.f_code.co_qualname


def _position(frame: FrameType | None) -> list[tuple[CodeType, int, int]]:
    """Equal as long as none of the frames has advanced. An address alone may have been reused by another frame."""
    found: list[tuple[CodeType, int, int]] = []
    while frame is not None and len(found) < _MOST_FRAMES:
        found.append((frame.f_code, id(frame), frame.f_lasti))
        frame = frame.f_back
    return found
