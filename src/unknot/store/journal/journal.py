"""Runs kept on disk."""

import sqlite3
import time
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self

from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.store.fingerprint import DIGEST_BYTES, digest_of, encoded
from unknot.store.journal.blob import DamagedBlob, decode_run, encode_run
from unknot.store.journal.failures import damaged, storage_errors
from unknot.store.journal.schema import BUSY_SECONDS, prepare
from unknot.store.state_directory import StateDirectory

_SECONDS_PER_DAY = 86_400


class RunKeys:
    """Turns a request into the key of its run: environment, attempt, and each test with its fingerprint, in order.

    Guarantees that editing a test changes the keys of the orders that involve it, and no others. The fingerprints
    are copied: changing the mapping later changes nothing here.
    """

    def __init__(self, fingerprints: Mapping[TestId, str], environment: str) -> None:
        self._environment = encoded(environment)
        self._tests = {
            test: digest_of((encoded(test), encoded(fingerprint))) for test, fingerprint in fingerprints.items()
        }

    def key(self, request: OrderRequest) -> bytes:
        """Raises KeyError for a test without a fingerprint: answering for it could be answering for an older text.

        Cost: one dictionary look-up and 16 hashed bytes per test.
        """
        hasher = blake2b(digest_size=DIGEST_BYTES)
        hasher.update(digest_of((self._environment, encoded(str(request.attempt)))))
        # All parts have the same length, so joining them is as unambiguous as writing each length.
        hasher.update(b"".join([self._tests[test] for test in request.order]))
        return hasher.digest()


class Journal:
    """A `RunStore` in an SQLite file: what was recorded once is recalled, in this process or a later one, for as long
    as no test of its order was edited and the environment is the same.

    A run is kept once `record` returned, even if the process is killed at once; a loss of power may take the last
    ones, never the file. Any number of processes may use one file. Whatever is wrong with it is a StorageError that
    names it. Assumes a local disk (SQLite's WAL mode needs one), use from the thread that opened it, and no use
    in a forked child.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, keys: RunKeys, clock: Callable[[], float]) -> None:
        """Takes a prepared connection; use `open`."""
        self.path = path
        self._connection = connection
        self._keys = keys
        self._clock = clock

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        fingerprints: Mapping[TestId, str],
        environment: str,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Opens the journal, or makes one with its directory where there is none.

        Every test in a request needs a fingerprint. Cost: does not read the runs, so damage deep in the
        file shows only when a run is recalled or recorded.
        """
        path = path.absolute()
        StateDirectory(path.parent).prepare()
        with storage_errors(path):
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                prepare(connection, path)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, RunKeys(fingerprints, environment), clock)

    def recall(self, request: OrderRequest) -> Run | None:
        """The run as it was recorded, equal in every field, or None. Cost: one look-up in an index."""
        with storage_errors(self.path):
            row = self._connection.execute("SELECT run FROM runs WHERE key = ?", (self._keys.key(request),)).fetchone()
        if row is None:
            return None
        try:
            return decode_run(request, row[0])
        except DamagedBlob as error:
            raise damaged(self.path, error) from error

    def record(self, run: Run) -> None:
        """Kept when this returns; a run of the same request is replaced. Cost: one append to the log, no sync."""
        row = (self._keys.key(run.request), self._clock(), encode_run(run))
        with storage_errors(self.path):
            self._connection.execute("INSERT OR REPLACE INTO runs (key, created, run) VALUES (?, ?, ?)", row)

    def forget(self) -> None:
        """Deletes all runs, of every environment, and gives their space back to the disk."""
        with storage_errors(self.path):
            self._connection.execute("DELETE FROM runs")
            self._connection.execute("VACUUM")

    def prune(self, keep_days: float) -> int:
        """Deletes the runs recorded longer ago than that and returns their number. Their space serves later runs; the
        file does not shrink. Cost: reads the time of every run."""
        with storage_errors(self.path):
            oldest = self._clock() - keep_days * _SECONDS_PER_DAY
            return self._connection.execute("DELETE FROM runs WHERE created < ?", (oldest,)).rowcount

    def close(self) -> None:
        """May be called twice. The last process to close leaves one file: the log is folded in."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
