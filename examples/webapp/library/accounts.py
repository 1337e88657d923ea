"""Who is who: people, their sessions, and the one notice that a session's next page shows."""

import secrets
import sqlite3

from library.passwords import hashed, matches
from library.store import Database
from library.web import VISITOR, Refused, User

_SHORTEST_PASSWORD = 8


def user_of(database: Database, token: str) -> User:
    row = database.execute(
        "SELECT people.* FROM sessions JOIN people ON people.number = sessions.person WHERE token = ?", (token,)
    ).fetchone()
    return VISITOR if row is None else User(row["number"], row["name"], row["full_name"], row["role"])


def opened_session(database: Database, name: str, password: str) -> str:
    """The token of a new session."""
    row = database.execute("SELECT number, password FROM people WHERE name = ?", (name,)).fetchone()
    if row is None or not matches(password, row["password"]):
        raise Refused(403, "Name or password is wrong.")
    token = secrets.token_urlsafe()
    database.execute("INSERT INTO sessions (token, person) VALUES (?, ?)", (token, row["number"]))
    return token


def add_person(database: Database, name: str, full_name: str, password: str, role: str) -> None:
    if not name or not full_name:
        raise Refused(400, "Name and full name are needed.")
    if len(password) < _SHORTEST_PASSWORD:
        raise Refused(400, f"The password needs {_SHORTEST_PASSWORD} characters.")
    try:
        database.execute(
            "INSERT INTO people (name, full_name, password, role) VALUES (?, ?, ?, ?)",
            (name, full_name, hashed(password), role),
        )
    except sqlite3.IntegrityError:
        raise Refused(400, f"The name {name} is taken.") from None


def leave_notice(database: Database, token: str, notice: str) -> None:
    database.execute("UPDATE sessions SET notice = ? WHERE token = ?", (notice, token))


def taken_notice(database: Database, token: str) -> str:
    row = database.execute("SELECT notice FROM sessions WHERE token = ?", (token,)).fetchone()
    if row is None or not row["notice"]:
        return ""
    leave_notice(database, token, "")
    return str(row["notice"])
