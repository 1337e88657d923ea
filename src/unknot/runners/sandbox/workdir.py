"""A working copy of the project for each worker, and the way back to its clean state."""

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import RunnerError

_LINKED = frozenset({".git", ".hg", ".svn", ".venv", "venv", "env", ".tox", ".nox", "node_modules"})
"""Large and not written by tests: linked, not copied. Reads work; a write there is reported as not undone."""

LEFT_OUT = frozenset({".unknot", ".mypy_cache", ".ruff_cache"})

MOST_FILES = 20_000
MOST_BYTES = 300 * 1024 * 1024


def project_root(start: Path) -> Path:
    """The nearest directory at or above `start` that looks like the top of a project; `start` itself if none does."""
    for directory in (start, *start.parents):
        if any(
            (directory / name).exists()
            for name in ("unknot.toml", "pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", ".git")
        ):
            return directory
    return start


def why_not_copy(root: Path) -> str:
    """Empty if a copy is affordable; otherwise the reason in words. Cost: a walk that stops at the limit."""
    size = 0
    if root == Path(root.anchor):
        return "the project directory is the root of the file system"
    for files, path in enumerate(walked(root), start=1):
        size += path.lstat().st_size
        if files > MOST_FILES or size > MOST_BYTES:
            return f"{root} holds more than {MOST_FILES:,} files or {MOST_BYTES // 1024 // 1024} MB"
    return ""


@dataclass(frozen=True)
class WorkingCopy:
    """`copy` looks like `original` did when the copy was made. Tests run in the copy; the original is only read.

    Guarantee: putting back writes and removes nothing outside of the copy, wherever links lead that tests have made."""

    original: Path
    copy: Path

    @classmethod
    def make(cls, original: Path, copy: Path) -> "WorkingCopy":
        try:
            copy.mkdir(parents=True)
            _copy_tree(original, copy, original)
        except OSError as problem:
            raise RunnerError(
                f"cannot make a working copy of {original}: {problem}",
                hint="Free some space, set TMPDIR to another disk, or run the tests in place (`workdir = shared`).",
            ) from problem
        return cls(original, copy)

    def holds(self, name: str) -> bool:
        return _resolved(name).is_relative_to(self.copy)

    def restore(self, paths: Iterable[str]) -> list[str]:
        """Puts these paths back as in the original; returns those that lie elsewhere and so cannot be undone."""
        beyond: list[str] = []
        for name in paths:
            path = _resolved(name)
            if path.is_relative_to(self.copy):
                self._restore_one(path.relative_to(self.copy))
            else:
                beyond.append(name)
        return beyond

    def restore_all(self, below: Path = Path()) -> None:
        """For when nobody knows what changed in this directory: compares every file by size and time. Cost: a walk of
        both trees."""
        _make_directory(self.copy / below)
        here = {path.relative_to(self.copy) for path in walked(self.copy / below)}
        there = {path.relative_to(self.original) for path in walked(self.original / below)}
        for relative in sorted(here - there):
            _remove(self.copy / relative)
        for relative in sorted(there):
            if relative not in here or _differs(self.original / relative, self.copy / relative):
                self._restore_one(relative)
        for directory in list(_directories(self.copy / below)):
            if not (self.original / directory.relative_to(self.copy)).is_dir():
                _remove(directory)
        for directory in _directories(self.original / below):
            target = self.copy / directory.relative_to(self.original)
            target.mkdir(exist_ok=True)
            target.chmod(directory.stat().st_mode & 0o7777)

    def is_unchanged(self) -> bool:
        """Whether the copy is still as the original. Cost: a walk of both trees."""
        here = {path.relative_to(self.copy) for path in walked(self.copy)}
        there = {path.relative_to(self.original) for path in walked(self.original)}
        return here == there and not any(
            _differs(self.original / path, self.copy / path) for path in here if not (self.copy / path).is_symlink()
        )

    def accept(self, snapshot: Path) -> "WorkingCopy":
        """From now on the clean state is what the copy is now: kept in `snapshot`."""
        if snapshot.exists():
            shutil.rmtree(snapshot)
        return WorkingCopy(WorkingCopy.make(self.copy, snapshot).copy, self.copy)

    def _restore_one(self, relative: Path) -> None:
        source, target = self.original / relative, self.copy / relative
        if any(part in LEFT_OUT for part in relative.parts):
            return
        if not os.path.lexists(source):
            _remove(target)
            self._remove_new_parents(relative)
        elif source.is_dir() and not source.is_symlink():
            if _is_linked(source):
                _remove(target)
                target.parent.mkdir(parents=True, exist_ok=True)
                os.symlink(os.path.abspath(source), target)
                return
            _make_directory(target)
            target.chmod(source.stat().st_mode & 0o7777)
            self.restore_all(relative)
        else:
            _remove(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_symlink():
                _copy_link(source, target, self.original)
            else:
                shutil.copy2(source, target, follow_symlinks=False)

    def _remove_new_parents(self, relative: Path) -> None:
        """A file that is gone may have stood in directories that the original does not have."""
        for parent in relative.parents:
            if parent == Path() or (self.original / parent).exists():
                return
            _remove(self.copy / parent)


def _resolved(name: str) -> Path:
    """Through links on the way, but not through the last name: a link is itself what was written."""
    return Path(os.path.realpath(os.path.dirname(name)), os.path.basename(name))


def _copy_tree(source: Path, target: Path, top: Path) -> None:
    for entry in os.scandir(source):
        destination = target / entry.name
        if entry.name in LEFT_OUT:
            continue
        if entry.is_symlink():
            _copy_link(Path(entry.path), destination, top)
        elif _is_linked(entry):
            os.symlink(os.path.abspath(entry.path), destination)
        elif entry.is_dir():
            destination.mkdir()
            _copy_tree(Path(entry.path), destination, top)
            shutil.copystat(entry.path, destination)
        elif entry.is_file():
            shutil.copy2(entry.path, destination)


def _copy_link(link: Path, target: Path, top: Path) -> None:
    """The link at `target` leads where `link` does: within `top` to the same place of the copy, else to the same file,
    which a relative path from elsewhere would miss."""
    text = os.readlink(link)
    stays = Path(os.path.normpath(link.parent / text)).is_relative_to(top)
    os.symlink(text if stays else link.parent / text, target)


def _is_linked(entry: os.DirEntry[str] | Path) -> bool:
    return entry.name in _LINKED or _is_environment(entry)


def _is_environment(entry: os.DirEntry[str] | Path) -> bool:
    return entry.is_dir() and os.path.exists(os.path.join(entry, "pyvenv.cfg"))


def walked(root: Path) -> Iterator[Path]:
    """Files that a copy holds for itself: nothing linked, nothing left out, no byte code."""
    for entry in os.scandir(root):
        if entry.name in LEFT_OUT or entry.name in _LINKED or entry.name == "__pycache__":
            continue
        if entry.is_dir(follow_symlinks=False):
            if not _is_environment(entry):
                yield from walked(Path(entry.path))
        else:
            yield Path(entry.path)


def _directories(root: Path) -> Iterator[Path]:
    """Those that a copy holds for itself, a parent before its children."""
    for entry in os.scandir(root):
        if entry.name in LEFT_OUT or entry.name in _LINKED or entry.name == "__pycache__":
            continue
        if entry.is_dir(follow_symlinks=False) and not _is_environment(entry):
            yield Path(entry.path)
            if os.path.isdir(entry.path):
                yield from _directories(Path(entry.path))


def _differs(one: Path, other: Path) -> bool:
    mine, theirs = one.lstat(), other.lstat()
    return (mine.st_size, mine.st_mtime_ns, mine.st_mode) != (theirs.st_size, theirs.st_mtime_ns, theirs.st_mode)


def _make_directory(path: Path) -> None:
    """One that is there stays as it is. A test may have put a link in its place: what that leads to is not ours."""
    if path.is_symlink() or not path.is_dir():
        _remove(path)
        path.mkdir(parents=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
