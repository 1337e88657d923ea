"""What SQLite and the disk say, in words that tell the user which file and what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unknot.model.errors import StorageError
from unknot.store.state_directory import CHOOSE_ANOTHER


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Whatever SQLite finds wrong with the file inside the block leaves it as a StorageError.

    A misuse of the sqlite3 module (a closed journal, another thread) is our bug and passes unchanged.
    """
    try:
        yield
    except sqlite3.Error as error:
        code: int | None = getattr(error, "sqlite_errorcode", None)
        if code is None:
            raise
        raise _translated(path, error, primary_code(error)) from error


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's error number without the detail in its upper bytes; 0 where the module raised the error itself."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def damaged(path: Path, what: object) -> StorageError:
    """We never remove a user's journal: the hint names what they may remove."""
    return StorageError(
        f"The journal {path} is damaged: {what}",
        hint=f"Remove {path}, with {path.name}-wal and {path.name}-shm beside it if they exist, or move them away. "
        f"They hold only what can be run again. Or {CHOOSE_ANOTHER}.",
        slug="journal-damaged",
    )


def not_a_journal(path: Path, what: object) -> StorageError:
    return StorageError(
        f"{path} is not a journal of unknot: {what}",
        hint=f"It was left as it was. Move or remove {path} if you do not need it, or {CHOOSE_ANOTHER}.",
        slug="journal-damaged",
    )


def newer(path: Path, found: int, known: int) -> StorageError:
    return StorageError(
        f"The journal {path} was written by a newer unknot: it has format {found}, and this one knows {known}",
        hint=f"Upgrade unknot, or {CHOOSE_ANOTHER}.",
        slug="journal-newer",
    )


def _translated(path: Path, error: sqlite3.Error, code: int) -> StorageError:
    match code:
        case sqlite3.SQLITE_NOTADB:
            return not_a_journal(path, error)
        # SQLITE_ERROR is what a missing table or column gives: our statements are otherwise constant.
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR:
            return damaged(path, error)
        case sqlite3.SQLITE_FULL:
            kept = "All that was recorded before is kept. Free some space"
            return _error(f"There is no room left for the journal {path}: {error}", kept, slug="disk-full")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            message = f"The journal {path} cannot be opened for writing: {error}"
            return _error(message, "Make the file and its directory writable", slug="journal-unwritable")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            wait = "Wait for the other unknot, or close the program that has the file open"
            return _error(f"Another process holds the journal {path}: {error}", wait, slug="journal-locked")
        case _:
            message = f"The journal {path} cannot be read or written: {error}"
            return _error(message, "Check the disk, its quota and its mount options", slug="journal-failed")


def _error(message: str, hint: str, *, slug: str) -> StorageError:
    return StorageError(message, hint=f"{hint}, or {CHOOSE_ANOTHER}.", slug=slug)
