"""The format of the file: recognised before anything in it is touched, made where there is none."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from unknot.store.journal.failures import damaged, newer, not_a_journal, primary_code

SCHEMA_VERSION = 1
APPLICATION_ID = int.from_bytes(b"unkn", "big")
"""Distinguishes our file from any other SQLite database."""

BUSY_SECONDS = 60.0
"""How long one process waits for another; a write lasts under a millisecond, so this is met only by a stopped one."""

_RETRY_PAUSE_SECONDS = 0.01


@dataclass(frozen=True)
class Schema:
    """A sort of journal. `create` makes its tables, one of which is `table`."""

    application_id: int
    version: int
    table: str
    create: tuple[str, ...]


RUNS = Schema(
    APPLICATION_ID,
    SCHEMA_VERSION,
    "runs",
    # `created` stands before the bytes so that pruning reads none of them.
    ("CREATE TABLE runs (key BLOB PRIMARY KEY NOT NULL, created REAL NOT NULL, run BLOB NOT NULL)",),
)


def prepare(connection: sqlite3.Connection, path: Path, schema: Schema = RUNS) -> None:
    """Afterwards the file is a journal of this schema, in WAL mode and writable.

    A file that is no journal, or a newer one, is left as it was and refused by a StorageError. Several processes may
    do this at once; killed half-way, the file is still empty for the next. Assumes autocommit mode.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            _prepare_once(connection, path, schema)
            return
        except sqlite3.OperationalError as error:
            # SQLite's own busy timeout does not cover the change to WAL mode while another process is about to write,
            # as one that makes the same journal is: it gives up at once, to avoid deadlock.
            if primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_PAUSE_SECONDS)


def _prepare_once(connection: sqlite3.Connection, path: Path, schema: Schema) -> None:
    # A file that is not ours is refused here, before the next statement would change it.
    with transaction(connection, "DEFERRED"):
        _is_new(connection, path, schema)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    with transaction(connection, "IMMEDIATE"):
        if _is_new(connection, path, schema):
            for statement in schema.create:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {schema.application_id}")
            connection.execute(f"PRAGMA user_version = {schema.version}")
        # Changes nothing, but fails where a write would: that is to be known before an hour of runs. BEGIN IMMEDIATE
        # alone does not tell, because SQLite makes it a plain BEGIN for a read-only file.
        connection.execute(f"DELETE FROM {schema.table} WHERE 0")


def _is_new(connection: sqlite3.Connection, path: Path, schema: Schema) -> bool:
    """True for a database with nothing in it, false for a journal of our version; raises for all else.

    Assumes a transaction, so that the three readings are of one moment.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (version, application, objects) == (0, 0, 0):
        return True
    if application != schema.application_id:
        raise not_a_journal(path, "it is a database of another program")
    if version > schema.version:
        raise newer(path, version, schema.version)
    if version != schema.version:
        raise damaged(path, f"there never was a format {version}")
    return False


@contextmanager
def transaction(connection: sqlite3.Connection, kind: Literal["DEFERRED", "IMMEDIATE"]) -> Iterator[None]:
    """All of the block or nothing of it."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
