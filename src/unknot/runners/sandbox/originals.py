"""Files that all workers share, kept before a test changes them, and put back after the order.

For places that no overlay keeps apart. Standard library only: files are kept inside the process under test.
"""

import contextlib
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from unknot.runners.sandbox.tree import is_within, is_within_any, remove

_MOST_BYTES = 64 * 1024 * 1024
_MOST_FILES = 2000
_ABSENT, _FILE, _LINK, _DIRECTORY, _TREE, _LOST = "absent", "file", "link", "directory", "tree", "lost"
_RECORD = ".json"


@dataclass(frozen=True)
class SharedPlaces:
    """Which paths all workers share: those outside `private`, and those `passed` through, but for what is `exempt`,
    which is not put back. `home` is the worker's own directory, whatever lies around it."""

    home: str
    private: Sequence[str]
    passed: Sequence[str]
    exempt: Sequence[str]

    @classmethod
    def from_text(cls, text: str) -> "SharedPlaces":
        return cls(**json.loads(text))

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    def has(self, path: str) -> bool:
        if is_within(path, self.home) or is_within_any(path, self.exempt):
            return False
        return not is_within_any(path, self.private) or is_within_any(path, self.passed)


class Originals:
    """What paths were before the first change since the last `restore`, kept in `directory`, which exists only as long
    as there is something to restore.

    Guarantee: after `restore`, each path that was kept is as it was: files, links, directories, and that there was
    nothing. Of files it returns those that were too large to keep, or could not be put back. Assumes that one order
    runs at a time, and that the caller names each path before it is changed."""

    def __init__(self, directory: str) -> None:
        self._directory = directory

    def keep(self, path: str, *, is_whole: bool) -> None:
        """`is_whole` says that a directory may change with all that is in it. Never raises."""
        # The time of the directory above changes with what is in it.
        for each, whole in ((os.path.dirname(path), False), (path, is_whole)):
            self._keep(each, is_whole=whole)

    def _keep(self, path: str, *, is_whole: bool) -> None:
        is_whole = is_whole and os.path.isdir(path) and not os.path.islink(path)
        if self._is_kept(path, is_whole=is_whole) or self._is_kept_with_another(path):
            return
        contents = self._name(path, is_whole=is_whole)
        try:
            os.makedirs(self._directory, mode=0o700, exist_ok=True)
            found = self._kept(path, contents, is_whole=is_whole)
        except OSError:
            found = {"kind": _LOST}
        # Another process of this order may have been first.
        with contextlib.suppress(OSError), open(contents + _RECORD, "x", encoding="utf-8") as file:
            json.dump({"path": path, **found}, file)

    def _is_kept(self, path: str, *, is_whole: bool) -> bool:
        """A directory may be kept first by itself, and later with all that is in it."""
        if os.path.exists(self._name(path, is_whole=True) + _RECORD):
            return True
        record = self._name(path, is_whole=False) + _RECORD
        if not is_whole:
            return os.path.exists(record)
        try:
            with open(record, encoding="utf-8") as file:
                return bool(json.load(file)["kind"] != _DIRECTORY)
        except (OSError, ValueError):
            return False

    def _is_kept_with_another(self, path: str) -> bool:
        """Whether a directory above it was kept as a whole, or was none."""
        while (above := os.path.dirname(path)) != path:
            path = above
            if self._is_kept(path, is_whole=True):
                return True
        return False

    def _name(self, path: str, *, is_whole: bool) -> str:
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
        return os.path.join(self._directory, f"{name}-whole" if is_whole else name)

    def _kept(self, path: str, contents: str, *, is_whole: bool) -> dict[str, object]:
        try:
            status = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return {"kind": _ABSENT}
        if stat.S_ISLNK(status.st_mode):
            return {"kind": _LINK, "points_to": os.readlink(path)}
        described = {
            "mode": stat.S_IMODE(status.st_mode),
            "owner": [status.st_uid, status.st_gid],
            "times": [status.st_atime_ns, status.st_mtime_ns],
        }
        if stat.S_ISDIR(status.st_mode):
            if not is_whole:
                return {"kind": _DIRECTORY, **described}
            if not _is_affordable(path):
                return {"kind": _LOST}
            shutil.copytree(path, contents, symlinks=True, dirs_exist_ok=True)
            return {"kind": _TREE, **described}
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
            return {"kind": _LOST}
        shutil.copyfile(path, contents)
        return {"kind": _FILE, **described}

    def restore(self) -> tuple[list[str], list[str]]:
        """The paths that were put back, and those that could not be."""
        restored: list[str] = []
        lost: list[str] = []
        # What is above comes first. The state of a directory may be older than its contents.
        records = sorted(self._records(), key=lambda record: (record[0]["path"], record[0]["kind"] == _TREE))
        for record, contents in records:
            try:
                _put_back(record, contents)
                restored.append(record["path"])
            except OSError:
                lost.append(record["path"])
        for record, _ in reversed(records):
            with contextlib.suppress(OSError):
                _set_status(record)
        for _, contents in records:
            remove(contents)
            remove(contents + _RECORD)
        with contextlib.suppress(OSError):
            os.rmdir(self._directory)
        return restored, lost

    def _records(self) -> Iterator[tuple[dict[str, Any], str]]:
        if not os.path.isdir(self._directory):
            return
        for entry in list(os.scandir(self._directory)):
            # Another worker may have put it back meanwhile.
            if entry.name.endswith(_RECORD):
                with contextlib.suppress(FileNotFoundError, ValueError), open(entry.path, encoding="utf-8") as file:
                    yield json.load(file), entry.path.removesuffix(_RECORD)


def _is_affordable(directory: str) -> bool:
    files = size = 0
    for parent, _, names in os.walk(directory):
        for name in names:
            files += 1
            size += os.lstat(os.path.join(parent, name)).st_size
            if files > _MOST_FILES or size > _MOST_BYTES:
                return False
    return True


def _put_back(record: Mapping[str, Any], contents: str) -> None:
    path, kind = record["path"], record["kind"]
    match kind:
        case "absent":
            remove(path)
        case "link":
            if not os.path.islink(path) or os.readlink(path) != record["points_to"]:
                remove(path)
                os.symlink(record["points_to"], path)
        case "directory":
            if os.path.islink(path) or not os.path.isdir(path):
                remove(path)
                os.mkdir(path)
        case "tree":
            remove(path)
            shutil.copytree(contents, path, symlinks=True)
        case "file":
            if os.path.islink(path) or not os.path.isfile(path):
                remove(path)
            shutil.copyfile(contents, path)
        case _:
            raise OSError("it was not kept")


def _set_status(record: Mapping[str, Any]) -> None:
    if "mode" in record:
        path = record["path"]
        present = os.lstat(path)
        if [present.st_uid, present.st_gid] != record["owner"]:
            os.chown(path, *record["owner"])
        os.chmod(path, record["mode"])
        os.utime(path, ns=tuple(record["times"]))
