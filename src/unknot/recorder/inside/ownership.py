"""Whose a source file is: the user's, or somebody else's."""

import os
import sys
import sysconfig
import tempfile

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_ENVIRONMENTS = (*_INSTALLED, f"{os.sep}.venv{os.sep}")
_TOOL = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep
_NO_PACKAGES = frozenset({"", "test", "tests", "testing", "docs", "examples"})
"""Nothing, and directories that many projects have and some install by mistake."""

_is_file, _is_absolute = os.path.isfile, os.path.isabs


class Ownership:
    """The user's are: files below one of `roots`; what was installed, but has its source there (a project is often
    tested as users will have it); and after `adopt_neighbours` also what was imported from a place where nothing is
    installed, such as a neighbouring project on `sys.path`.

    Nobody's are the standard library, other installed packages, our own, and what tests themselves write. Looks at
    the disk once for each package that is installed.
    """

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._roots = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        self._packages: dict[str, bool] = {}
        self._has_neighbours = False
        self._nobodys: tuple[str, ...] = ()

    def adopt_neighbours(self, scratch: str) -> None:
        """`scratch` is where tests write, apart from the directory for temporary files."""
        self._has_neighbours = True
        written = (os.path.join(directory, "") for directory in (scratch, tempfile.gettempdir()))
        self._nobodys = (_TOOL, *written, *_standard_library())

    def is_users(self, file: str) -> bool:
        if any(part in file for part in _ENVIRONMENTS):
            return self._has_source_here(_package(file))
        return file.startswith(self._roots) or (self._has_neighbours and self._is_neighbours(file))

    def _is_neighbours(self, file: str) -> bool:
        return _is_absolute(file) and not file.startswith(self._nobodys)

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
    """The name of the outermost package or module; empty if the file is not where packages are installed."""
    for part in _INSTALLED:
        _, found, inside = file.rpartition(part)
        if found:
            return inside.partition(os.sep)[0].partition(".")[0]
    return ""


def _standard_library() -> set[str]:
    paths = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.dirname(os.__file__))
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    return {path.rstrip(os.sep) + os.sep for path in paths if path} | {os.path.join(p, "lib", "") for p in prefixes}
