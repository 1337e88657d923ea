"""Customer accounts, kept in an SQLite file that is created when first used."""

from __future__ import annotations

import sqlite3

from shop import passwords
from shop.database import connected

_SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (
    email TEXT PRIMARY KEY,
    verified INTEGER NOT NULL DEFAULT 0,
    credit INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS addresses (
    email TEXT NOT NULL,
    label TEXT NOT NULL,
    street TEXT NOT NULL,
    PRIMARY KEY (email, label)
);
CREATE TABLE IF NOT EXISTS passwords (
    email TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    wrong INTEGER NOT NULL DEFAULT 0
);
"""

_MOST_WRONG = 3


class UnknownAccount(LookupError):
    """No account has this e-mail address."""


class AccountExists(Exception):
    """An account with this e-mail address is open already."""


class NotVerified(Exception):
    """The owner of the account has not been verified."""


class WrongPassword(Exception):
    """The account has another password, or none."""


class Locked(Exception):
    """A wrong password was given too often."""


def _require(connection: sqlite3.Connection, email: str) -> tuple[bool, int]:
    row = connection.execute(
        "SELECT verified, credit FROM accounts WHERE email = ?", (email,)
    ).fetchone()
    if row is None:
        raise UnknownAccount(email)
    return bool(row[0]), int(row[1])


def open_account(email: str) -> None:
    with connected(_SCHEMA) as connection:
        try:
            connection.execute("INSERT INTO accounts (email) VALUES (?)", (email,))
        except sqlite3.IntegrityError:
            raise AccountExists(email) from None


def close_account(email: str) -> None:
    with connected(_SCHEMA) as connection:
        _require(connection, email)
        connection.execute("DELETE FROM addresses WHERE email = ?", (email,))
        connection.execute("DELETE FROM passwords WHERE email = ?", (email,))
        connection.execute("DELETE FROM accounts WHERE email = ?", (email,))


def verify(email: str) -> None:
    with connected(_SCHEMA) as connection:
        _require(connection, email)
        connection.execute("UPDATE accounts SET verified = 1 WHERE email = ?", (email,))


def is_verified(email: str) -> bool:
    with connected(_SCHEMA) as connection:
        return _require(connection, email)[0]


def set_credit(email: str, pence: int) -> None:
    """Let a verified customer buy on credit up to this amount."""
    with connected(_SCHEMA) as connection:
        verified, _ = _require(connection, email)
        if not verified:
            raise NotVerified(email)
        connection.execute("UPDATE accounts SET credit = ? WHERE email = ?", (pence, email))


def credit(email: str) -> int:
    with connected(_SCHEMA) as connection:
        return _require(connection, email)[1]


def add_address(email: str, label: str, street: str) -> None:
    with connected(_SCHEMA) as connection:
        _require(connection, email)
        connection.execute(
            "INSERT OR REPLACE INTO addresses (email, label, street) VALUES (?, ?, ?)",
            (email, label, street),
        )


def address(email: str, label: str) -> str | None:
    with connected(_SCHEMA) as connection:
        row = connection.execute(
            "SELECT street FROM addresses WHERE email = ? AND label = ?", (email, label)
        ).fetchone()
        return None if row is None else str(row[0])


def set_password(email: str, password: str) -> None:
    with connected(_SCHEMA) as connection:
        _require(connection, email)
        connection.execute(
            "INSERT OR REPLACE INTO passwords (email, hash) VALUES (?, ?)", (email, passwords.hashed(password))
        )


def password_hash(email: str) -> str:
    with connected(_SCHEMA) as connection:
        row = connection.execute("SELECT hash FROM passwords WHERE email = ?", (email,)).fetchone()
        if row is None:
            raise WrongPassword(email)
        return str(row[0])


def login(email: str, password: str) -> None:
    """Raises WrongPassword, or Locked after the third wrong password in a row."""
    fits = passwords.matches(password, password_hash(email))
    with connected(_SCHEMA) as connection:
        wrong = int(connection.execute("SELECT wrong FROM passwords WHERE email = ?", (email,)).fetchone()[0])
        if wrong >= _MOST_WRONG:
            raise Locked(email)
        connection.execute("UPDATE passwords SET wrong = ? WHERE email = ?", (0 if fits else wrong + 1, email))
    if not fits:
        raise WrongPassword(email)
