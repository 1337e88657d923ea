"""Databases used through any driver that follows the DB-API, by the text of the statements."""

import sys
import weakref
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from unknot.recorder.inside.audit import Collector
from unknot.recorder.inside.database.databases import CATALOGUE, DatabaseSession, TableRecorder
from unknot.recorder.inside.database.driver_patches import PSYCOPG2, MethodPatches, Psycopg2Classes
from unknot.recorder.inside.database.statements import BEGIN, COMMIT, ROLLBACK, Statement
from unknot.recorder.inside.ledger import Ledger

_CONNECTIONS = ("connection", "_connection", "conn", "_conn", "_c")
_DATABASES = ("db", "database", "dbname", "_database")
_AUTOCOMMITS = ("autocommit", "_autocommit", "autocommit_mode")
_PSYCOPG = ("psycopg", "psycopg2")
_CONNECTS = frozenset({"socket.connect", "socket.getaddrinfo", "sqlite3.connect"})
_EXECUTES = ("execute", "executemany", "executescript", "callproc", "copy_expert", "copy", "stream")
_ENDS = {"commit": COMMIT, "rollback": ROLLBACK, "close": ROLLBACK}
_RECORDED_ELSEWHERE = frozenset({"sqlite3", "_sqlite3", "aiosqlite"})
_MYSQL = frozenset({"pymysql", "MySQLdb", "mysql", "aiomysql", "mariadb", "asyncmy"})


class DbapiCollector(Collector):
    """Wraps the cursor classes of each imported driver, if they are Python classes.

    A driver is a module with `apilevel`, `paramstyle` and `connect`. The search for drivers runs before each test and
    on each new connection, so a driver in C that a test itself imports is recorded from the next test on. Cursors
    written in C cannot be wrapped, and a note says so, except psycopg2's, for which subclasses can be substituted.

    A transaction begins with the first statement, as the DB-API specifies, unless the connection has autocommit. A
    write whose connection disappears without a commit is not recorded.
    """

    subject = "databases"

    def __init__(self, ledger: Ledger, tables: TableRecorder) -> None:
        super().__init__(ledger, _CONNECTS)
        self._tables = tables
        self._methods = MethodPatches()
        self._modules = 0
        self._drivers: set[str] = set()
        self._in_c: set[type] = set()
        self._psycopg2: Psycopg2Classes | None = None
        self._sessions: dict[int, tuple[weakref.ref[Any], DatabaseSession]] = {}

    def begin_test(self) -> None:
        super().begin_test()
        self._guarded(self._find_drivers)

    def stop(self) -> None:
        super().stop()
        self._methods.restore()
        if self._psycopg2 is not None:
            self._psycopg2.restore()
            self._psycopg2 = None

    def _record_event(self, _event: str, _arguments: tuple[Any, ...]) -> None:
        self._find_drivers()

    def _find_drivers(self) -> None:
        if not self._active or len(sys.modules) == self._modules:
            return
        self._modules = len(sys.modules)
        modules = {name: module for name, module in list(sys.modules.items()) if type(module) is ModuleType}
        for name, module in modules.items():
            if {"apilevel", "paramstyle", "connect"} <= vars(module).keys():
                self._drivers.add(name.partition(".")[0])
        self._drivers -= _RECORDED_ELSEWHERE
        if PSYCOPG2 in self._drivers and self._psycopg2 is None:
            self._psycopg2 = Psycopg2Classes(modules[PSYCOPG2])
            self._watch_cursor_class(PSYCOPG2, self._psycopg2.cursor)
        for name, module in modules.items():
            root = name.partition(".")[0]
            if root in self._drivers:
                for found in list(vars(module).values()):
                    if isinstance(found, type) and found.__module__.partition(".")[0] == root:
                        self._watch_cursor_class(root, found)

    def _watch_cursor_class(self, driver: str, found: type) -> None:
        if _found(found, "execute") is None or _found(found, "fetchone") is None:
            return
        for name in _EXECUTES:
            if isinstance(found.__dict__.get(name), FunctionType):
                self._methods.wrap(found, name, after=partial(self._after_execute, driver))
        if driver != PSYCOPG2 and found not in self._in_c and not isinstance(_found(found, "execute"), FunctionType):
            self._in_c.add(found)
            self.ledger.note(f"{driver}: {found.__name__} is written in C: its statements are not recorded")

    def _after_execute(self, driver: str, cursor: Any, arguments: tuple[Any, ...], succeeded: bool) -> None:
        sql = text_of_query(arguments[0]) if arguments else ""
        if sql:
            self._guarded(self._executed, driver, cursor, sql, succeeded)

    def _executed(self, driver: str, cursor: Any, sql: str, succeeded: bool) -> None:
        if not self._active:
            return
        connection = connection_of(cursor)
        session = self._session(driver, connection)
        self.ledger.touched.add(f"database {session.database}")
        if self._can_wrap_ends_of(type(connection)) and not has_autocommit(connection):
            self._tables.control(session, Statement(BEGIN), self._stack)
        self._tables.executed(session, sql, self._stack, mysql=driver in _MYSQL, succeeded=succeeded)

    def _session(self, driver: str, connection: Any) -> DatabaseSession:
        known = self._sessions.get(id(connection))
        if known is not None and known[0]() is connection:
            return known[1]
        session = self._tables.session(name_of(driver, connection), CATALOGUE)
        key = id(connection)
        self._sessions[key] = (weakref.ref(connection, lambda _: self._sessions.pop(key, None)), session)
        self._watch_connection_class(type(connection))
        return session

    def _watch_connection_class(self, found: type) -> None:
        for name in _ENDS:
            owner = next((base for base in found.__mro__ if name in base.__dict__), None)
            if owner is not None and isinstance(owner.__dict__[name], FunctionType):
                self._methods.wrap(owner, name, after=partial(self._after_end, name))

    def _can_wrap_ends_of(self, found: type) -> bool:
        """False where `commit` belongs to a class in C: it cannot be wrapped, and every write counts."""
        return all(isinstance(_found(found, name), FunctionType) for name in ("commit", "rollback"))

    def _after_end(self, name: str, connection: Any, _arguments: tuple[Any, ...], succeeded: bool) -> None:
        known = self._sessions.get(id(connection))
        if known is not None and succeeded:
            self._guarded(self._tables.control, known[1], Statement(_ENDS[name]), self._stack)
            if name == "close":
                self._sessions.pop(id(connection), None)


def _found(found: type, name: str) -> object:
    return next((base.__dict__[name] for base in found.__mro__ if name in base.__dict__), None)


def text_of_query(operation: object) -> str:
    """Empty for a query object of the driver (psycopg's `SQL`): converting it would need the connection."""
    if isinstance(operation, bytes):
        return bytes(operation).decode(errors="replace")
    return str.__str__(operation) if isinstance(operation, str) else ""


def connection_of(cursor: Any) -> Any:
    """The cursor itself if it does not store its connection, so that each cursor counts as one."""
    for name in _CONNECTIONS:
        found = _attribute(cursor, name)
        if isinstance(found, weakref.ref):
            found = found()
        elif type(found) is weakref.ProxyType:
            # As in mysql.connector. A proxy forwards every access, but a bound method has the object itself.
            found = getattr(found.__init__, "__self__", None)
        if found is not None:
            return found
    return cursor


def has_autocommit(connection: Any) -> bool:
    """As far as the attributes show it. Properties are not read: mysql.connector's would query the server."""
    return any(_attribute(connection, name) is True for name in _AUTOCOMMITS)


def name_of(driver: str, connection: Any) -> str:
    """`<driver> <database>`, or the driver alone if the connection does not keep the name."""
    stored = _attribute(connection, "__dict__")
    for name in _DATABASES if type(stored) is dict else ():
        if text := text_of_query(stored.get(name)):
            return f"{driver} {text}"
    if driver in _PSYCOPG:
        return f"{driver} {connection.info.dbname}"
    return driver


def _attribute(owner: Any, name: str) -> Any:
    """Stored attributes only: a property may warn, query the server, or run the suite's code."""
    for base in type(owner).__mro__:
        if isinstance(base.__dict__.get(name), property | FunctionType):
            return None
    try:
        return object.__getattribute__(owner, name)
    except AttributeError:
        return None
