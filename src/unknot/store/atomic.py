"""Files that are either wholly the old or wholly the new."""

import contextlib
import errno
import os
import secrets
import stat
import time
from pathlib import Path

from unknot.model.errors import StorageError

_HINTS = {
    errno.ENOSPC: "free some disk space and try again; the file is as it was",
    errno.EDQUOT: "free some of your disk quota and try again; the file is as it was",
    errno.EACCES: "make the directory writable, or name another file",
    errno.EPERM: "make the directory writable, or name another file",
    errno.EROFS: "the file system is read-only: name a file elsewhere",
    errno.EISDIR: "that is a directory: name a file",
    errno.ENOTDIR: "a part of the path is a file: name another file",
}


_PREFIX, _SUFFIX = ".unknot-", ".tmp"
_LEFT_BEHIND_SECONDS = 600.0
"""A temporary file this old was left by a process that was killed: none takes so long to write."""


def check_link(path: Path) -> None:
    """Raises StorageError for a symbolic link that leads out of its directory: a checkout may hold one, and nothing
    outside the project is ours to write."""
    if path.is_symlink() and not path.resolve().is_relative_to(path.parent.resolve()):
        raise StorageError(
            f"{path} is a link to {path.readlink()}, outside its directory, and is not written through",
            hint="Remove the link, or name another place.",
            slug="link-outside",
        )


def check_target(path: Path) -> None:
    """Raises StorageError, before any work is done, for a path at which no file can be written."""
    above = next(each for each in path.absolute().parents if each.exists())
    problem = errno.EISDIR if path.is_dir() else errno.ENOTDIR if not above.is_dir() else 0
    if not problem and not os.access(above, os.W_OK):
        problem = errno.EACCES
    if problem:
        raise StorageError(f"cannot write {path}: {os.strerror(problem)}", hint=_HINTS[problem], slug="file-unwritable")


def write_atomically(path: Path, text: str) -> None:
    """Replace the file by this text, in UTF-8; see `write_bytes_atomically`."""
    write_bytes_atomically(path, text.encode("utf-8"))


def write_bytes_atomically(path: Path, content: bytes) -> None:
    """Replace the file by this content, making missing directories on the way.

    Guarantee: a reader of the path finds the old content or the new one, at any moment and after any crash; on
    failure no temporary file is left and StorageError names the file. A file that exists keeps its permissions; a
    symbolic link stays one, and what it points to is replaced. A pipe or a device, such as `/dev/null`, is written to.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.is_fifo() or target.is_char_device():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        hint = _HINTS.get(error.errno or 0, "check that the path can be written to, or name another file")
        raise StorageError(
            f"cannot write {path}: {error.strerror or error}", hint=hint, slug="file-unwritable"
        ) from error


def _replace(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    _remove_left_behind(target.parent)
    # Not named after the target, whose name may already be as long as the file system allows. Not from `tempfile`,
    # which makes files that only the owner may read, while a lock file is for all users.
    temporary = target.parent / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _remove_left_behind(directory: Path) -> None:
    oldest = time.time() - _LEFT_BEHIND_SECONDS
    for name in os.listdir(directory):
        if name.startswith(_PREFIX) and name.endswith(_SUFFIX):
            with contextlib.suppress(OSError):
                if os.lstat(directory / name).st_mtime < oldest:
                    os.unlink(directory / name)
