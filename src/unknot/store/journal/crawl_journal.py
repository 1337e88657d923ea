"""Every step of every crawl, on disk."""

import sqlite3
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from unknot.model.errors import StorageError
from unknot.store.journal.failures import storage_errors
from unknot.store.journal.schema import BUSY_SECONDS, Schema, prepare, transaction
from unknot.store.state_directory import CHOOSE_ANOTHER, StateDirectory

CRAWL_STEPS = Schema(
    int.from_bytes(b"unkw", "big"),
    1,
    "steps",
    (
        "CREATE TABLE crawls (id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL)",
        "CREATE TABLE steps (number INTEGER PRIMARY KEY AUTOINCREMENT, crawl INTEGER NOT NULL, worker INTEGER NOT NULL,"
        " elapsed REAL NOT NULL, place TEXT NOT NULL, action TEXT NOT NULL, step TEXT NOT NULL,"
        " observation BLOB NOT NULL)",
        "CREATE INDEX steps_of_crawl ON steps (crawl, number)",
    ),
)


@dataclass(frozen=True)
class JournalRow:
    """One step, or a reset if `action` is empty. `elapsed` is how long the crawl had lasted at its end, in seconds, all
    sessions together. `place` is the kind of page on which it was taken, `action` the key of the action; `step` and
    `observation` are as `web.recorded` encodes them."""

    worker: int
    elapsed: float
    place: str
    action: str
    step: str
    observation: bytes


class CrawlJournal:
    """The steps of one crawl, in an SQLite file with those of others.

    A step is kept once `record` returned, even if the process is killed at once. Whatever is wrong with the file is a
    StorageError that names it. One process at a time may write to a crawl; calls from several threads must not overlap.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, key: str) -> None:
        """Takes a prepared connection; use `open`."""
        self.path = path
        self._connection = connection
        self._key = key
        self._crawl = 0

    @classmethod
    def open(cls, path: Path, key: str) -> Self:
        """Opens the journal, or makes one with its directory where there is none. `key` says which crawl it is."""
        path = path.absolute()
        StateDirectory(path.parent.parent).prepare()
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"cannot create the directory {path.parent}: {error.strerror or error}",
                hint=f"Make it writable, or {CHOOSE_ANOTHER}.",
                slug="directory-unwritable",
            ) from error
        with storage_errors(path):
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                prepare(connection, path, CRAWL_STEPS)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, key)

    def keys(self) -> list[str]:
        """Of all crawls in the file that have steps, the one with the latest step first."""
        with storage_errors(self.path):
            rows = self._connection.execute(
                "SELECT crawls.key FROM steps JOIN crawls ON crawls.id = steps.crawl"
                " GROUP BY crawls.id ORDER BY max(number) DESC"
            )
            return [key for (key,) in rows]

    def steps(self) -> Iterator[JournalRow]:
        """In the order in which they were recorded."""
        with storage_errors(self.path):
            rows = self._connection.execute(
                "SELECT worker, elapsed, place, action, step, observation FROM steps"
                " JOIN crawls ON crawls.id = steps.crawl WHERE crawls.key = ? ORDER BY number",
                (self._key,),
            )
            for row in rows:
                yield JournalRow(*row)

    def step_count(self) -> int:
        """How many there are, with resets."""
        with storage_errors(self.path):
            (count,) = self._connection.execute(
                "SELECT count(*) FROM steps JOIN crawls ON crawls.id = steps.crawl WHERE crawls.key = ?", (self._key,)
            ).fetchone()
        return int(count)

    def record(self, row: JournalRow) -> None:
        """Kept when this returns. Cost: one append to the log, no sync."""
        with storage_errors(self.path):
            if not self._crawl:
                self._connection.execute("INSERT OR IGNORE INTO crawls (key) VALUES (?)", (self._key,))
                (self._crawl,) = self._connection.execute(
                    "SELECT id FROM crawls WHERE key = ?", (self._key,)
                ).fetchone()
            self._connection.execute(
                "INSERT INTO steps (crawl, worker, elapsed, place, action, step, observation)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (self._crawl, *astuple(row)),
            )

    def forget(self) -> None:
        """Deletes the steps of this crawl, and gives their space back to the disk."""
        with storage_errors(self.path):
            with transaction(self._connection, "IMMEDIATE"):
                self._connection.execute(
                    "DELETE FROM steps WHERE crawl IN (SELECT id FROM crawls WHERE key = ?)", (self._key,)
                )
                self._connection.execute("DELETE FROM crawls WHERE key = ?", (self._key,))
            self._connection.execute("VACUUM")
        self._crawl = 0

    def close(self) -> None:
        """May be called twice."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
