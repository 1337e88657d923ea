"""Databases: SQLite on disk and in memory, and a driver of somebody else."""

import contextlib
import sqlite3

import paperdb

from shop.files import VAR

DATABASE = VAR / "shop.db"
MEMORY = sqlite3.connect(":memory:", check_same_thread=False)
MEMORY.execute("CREATE TABLE drafts (name TEXT)")
MEMORY.execute("CREATE TABLE notes (name TEXT)")
LEDGER = paperdb.connect("ledger")


def create_tables():
    with contextlib.closing(sqlite3.connect(DATABASE)) as connection, connection:
        connection.execute("CREATE TABLE orders (name TEXT)")
        connection.execute("CREATE TABLE customers (name TEXT)")


def place(name):
    with contextlib.closing(sqlite3.connect(DATABASE)) as connection, connection:
        connection.execute("INSERT INTO orders VALUES (?)", (name,))  # writes: var/shop.db: table orders


def placed():
    with contextlib.closing(sqlite3.connect(DATABASE)) as connection:
        return connection.execute("SELECT name FROM orders").fetchall()  # reads: var/shop.db: table orders


def customers():
    with contextlib.closing(sqlite3.connect(DATABASE)) as connection:
        return connection.execute("SELECT name FROM customers").fetchall()


def draft(name):
    with MEMORY:
        MEMORY.execute("INSERT INTO drafts (name) VALUES (?)", (name,))  # writes: :memory: table drafts


def drafts():
    return MEMORY.execute("SELECT name FROM drafts").fetchall()  # reads: :memory: table drafts


def notes():
    return MEMORY.execute("SELECT name FROM notes").fetchall()


def book(amount):
    cursor = LEDGER.cursor()
    cursor.execute("INSERT INTO entries VALUES (?)", (amount,))  # writes: paperdb ledger: table entries
    LEDGER.commit()


def booked():
    cursor = LEDGER.cursor()
    cursor.execute("SELECT * FROM entries")  # reads: paperdb ledger: table entries
    return cursor.fetchall()
