"""Which tables a test reads, and which writes stay for later tests, whatever the database."""

import weakref
from collections.abc import Callable
from typing import NamedTuple

from unknot.recorder.inside.database.statements import (
    ATTACH,
    BEGIN,
    COMMIT,
    OTHER,
    RELEASE,
    ROLLBACK,
    ROLLBACK_TO,
    SAVEPOINT,
    Statement,
    statements,
)
from unknot.recorder.inside.files.real_paths import MEMORY, RealPaths, database_file
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame

_USUAL_SCHEMAS = ("main.", "public.", "dbo.", "pg_catalog.")
SQLITE_CATALOGUE, CATALOGUE = "sqlite_master", "information_schema.tables"
_CATALOGUES = frozenset({SQLITE_CATALOGUE, "sqlite_schema", CATALOGUE, "pg_tables", "pg_class"})
_SCHEMA = " (schema)"
_MOST_KNOWN_TEXTS = 2_000
_LONGEST_KNOWN_TEXT = 2_000


class TableWrite(NamedTuple):
    location: str
    stack: list[Frame]
    is_emptied: bool = False


class Transaction:
    """Holds back the writes of a connection until they are committed. Outside of a transaction each stays at once."""

    def __init__(self, *, is_open: bool = False) -> None:
        self._is_open = is_open
        self._pending: list[TableWrite] = []
        self._savepoints: list[tuple[str, int]] = []
        self._left_open: set[str] = set()

    def write(self, writes: list[TableWrite]) -> list[TableWrite]:
        """Returns the writes that stay at once."""
        if not self._is_open:
            return writes
        self._pending += writes
        return []

    def control(self, action: str, name: str, stack: list[Frame]) -> list[TableWrite]:
        """Applies BEGIN, COMMIT and so on, and returns the writes that stay because of it."""
        if action == BEGIN:
            self._is_open = True
        elif action == SAVEPOINT:
            # Outside of a transaction it begins one, which its release ends.
            self._savepoints.append((name, len(self._pending) if self._is_open else -1))
            self._is_open = True
        elif action == RELEASE:
            return self._release(name)
        elif action == ROLLBACK_TO:
            self._undo_to(name)
        elif action == ROLLBACK:
            return self._undo(stack)
        elif action == COMMIT:
            return self._commit()
        return []

    def end_test(self) -> list[TableWrite]:
        """Returns the writes that are neither committed nor undone when the test ends: later tests find them through
        the same connection."""
        left, self._pending = self._pending, []
        self._left_open.update(write.location for write in left)
        self._savepoints = [(name, min(place, 0)) for name, place in self._savepoints]
        return left

    def _commit(self) -> list[TableWrite]:
        done, self._pending = self._pending, []
        self._savepoints, self._is_open, self._left_open = [], False, set()
        return done

    def _undo(self, stack: list[Frame]) -> list[TableWrite]:
        """Undoing what an earlier test has left is a change for later tests."""
        undone = [TableWrite(location, stack) for location in sorted(self._left_open)]
        self._commit()
        return undone

    def _undo_to(self, name: str) -> None:
        at = self._savepoint(name)
        if at is not None:
            del self._pending[max(self._savepoints[at][1], 0) :]
            del self._savepoints[at + 1 :]

    def _release(self, name: str) -> list[TableWrite]:
        at = self._savepoint(name)
        if at is None:
            return []
        began_transaction = self._savepoints[at][1] < 0
        del self._savepoints[at:]
        return self._commit() if began_transaction else []

    def _savepoint(self, name: str) -> int | None:
        """The position of the last one of that name."""
        return next((at for at in reversed(range(len(self._savepoints))) if self._savepoints[at][0] == name), None)


class DatabaseSession:
    """One connection. The connection's owner holds this; the recorder does not, so that it dies with the connection."""

    def __init__(self, database: str, boundary: int, catalogue: str, *, is_open: bool = False) -> None:
        self.database = database
        self.catalogue = catalogue
        self.boundary = boundary
        self.transaction = Transaction(is_open=is_open)
        self.attached: dict[str, str] = {}
        self.emptied: set[str] = set()

    @property
    def is_in_memory(self) -> bool:
        return self.database == MEMORY

    def location(self, table: str) -> str:
        """`<database>: table cart`; in memory `:memory: table cart`."""
        for schema in _USUAL_SCHEMAS:
            table = table.removeprefix(schema)
        if table in _CATALOGUES:
            table = self.catalogue
        schema, dot, rest = table.partition(".")
        if dot and schema in self.attached:
            return _location(self.attached[schema], rest)
        return _location(self.database, table)


class TableRecorder:
    """Records which tables are read and written, by the text of each statement that is executed.

    Reads are recorded at once, except of a table that the same test has emptied or created: nothing there comes from
    another test. Writes are recorded at the end of the test, and only those that are committed or still open then. Of a
    database in memory only what outlives the test counts. Creating, dropping or altering a table also writes its
    schema, which is a location of its own: inserting a row reads the schema, but not the rows of others.

    Assumes that a statement does what it says: one that changes no row, or fails unnoticed, counts as a write too.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.boundary = 0
        self._sessions: weakref.WeakSet[DatabaseSession] = weakref.WeakSet()
        self._writes: dict[str, tuple[list[Frame], weakref.ref[DatabaseSession] | None]] = {}
        self._altered: set[str] = set()
        self._left_schemas: set[str] = set()
        self._views: dict[str, frozenset[str]] = {}
        self._emptied: set[str] = set()
        self.paths = RealPaths()
        self._known: dict[tuple[str, bool], list[Statement]] = {}

    def session(self, database: str, catalogue: str, *, is_open: bool = False) -> DatabaseSession:
        found = DatabaseSession(database, self.boundary, catalogue, is_open=is_open)
        self._sessions.add(found)
        return found

    def begin_test(self) -> None:
        self.boundary += 1
        self._writes = {}
        self._altered = set()
        self._emptied = set()
        self.paths.forget()

    def record_leftovers(self) -> None:
        for session in list(self._sessions):
            self._keep(session, session.transaction.end_test())
            session.emptied = set()
        writes, self._writes = self._writes, {}
        for location, (stack, only_while) in writes.items():
            if only_while is None or only_while() is not None:
                self.ledger.wrote("table", location, stack)
        self._left_schemas |= self._altered
        self._altered = set()
        self._emptied = set()
        self.boundary += 1

    def executed(
        self,
        session: DatabaseSession,
        sql: str,
        stack: Callable[[], list[Frame]],
        *,
        mysql: bool = False,
        succeeded: bool = True,
    ) -> None:
        """A statement that failed has still read its tables, but not written them."""
        for statement in self._parsed(sql, mysql):
            if statement.action == ATTACH:
                file = database_file(statement.file)
                session.attached[statement.name] = self.paths.of(file) if file else MEMORY
            elif statement.action != OTHER:
                if statement.action == ROLLBACK:
                    session.emptied = set()
                self.control(session, statement, stack)
            else:
                self._read(session, statement)
                if statement.writes and succeeded:
                    self._wrote(session, statement, stack())
                    if mysql and statement.altered:
                        # MySQL then commits implicitly.
                        self.control(session, Statement(COMMIT), stack)

    def control(self, session: DatabaseSession, statement: Statement, stack: Callable[[], list[Frame]]) -> None:
        """Applies a statement that controls a transaction."""
        self._keep(session, session.transaction.control(statement.action, statement.name, stack()))

    def _parsed(self, sql: str, mysql: bool) -> list[Statement]:
        found = self._known.get((sql, mysql))
        if found is None:
            found = statements(sql, mysql=mysql)
            if len(sql) <= _LONGEST_KNOWN_TEXT:
                if len(self._known) >= _MOST_KNOWN_TEXTS:
                    self._known = {}
                self._known[sql, mysql] = found
        return found

    def _read(self, session: DatabaseSession, statement: Statement) -> None:
        if session.is_in_memory and session.boundary == self.boundary:
            return
        for table in sorted(statement.reads | statement.writes):
            location = session.location(table)
            if not session.is_in_memory:
                self.ledger.touched.add(f"table {location}")
            if location in session.emptied or location in self._emptied:
                continue
            if table in statement.reads:
                for real in (location, *sorted(self._views.get(location, ()))):
                    self.ledger.read("table", real)
            if _schema(location) in self._left_schemas:
                self.ledger.read("table", _schema(location))

    def _wrote(self, session: DatabaseSession, statement: Statement, stack: list[Frame]) -> None:
        writes = []
        for table in sorted(statement.writes):
            location = session.location(table)
            if statement.if_missing and self._exists(session, location):
                continue
            writes.append(TableWrite(location, stack, table in statement.emptied))
            if table in statement.emptied:
                session.emptied.add(location)
            if table in statement.altered:
                catalogue = session.location(session.catalogue)
                writes += [TableWrite(_schema(location), stack), TableWrite(catalogue, stack)]
            if statement.view_of:
                self._views[location] = frozenset(session.location(below) for below in statement.view_of)
        self._keep(session, session.transaction.write(writes))

    def _exists(self, session: DatabaseSession, location: str) -> bool:
        """Whether its creation was recorded. A database from before the run is not examined."""
        is_created = _schema(location) in self._left_schemas or _schema(location) in self._altered
        return is_created and not (session.is_in_memory and session.boundary == self.boundary)

    def _keep(self, session: DatabaseSession, writes: list[TableWrite]) -> None:
        only_while = weakref.ref(session) if session.is_in_memory else None
        for location, stack, is_emptied in writes:
            self._writes[location] = (stack, only_while)
            if is_emptied and only_while is None:
                self._emptied.add(location)
            if location.endswith(_SCHEMA):
                self._altered.add(location)


def _schema(location: str) -> str:
    return location + _SCHEMA


def _location(database: str, table: str) -> str:
    return f"{database} table {table}" if database == MEMORY else f"{database}: table {table}"
