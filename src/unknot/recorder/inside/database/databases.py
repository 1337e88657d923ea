"""What statements mean for other tests, whatever the database."""

import weakref
from collections.abc import Callable

from unknot.recorder.inside.database.sqlite_names import MEMORY, database_file
from unknot.recorder.inside.database.statements import ATTACH, COMMIT, OTHER, ROLLBACK, Statement, statements
from unknot.recorder.inside.database.transactions import Transaction, Write
from unknot.recorder.inside.files.real_paths import RealPaths
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame

_USUAL_SCHEMAS = ("main.", "public.", "dbo.", "pg_catalog.")
SQLITE_CATALOGUE, CATALOGUE = "sqlite_master", "information_schema.tables"
_CATALOGUES = frozenset({SQLITE_CATALOGUE, "sqlite_schema", CATALOGUE, "pg_tables", "pg_class"})
_MOST_KNOWN_TEXTS = 2_000
_LONGEST_KNOWN_TEXT = 2_000


class Session:
    """One connection. Whoever holds the connection holds this; the recorder does not, so that it dies with it."""

    def __init__(self, database: str, border: int, catalogue: str, *, is_open: bool = False) -> None:
        self.database = database
        self.catalogue = catalogue
        self.border = border
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


class Databases:
    """Tells the ledger which tables are read and written, by the text of each statement that is executed.

    Reads are told at once, but not of a table that the same test has emptied or made: nothing that it finds there is
    another's. Writes are told at the end of the test, and only what was committed or is still open then. Of a database
    in memory only what outlives the test counts. Making, dropping or altering a table is also a write of its schema,
    which is a location of its own: whoever inserts a row reads the schema, but not the rows of others.

    Assumes that a statement does what it says: one that fails, or changes no row, counts as a write all the same.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.touched: set[str] = set()
        self.border = 0
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()
        self._writes: dict[str, tuple[list[Frame], weakref.ref[Session] | None]] = {}
        self._reshaped: set[str] = set()
        self._left_schemas: set[str] = set()
        self._views: dict[str, frozenset[str]] = {}
        self._emptied: set[str] = set()
        self._paths = RealPaths()
        self._known: dict[tuple[str, bool], list[Statement]] = {}

    def session(self, database: str, catalogue: str, *, is_open: bool = False) -> Session:
        found = Session(database, self.border, catalogue, is_open=is_open)
        self._sessions.add(found)
        return found

    def begin_test(self) -> None:
        self.border += 1
        self.touched = set()
        self._writes = {}
        self._reshaped = set()
        self._emptied = set()
        self._paths.forget()

    def tell_what_is_left(self) -> None:
        for session in list(self._sessions):
            self._stay(session, session.transaction.hand_over())
            session.emptied = set()
        writes, self._writes = self._writes, {}
        for location, (stack, only_while) in writes.items():
            if only_while is None or only_while() is not None:
                self.ledger.wrote("table", location, stack)
        self._left_schemas |= self._reshaped
        self._reshaped = set()
        self._emptied = set()
        self.border += 1

    def executed(
        self,
        session: Session,
        sql: str,
        stack: Callable[[], list[Frame]],
        *,
        mysql: bool = False,
        succeeded: bool = True,
    ) -> None:
        """What has failed has still read, but not written."""
        for statement in self._parsed(sql, mysql):
            if statement.does == ATTACH:
                file = database_file(statement.file)
                session.attached[statement.name] = self._paths.of(file) if file else MEMORY
            elif statement.does != OTHER:
                if statement.does == ROLLBACK:
                    session.emptied = set()
                self.turned(session, statement, stack)
            else:
                self._read(session, statement)
                if statement.writes and succeeded:
                    self._wrote(session, statement, stack())
                    if mysql and statement.reshaped:
                        # MySQL commits by itself then.
                        self.turned(session, Statement(COMMIT), stack)

    def turned(self, session: Session, statement: Statement, stack: Callable[[], list[Frame]]) -> None:
        self._stay(session, session.transaction.turn(statement.does, statement.name, stack()))

    def _parsed(self, sql: str, mysql: bool) -> list[Statement]:
        found = self._known.get((sql, mysql))
        if found is None:
            found = statements(sql, mysql=mysql)
            if len(sql) <= _LONGEST_KNOWN_TEXT:
                if len(self._known) >= _MOST_KNOWN_TEXTS:
                    self._known = {}
                self._known[sql, mysql] = found
        return found

    def _read(self, session: Session, statement: Statement) -> None:
        if session.is_in_memory and session.border == self.border:
            return
        for table in sorted(statement.reads | statement.writes):
            location = session.location(table)
            if not session.is_in_memory:
                self.touched.add(f"table {location}")
            if location in session.emptied or location in self._emptied:
                continue
            if table in statement.reads:
                for real in (location, *sorted(self._views.get(location, ()))):
                    self.ledger.read("table", real)
            if _schema(location) in self._left_schemas:
                self.ledger.read("table", _schema(location))

    def _wrote(self, session: Session, statement: Statement, stack: list[Frame]) -> None:
        writes = []
        for table in sorted(statement.writes):
            location = session.location(table)
            if statement.if_missing and self._is_there(session, location):
                continue
            writes.append(Write(location, stack, table in statement.emptied))
            if table in statement.emptied:
                session.emptied.add(location)
            if table in statement.reshaped:
                writes += [Write(_schema(location), stack), Write(session.location(session.catalogue), stack)]
            if statement.view_of:
                self._views[location] = frozenset(session.location(below) for below in statement.view_of)
        self._stay(session, session.transaction.write(writes))

    def _is_there(self, session: Session, location: str) -> bool:
        """As far as it was seen being made: a database that was there before the run is not looked into."""
        is_made = _schema(location) in self._left_schemas or _schema(location) in self._reshaped
        return is_made and not (session.is_in_memory and session.border == self.border)

    def _stay(self, session: Session, writes: list[Write]) -> None:
        only_while = weakref.ref(session) if session.is_in_memory else None
        for location, stack, is_emptied in writes:
            self._writes[location] = (stack, only_while)
            if is_emptied and only_while is None:
                self._emptied.add(location)
            if location.endswith(_SCHEMA):
                self._reshaped.add(location)


_SCHEMA = " (schema)"


def _schema(location: str) -> str:
    return location + _SCHEMA


def _location(database: str, table: str) -> str:
    return f"{database} table {table}" if database == MEMORY else f"{database}: table {table}"
