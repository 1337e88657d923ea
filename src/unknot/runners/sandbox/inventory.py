"""What a directory held when it was clean, and what has become of it since."""

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from unknot.runners.sandbox.workdir import LEFT_OUT

_UNSEEN = LEFT_OUT | {"__pycache__"}

Seen = tuple[int, ...]


class Inventory:
    """Knows a directory by what its files say of themselves, and by that alone: nothing is read.

    Guarantee: a file whose content was written after `take`, one that was put in another's place and one whose
    permissions changed are told, even if size and time were set back, because no program can set the time of the last
    change of status. Byte code and the caches that a working copy leaves out are not looked at; what a link points to
    neither. Assumes that nothing runs there meanwhile. Cost: a walk of this one tree, some microseconds for each file.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = str(directory)
        self._mode = stat.S_IMODE(os.lstat(directory).st_mode)
        self._clean: dict[str, Seen] = {}

    def take(self) -> None:
        """What is there now is clean."""
        self._clean = dict(_seen(self._directory))

    def changed(self) -> list[str]:
        """Paths that are new, gone or different; of a directory that is new or gone only itself. The directory itself
        is there again afterwards, whatever a test has done to it."""
        self._find_directory()
        now = dict(_seen(self._directory))
        if now == self._clean:
            return []
        changed = [path for path, seen in now.items() if self._clean.get(path) != seen]
        changed.extend(path for path in self._clean if path not in now)
        return _topmost(changed)

    def settle(self, paths: Sequence[str]) -> str:
        """These were put back, and as they are now they are clean. One that was not, or nothing."""
        now = dict(_seen(self._directory))
        concerned = [path for path in {**now, **self._clean} if any(_is_within(path, one) for one in paths)]
        for path in concerned:
            if path not in now or path not in self._clean or now[path][0] != self._clean[path][0]:
                return path
            self._clean[path] = now[path]
        return ""

    def _find_directory(self) -> None:
        try:
            found = os.lstat(self._directory).st_mode
        except FileNotFoundError:
            os.mkdir(self._directory)
            found = 0
        if found and not stat.S_ISDIR(found):
            os.unlink(self._directory)
            os.mkdir(self._directory)
        if stat.S_IMODE(found) != self._mode:
            os.chmod(self._directory, self._mode)


def remove(path: str) -> None:
    """Whatever it is, with all that is in it, also what was made read-only. Not to be there is no error."""
    try:
        if os.path.islink(path) or not os.path.isdir(path):
            os.unlink(path)
            return
        shutil.rmtree(path, ignore_errors=True)
        if os.path.lexists(path):
            for directory, _, _ in os.walk(path):
                os.chmod(directory, 0o700)
            shutil.rmtree(path)
    except FileNotFoundError:
        return


def _seen(directory: str) -> Iterator[tuple[str, Seen]]:
    """A directory is known by its permissions only: its time tells of files that came and went, which are seen."""
    waiting = [directory]
    while waiting:
        for path, found in _listed(waiting.pop()):
            if stat.S_ISDIR(found.st_mode):
                yield path, (found.st_mode,)
                waiting.append(path)
            else:
                yield path, (found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def _listed(directory: str) -> list[tuple[str, os.stat_result]]:
    """A test may have taken away our right to look into its directory, or at what is in it. It is ours, so we can have
    it back."""
    try:
        return _entries(directory)
    except PermissionError:
        os.chmod(directory, 0o700)
        return _entries(directory)


def _entries(directory: str) -> list[tuple[str, os.stat_result]]:
    with os.scandir(directory) as entries:
        return [(entry.path, entry.stat(follow_symlinks=False)) for entry in entries if entry.name not in _UNSEEN]


def _topmost(paths: Sequence[str]) -> list[str]:
    found: list[str] = []
    for path in sorted(paths, key=lambda path: path.split(os.sep)):
        if not found or not _is_within(path, found[-1]):
            found.append(path)
    return found


def _is_within(path: str, other: str) -> bool:
    return path == other or path.startswith(other + os.sep)
