"""Databases of any driver that follows the DB-API, by the text of its statements."""

import sys
import weakref
from types import FunctionType, ModuleType
from typing import Any

from unknot.recorder.inside.collector import Collector
from unknot.recorder.inside.database.databases import CATALOGUE, Databases, Session
from unknot.recorder.inside.database.dbapi_objects import commits_by_itself, connection_of, name_of, text_of_query
from unknot.recorder.inside.database.psycopg2_classes import PSYCOPG2, Psycopg2Classes
from unknot.recorder.inside.database.statements import BEGIN, COMMIT, ROLLBACK, Statement
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.patched_methods import PatchedMethods

_CONNECTS = frozenset({"socket.connect", "socket.getaddrinfo", "sqlite3.connect"})
_EXECUTES = ("execute", "executemany", "executescript", "callproc", "copy_expert", "copy", "stream")
_ENDS = {"commit": COMMIT, "rollback": ROLLBACK}
_SEEN_ELSEWHERE = frozenset({"sqlite3", "_sqlite3", "aiosqlite"})
_MYSQL = frozenset({"pymysql", "MySQLdb", "mysql", "aiomysql", "mariadb", "asyncmy"})


class Drivers(Collector):
    """Puts itself between the suite and the cursors of each driver that is imported, if these are Python classes.

    A driver is a module with `apilevel`, `paramstyle` and `connect`. They are looked for before each test and when
    something connects, so that a driver in C that a test itself imports is seen from the next test on. Cursors that
    are written in C cannot be watched, but for psycopg2's, which can be told to make others: a note says so.

    A transaction is taken to begin with the first statement, as the DB-API has it, unless the connection says that it
    commits by itself. A write whose connection goes away without a commit is not told.
    """

    def __init__(self, ledger: Ledger, databases: Databases) -> None:
        super().__init__(ledger, _CONNECTS)
        self._databases = databases
        self._methods = PatchedMethods()
        self._modules = 0
        self._drivers: set[str] = set()
        self._in_c: set[type] = set()
        self._psycopg2: Psycopg2Classes | None = None
        self._sessions: dict[int, tuple[weakref.ref[Any], Session]] = {}

    def begin_test(self) -> None:
        super().begin_test()
        self._unheard(self._look_for_drivers)

    def stop(self) -> None:
        super().stop()
        self._methods.restore()
        if self._psycopg2 is not None:
            self._psycopg2.restore()
            self._psycopg2 = None

    def _heard(self, _event: str, _arguments: tuple[Any, ...]) -> None:
        self._look_for_drivers()

    def _look_for_drivers(self) -> None:
        if not self._active or len(sys.modules) == self._modules:
            return
        self._modules = len(sys.modules)
        modules = {name: module for name, module in list(sys.modules.items()) if type(module) is ModuleType}
        for name, module in modules.items():
            if {"apilevel", "paramstyle", "connect"} <= vars(module).keys():
                self._drivers.add(name.partition(".")[0])
        self._drivers -= _SEEN_ELSEWHERE
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
        if not _has(found, "execute") or not _has(found, "fetchone"):
            return
        for name in _EXECUTES:
            if isinstance(found.__dict__.get(name), FunctionType):
                self._methods.wrap(found, name, after=self._after_execute(driver))
        if driver != PSYCOPG2 and found not in self._in_c and not isinstance(_found(found, "execute"), FunctionType):
            self._in_c.add(found)
            self.ledger.note(f"{driver}: {found.__name__} is written in C: its statements are not recorded")

    def _after_execute(self, driver: str) -> Any:
        def executed(cursor: Any, arguments: tuple[Any, ...], succeeded: bool) -> None:
            sql = text_of_query(arguments[0]) if arguments else ""
            if sql:
                self._unheard(self._executed, driver, cursor, sql, succeeded)

        return executed

    def _executed(self, driver: str, cursor: Any, sql: str, succeeded: bool) -> None:
        if not self._active:
            return
        connection = connection_of(cursor)
        session = self._session(driver, connection)
        self._touched.add(f"database {session.database}")
        if self._sees_the_end_of(type(connection)) and not commits_by_itself(connection):
            self._databases.turned(session, Statement(BEGIN), self._stack)
        self._databases.executed(session, sql, self._stack, mysql=driver in _MYSQL, succeeded=succeeded)

    def _session(self, driver: str, connection: Any) -> Session:
        known = self._sessions.get(id(connection))
        if known is not None and known[0]() is connection:
            return known[1]
        session = self._databases.session(name_of(driver, connection), CATALOGUE)
        key = id(connection)
        self._sessions[key] = (weakref.ref(connection, lambda _: self._sessions.pop(key, None)), session)
        self._watch_connection_class(type(connection))
        return session

    def _watch_connection_class(self, found: type) -> None:
        for name in (*_ENDS, "close"):
            owner = next((base for base in found.__mro__ if name in base.__dict__), None)
            if owner is not None and isinstance(owner.__dict__[name], FunctionType):
                self._methods.wrap(owner, name, after=self._after_end(name))

    def _sees_the_end_of(self, found: type) -> bool:
        """Where `commit` belongs to a class in C it cannot be seen, and every write counts."""
        return all(isinstance(_found(found, name), FunctionType) for name in _ENDS)

    def _after_end(self, name: str) -> Any:
        def ended(connection: Any, _arguments: tuple[Any, ...], succeeded: bool) -> None:
            known = self._sessions.get(id(connection))
            if known is not None and succeeded:
                does = _ENDS.get(name, ROLLBACK)
                self._unheard(self._databases.turned, known[1], Statement(does), self._stack)
                if name == "close":
                    self._sessions.pop(id(connection), None)

        return ended


def _has(found: type, name: str) -> bool:
    return any(name in base.__dict__ for base in found.__mro__)


def _found(found: type, name: str) -> object:
    return next((base.__dict__[name] for base in found.__mro__ if name in base.__dict__), None)
