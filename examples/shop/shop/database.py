"""The SQLite file of the shop, which is created when first used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from shop import settings


@contextmanager
def connected(schema: str) -> Iterator[sqlite3.Connection]:
    """A connection for one transaction: none is left open to be shared with a forked process."""
    folder = settings.var_dir()
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "shop.sqlite3")
    try:
        # Waiting for the disk would cost more than all the rest of a call.
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(schema)
        with connection:
            yield connection
    finally:
        connection.close()
