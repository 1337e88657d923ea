"""What a directory holds: names, kinds, permissions, owners, times; contents are kept elsewhere."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path


class EntryKind(Enum):
    FILE = auto()
    DIRECTORY = auto()
    LINK = auto()
    SPECIAL = auto()
    """Sockets, pipes, devices: there is nothing in them to keep."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """`name` is relative to the top of the tree, "" for the top itself. `points_to` is what a symbolic link says."""

    name: str
    kind: EntryKind
    status: os.stat_result
    points_to: str = ""


def walk(top: Path, *, opens: bool = False) -> Iterator[TreeEntry]:
    """All entries, a directory before what is in it, nothing followed. With `opens`, directories that their owner may
    not read or change are made so first."""
    yield from _walk(str(top), "", os.lstat(top), opens=opens)


def _walk(path: str, name: str, status: os.stat_result, *, opens: bool) -> Iterator[TreeEntry]:
    kind = _kind(status.st_mode)
    yield TreeEntry(name, kind, status, os.readlink(path) if kind is EntryKind.LINK else "")
    if kind is not EntryKind.DIRECTORY:
        return
    if opens and status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(path, stat.S_IMODE(status.st_mode) | stat.S_IRWXU)
    with os.scandir(path) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        below = f"{name}/{entry.name}" if name else entry.name
        try:
            yield from _walk(entry.path, below, entry.stat(follow_symlinks=False), opens=opens)
        except FileNotFoundError:
            # A program that still runs has removed it meanwhile: then it is not there.
            if os.path.lexists(entry.path):
                raise


def _kind(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return EntryKind.FILE
    if stat.S_ISDIR(mode):
        return EntryKind.DIRECTORY
    return EntryKind.LINK if stat.S_ISLNK(mode) else EntryKind.SPECIAL


def set_status(path: str, wanted: os.stat_result) -> None:
    """Owner, permissions and time of writing, where they differ."""
    present = os.lstat(path)
    if (present.st_uid, present.st_gid) != (wanted.st_uid, wanted.st_gid):
        os.chown(path, wanted.st_uid, wanted.st_gid, follow_symlinks=False)
        present = os.lstat(path)
    if stat.S_ISLNK(wanted.st_mode):
        return
    if stat.S_IMODE(present.st_mode) != stat.S_IMODE(wanted.st_mode):
        os.chmod(path, stat.S_IMODE(wanted.st_mode))
    if present.st_mtime_ns != wanted.st_mtime_ns:
        os.utime(path, ns=(wanted.st_atime_ns, wanted.st_mtime_ns))
