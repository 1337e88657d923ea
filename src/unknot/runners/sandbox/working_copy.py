"""A working copy of the project for each worker: what is copied, what is linked, and the way back."""

import glob
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.snapshot import Snapshot, TimeTrust

_LINKED = frozenset({".git", ".hg", ".svn", ".venv", "venv", "env", ".tox", ".nox", "node_modules"})
"""Large and not written by tests: linked, not copied. Reads work; a write there is reported as not restored."""

_LEFT_OUT = frozenset({".unknot", ".mypy_cache", ".ruff_cache"})
_IGNORED = _LEFT_OUT | {"__pycache__"}

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


class WorkingCopy:
    """`copy` looks like `original` did when the copy was made. Tests run in the copy; the original is only read, and
    assumed not to change meanwhile. Byte code and the caches that a copy leaves out are never restored."""

    def __init__(self, original: Path, copy: Path, snapshot: Snapshot) -> None:
        self.original = original
        self.copy = copy
        self._snapshot = snapshot

    @classmethod
    def make(cls, original: Path, copy: Path) -> "WorkingCopy":
        try:
            copy.mkdir(parents=True)
            _copy_tree(original, copy, original)
            snapshot = Snapshot(copy, original, trust=TimeTrust.ALWAYS, borrows=True, ignored=_IGNORED)
        except OSError as problem:
            raise _cannot_copy(original, problem) from problem
        return cls(original, copy, snapshot)

    def holds(self, name: str) -> bool:
        return resolved(name).is_relative_to(self.copy)

    def restore(self, paths: Iterable[str]) -> list[str]:
        """Restores these paths; returns those that lie elsewhere and so cannot be restored."""
        names: list[str] = []
        beyond: list[str] = []
        for name in paths:
            path = resolved(name)
            if path == self.copy:
                self.restore_all()
            elif path.is_relative_to(self.copy):
                names.append(path.relative_to(self.copy).as_posix())
            else:
                beyond.append(name)
        self._snapshot.restore(names)
        return beyond

    def restore_all(self) -> None:
        """Finds out what changed, and restores it. Cost: a walk of the copy."""
        self._snapshot.restore(self._snapshot.changed())

    def is_unchanged(self) -> bool:
        """Cost: a walk of the copy."""
        return not self._snapshot.changed()

    def accept(self, kept: Path) -> "WorkingCopy":
        """From now on the clean state is what the copy is now; contents are kept in the directory `kept`."""
        try:
            if kept.exists():
                shutil.rmtree(kept)
            snapshot = Snapshot(self.copy, kept, trust=TimeTrust.ALWAYS, ignored=_IGNORED)
        except OSError as problem:
            raise _cannot_copy(self.copy, problem) from problem
        return WorkingCopy(self.original, self.copy, snapshot)


def _cannot_copy(directory: Path, problem: OSError) -> RunnerError:
    return RunnerError(
        f"cannot make a working copy of {directory}: {problem}",
        hint="Free some space, set TMPDIR to another disk, or run the tests in place (`workdir = shared`).",
        slug="working-copy-failed",
    )


def resolved(name: str) -> Path:
    """Through links on the way, but not through the last name: a link is itself what was written."""
    return Path(os.path.realpath(os.path.dirname(name)), os.path.basename(name))


def _copy_tree(source: Path, target: Path, top: Path) -> None:
    for entry in list(os.scandir(source)):
        destination = target / entry.name
        if entry.name in _LEFT_OUT:
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
        if entry.name in _IGNORED or entry.name in _LINKED:
            continue
        if entry.is_dir(follow_symlinks=False):
            if not _is_environment(entry):
                yield from walked(Path(entry.path))
        else:
            yield Path(entry.path)


_OURS = ".lock.json"
_PYTESTS = ".pytest_cache"


def project_files(root: Path, globs: Sequence[str]) -> tuple[Path, ...]:
    """Those that these globs name, from the root, never outside it; without any, every file that a working copy has.
    Our own lock files are not among them, nor what pytest remembers: they change with each run."""
    if not globs:
        found = {path for path in walked(root) if path.is_file() and _PYTESTS not in path.parts}
    else:
        names = (name for pattern in globs for name in glob.iglob(pattern, root_dir=root, recursive=True))
        found = {root / name for name in names if os.path.isfile(root / name)}
    inside = (path for path in found if path.resolve().is_relative_to(root.resolve()))
    return tuple(sorted(path for path in inside if not path.name.endswith(_OURS)))
