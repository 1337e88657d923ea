"""The database: its tables, and what a new one holds."""

import sqlite3
from pathlib import Path

from library.passwords import hashed

Database = sqlite3.Connection

_SCHEMA = (Path(__file__).parent / "schema.sql").read_text(encoding="utf-8")

_PEOPLE = (
    ("admin", "Ada Minister", "admin-secret", "admin"),
    ("lena", "Lena Lind", "lena-secret", "librarian"),
    ("rita", "Rita Reader", "rita-secret", "reader"),
)
_CATEGORIES = ("Fiction", "Science")
_BOOKS = (
    ("Moby Dick", "Herman Melville", 1851, "Fiction"),
    ("Emma", "Jane Austen", 1815, "Fiction"),
    ("On the Origin of Species", "Charles Darwin", 1859, "Science"),
)
_SETTINGS = (("library name", "Harbour Library"), ("registration", "open"))


def connected(file: Path) -> Database:
    database = sqlite3.connect(file, timeout=10)
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA foreign_keys = ON")
    return database


def prepared(file: Path) -> None:
    """Makes the database, unless it is there."""
    if file.exists():
        return
    database = connected(file)
    with database:
        database.executescript(_SCHEMA)
        people = [(name, full_name, hashed(password), role) for name, full_name, password, role in _PEOPLE]
        database.executemany("INSERT INTO people (name, full_name, password, role) VALUES (?, ?, ?, ?)", people)
        database.executemany("INSERT INTO categories (name) VALUES (?)", [(name,) for name in _CATEGORIES])
        database.executemany(
            "INSERT INTO books (title, author, year, category) SELECT ?, ?, ?, number FROM categories WHERE name = ?",
            _BOOKS,
        )
        database.executemany("INSERT INTO settings (name, value) VALUES (?, ?)", _SETTINGS)
    database.close()


def setting(database: Database, name: str) -> str:
    row = database.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
    return str(row["value"])
