"""Databases in SQLite files, put back under the feet of the program that has them open."""

import contextlib
import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.protocol import Reset, ResetOptions

_MOST_SECONDS = 20.0
"""How long a program may hold a lock after an order has ended."""

_WAIT_MS = 5
_HEADER = b"SQLite format 3\0"


class SqliteReset(Reset):
    """Through SQLite's own backup in both directions, so it is one transaction: a program that has the file open sees
    either state whole, and its cached pages and prepared statements are made new, in rollback and in WAL mode alike.

    A file must exist and hold a database when it is first kept. A program that holds a read transaction open (in
    rollback mode) or a write transaction for longer than some seconds is an error. What a program remembers in its own
    memory is not put back. Cost: reading and writing all pages.
    """

    OPTIONS = frozenset({"file"})
    REQUIRED = ("file",)
    can_fork = True

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:
        files = options.texts("file")
        if not files or not all(files):
            raise options.wrong("file", "names no file")
        self._files = [options.path("file", file) for file in files]
        self._store = context.store
        self._modes: dict[Path, str] = {}

    def keep(self, name: str) -> None:
        for number, live in enumerate(self._files):
            _check_is_database(live)
            kept = self._kept(number, name)
            kept.unlink(missing_ok=True)
            _copy(live, kept, purpose=f"cannot keep the state of {live}")
            # The copy says of itself how the live one keeps its log. It has no need of one.
            self._modes[kept] = _set_mode(kept, "delete")

    def put_back(self, name: str) -> None:
        for number, live in enumerate(self._files):
            kept = self._kept(number, name)
            if not live.exists():
                # SQLite would play the logs of a database that is gone into the new one.
                for ending in ("-journal", "-wal", "-shm"):
                    live.with_name(live.name + ending).unlink(missing_ok=True)
            _copy(kept, live, purpose=f"cannot put back {live}")
            _set_mode(live, self._modes[kept])

    def forget(self, name: str) -> None:
        for number in range(len(self._files)):
            kept = self._kept(number, name)
            kept.unlink(missing_ok=True)
            self._modes.pop(kept, None)

    def _kept(self, number: int, name: str) -> Path:
        return self._store / f"{name}-{number}.sqlite"


def _copy(source: Path, target: Path, *, purpose: str) -> None:
    deadline = time.monotonic() + _MOST_SECONDS

    def give_up(*_: int) -> None:
        if time.monotonic() > deadline:
            raise TimeoutError

    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{quote(str(source))}?mode=rw", uri=True, timeout=0.05)) as from_,
            contextlib.closing(sqlite3.connect(target, timeout=0.05)) as to,
        ):
            # If it breaks off, the state is unknown anyway: nothing needs to survive that, and no old page is kept.
            to.execute("PRAGMA synchronous=OFF")
            if to.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                to.execute("PRAGMA journal_mode=OFF")
            # All pages in one step: in between, no program can change the source, which would start it all over.
            from_.backup(to, pages=-1, progress=give_up, sleep=_WAIT_MS / 1000)
    except TimeoutError as problem:
        raise RunnerError(
            f"{purpose}: the database has been locked for {_MOST_SECONDS:.0f} s",
            hint="the system holds a transaction open after the tests have ended; restart it instead",
            slug="reset-failed",
        ) from problem
    except (sqlite3.Error, OSError) as problem:
        raise RunnerError(
            f"{purpose}: {problem}", hint="is it a SQLite database, and is there room on disk?", slug="reset-failed"
        ) from problem


def _set_mode(path: Path, wanted: str) -> str:
    """How the database keeps its log, before it was made to do so as wanted."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=_MOST_SECONDS, isolation_level=None)) as connection:
            mode = str(connection.execute("PRAGMA journal_mode").fetchone()[0])
            # Other modes live in a connection, not in the file.
            if "wal" in (mode, wanted) and mode != wanted:
                connection.execute(f"PRAGMA journal_mode={wanted}")
            return "wal" if mode == "wal" else "delete"
    except sqlite3.Error as problem:
        raise RunnerError(
            f"cannot set the journal mode of {path}: {problem}", hint="see the option `file`", slug="reset-failed"
        ) from problem


def _check_is_database(path: Path) -> None:
    """An empty file counts as an empty database, as it does for SQLite."""
    try:
        with path.open("rb") as file:
            is_one = file.read(len(_HEADER)) in (b"", _HEADER)
    except OSError as problem:
        raise RunnerError(
            f"cannot keep the state of {path}: {os.strerror(problem.errno or 0)}",
            hint="the database must exist when the system is ready: let `prepare` or the start make it",
            slug="reset-failed",
        ) from problem
    if not is_one:
        raise RunnerError(
            f"cannot keep the state of {path}: it is no SQLite database",
            hint="see the option `file`",
            slug="reset-failed",
        )
