"""What connections and cursors of DB-API drivers tell about themselves, without a question to the server."""

import weakref
from typing import Any

_CONNECTIONS = ("connection", "_connection", "conn", "_conn")
_DATABASES = ("db", "database", "dbname", "_database")
_AUTOCOMMITS = ("autocommit", "_autocommit", "autocommit_mode")
_PSYCOPG = ("psycopg", "psycopg2")


def text_of_query(operation: object) -> str:
    """Empty for a query object of the driver (psycopg's `SQL`): that would need the connection."""
    if isinstance(operation, bytes):
        return bytes(operation).decode(errors="replace")
    return str.__str__(operation) if isinstance(operation, str) else ""


def connection_of(cursor: Any) -> Any:
    """The cursor itself if it does not say, so that each cursor is its own connection."""
    for name in _CONNECTIONS:
        found = _attribute(cursor, name)
        if isinstance(found, weakref.ref):
            found = found()
        elif type(found) is weakref.ProxyType:
            # As mysql.connector has it. A proxy passes every question on, but a bound method knows whose it is.
            found = getattr(found.__init__, "__self__", None)  # type: ignore[misc]
        if found is not None:
            return found
    return cursor


def commits_by_itself(connection: Any) -> bool:
    """As far as it is known here: mysql.connector's property, for one, would ask the server."""
    stored = _stored(connection)
    for name in _AUTOCOMMITS:
        if type(stored.get(name)) is bool:
            return bool(stored[name])
    return _driver(connection) in _PSYCOPG and _attribute(connection, "autocommit") is True


def name_of(driver: str, connection: Any) -> str:
    """`<driver> <database>`, or the driver alone if the connection does not keep the name."""
    stored = _stored(connection)
    for name in _DATABASES:
        if text := text_of_query(stored.get(name)):
            return f"{driver} {text}"
    if driver in _PSYCOPG:
        return f"{driver} {connection.info.dbname}"
    return driver


def _driver(connection: Any) -> str:
    """Whose connection it is; a subclass of the suite's has the driver's class among its bases."""
    names = (base.__module__.partition(".")[0] for base in type(connection).__mro__)
    return next((name for name in names if name in _PSYCOPG), "")


def _attribute(thing: Any, name: str) -> Any:
    """Stored, or a property of the class; never by a `__getattr__` of the suite's."""
    try:
        return object.__getattribute__(thing, name)
    except AttributeError:
        return None


def _stored(thing: Any) -> dict[str, Any]:
    found = _attribute(thing, "__dict__")
    return found if type(found) is dict else {}
