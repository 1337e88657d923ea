"""SQLite databases, by table."""

import sys
import weakref
from _thread import get_ident
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from unknot.recorder.inside.audit import Collector
from unknot.recorder.inside.database.databases import SQLITE_CATALOGUE, DatabaseSession, TableRecorder
from unknot.recorder.inside.files.os_calls import Wrapper
from unknot.recorder.inside.files.real_paths import MEMORY, database_file
from unknot.recorder.inside.ledger import Ledger

_HANDLE = "sqlite3.connect/handle"
_MODULES = ("sqlite3", "sqlite3.dbapi2")


class SqliteCollector(Collector):
    """Sets a trace callback on each connection that `sqlite3.connect` makes, and so gets each statement.

    Replaces `connect`, because a connection cannot be given a callback during its audit event. Keeps no connection
    alive: the connection holds the callback, which holds the session. A suite that sets its own callback removes ours,
    and a connection made without `sqlite3.connect` never has one: a note reports both.
    """

    subject = "SQLite"

    def __init__(self, ledger: Ledger, tables: TableRecorder) -> None:
        super().__init__(ledger, frozenset({_HANDLE}))
        self._tables = tables
        self._replaced: list[tuple[Any, Any, Any]] = []
        self._in_transaction: Any = None
        self._set_callback: Any = None
        self._has_noted = False
        self.connecting: set[int] = set()
        """Threads that are inside our `connect`."""

    def start(self) -> None:
        """Imports `sqlite3`, if this Python has it, so that later imports of `connect` get ours."""
        super().start()
        try:
            import sqlite3
        except ImportError:
            return
        self._in_transaction = sqlite3.Connection.in_transaction
        self._set_callback = sqlite3.Connection.set_trace_callback
        for name in _MODULES:
            module = sys.modules[name]
            ours = _Connect(module.connect, self)
            self._replaced.append((module, module.connect, ours))
            module.connect = ours  # type: ignore[attr-defined]

    def stop(self) -> None:
        super().stop()
        for module, original, ours in self._replaced:
            if module.connect is ours:
                module.connect = original
        self._replaced = []

    def connected(self, connection: Any, database: object) -> None:
        """The replaced `connect` calls this."""
        if self._active:
            self._guarded(self._watch, connection, database)

    def _watch(self, connection: Any, database: object) -> None:
        file = database_file(database)
        name = (self._tables.paths.of(file) or file) if file else MEMORY
        if file:
            self.ledger.touched.add(f"database {name}")
        session = self._tables.session(name, SQLITE_CATALOGUE, is_open=bool(self._in_transaction.__get__(connection)))
        self._set_callback(connection, partial(self._executed, session))
        weakref.finalize(session, self._lost).atexit = False

    def _executed(self, session: DatabaseSession, sql: str) -> None:
        if self._active:
            self._guarded(self._tables.executed, session, sql, self._stack)

    def _lost(self) -> None:
        """The session is gone: its connection was closed, or the suite has set its own callback."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename == weakref.__file__:
            frame = frame.f_back
        if frame is not None and "set_trace_callback" in frame.f_code.co_names:
            self.ledger.note(f"{frame.f_code.co_filename} sets a trace callback: its SQLite connection is not recorded")

    def _record_event(self, _event: str, _arguments: tuple[Any, ...]) -> None:
        if get_ident() not in self.connecting and not self._has_noted:
            self._has_noted = True
            self.ledger.note("a SQLite connection was made without sqlite3.connect: it is not recorded")

    def _record_leftovers(self) -> None:
        self._tables.record_leftovers()


class _Connect(Wrapper):
    def __init__(self, original: Callable[..., Any], owner: SqliteCollector) -> None:
        super().__init__(original, "sqlite3")
        self._owner = owner

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        me = get_ident()
        self._owner.connecting.add(me)
        try:
            connection = self._original(*args, **kwargs)
        finally:
            self._owner.connecting.discard(me)
        self._owner.connected(connection, args[0] if args else kwargs.get("database"))
        return connection
