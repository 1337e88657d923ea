"""What connections and cursors of DB-API drivers tell about themselves, without a question to the server."""

import weakref
from types import FunctionType
from typing import Any

_CONNECTIONS = ("connection", "_connection", "conn", "_conn", "_c")
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
            found = getattr(found.__init__, "__self__", None)
        if found is not None:
            return found
    return cursor


def commits_by_itself(connection: Any) -> bool:
    """As far as it is known here: mysql.connector's property, for one, would ask the server."""
    return any(_attribute(connection, name) is True for name in _AUTOCOMMITS)


def name_of(driver: str, connection: Any) -> str:
    """`<driver> <database>`, or the driver alone if the connection does not keep the name."""
    stored = _stored(connection)
    for name in _DATABASES:
        if text := text_of_query(stored.get(name)):
            return f"{driver} {text}"
    if driver in _PSYCOPG:
        return f"{driver} {connection.info.dbname}"
    return driver


def _attribute(thing: Any, name: str) -> Any:
    """What is stored, not what is computed: a property may warn, or ask the server, or be the suite's."""
    for base in type(thing).__mro__:
        if isinstance(base.__dict__.get(name), property | FunctionType):
            return None
    try:
        return object.__getattribute__(thing, name)
    except AttributeError:
        return None


def _stored(thing: Any) -> dict[str, Any]:
    found = _attribute(thing, "__dict__")
    return found if type(found) is dict else {}
