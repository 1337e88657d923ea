"""Databases of a driver that is written in Python, after the DB-API."""

import gc
import importlib
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from external_recording import RecordedTests, recorded_tests

_DRIVER = '''
"""A driver of its own make: everything is kept in one dictionary of SQLite databases."""
import sqlite3

apilevel, paramstyle, threadsafety = "2.0", "qmark", 1
_databases = {}


def connect(database, autocommit=False):
    return Connection(database, autocommit)


class Connection:
    def __init__(self, database, autocommit):
        self.database = database
        self.autocommit = autocommit
        if database not in _databases:
            _databases[database] = sqlite3.connect(":memory:", check_same_thread=False)
        self._real = _databases[database]
        self._real.execute("CREATE TABLE IF NOT EXISTS cart (item)")

    def cursor(self):
        return Cursor(self)

    def commit(self):
        self._real.commit()

    def rollback(self):
        self._real.rollback()

    def close(self):
        self._real.rollback()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.commit()
        else:
            self.rollback()


class Cursor:
    def __init__(self, connection):
        self.connection = connection
        self._cursor = connection._real.cursor()

    def execute(self, operation, parameters=()):
        """Runs it."""
        self._cursor.execute(operation, parameters)
        if self.connection.autocommit:
            self.connection._real.commit()
        return self

    def executemany(self, operation, many):
        for parameters in many:
            self.execute(operation, parameters)

    def fetchone(self):
        return self._cursor.fetchone()


class DictCursor(Cursor):
    def execute(self, operation, parameters=()):
        return super().execute(operation, parameters)
'''


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "planted_driver.py").write_text(_DRIVER)
    monkeypatch.syspath_prepend(str(tmp_path))
    made = importlib.import_module("planted_driver")
    yield made
    for database in made._databases.values():
        database.close()
    del sys.modules["planted_driver"]


@pytest.fixture
def recorded(tmp_path: Path, driver: Any) -> Iterator[RecordedTests]:
    with recorded_tests(tmp_path / "scratch") as made:
        yield made


def _did(recorded: RecordedTests, test: str) -> set[tuple[str, str]]:
    """Only through the driver: what it does with SQLite is its own business."""
    return {(did, name) for did, name in recorded.did(test, "table") if name.startswith("planted_driver")}


CART = "planted_driver shop: table cart"

WRITES: dict[str, Callable[[Any], object]] = {
    "commit": lambda c: (c.cursor().execute("INSERT INTO cart VALUES (?)", (1,)), c.commit()),
    "many": lambda c: (c.cursor().executemany("INSERT INTO cart VALUES (?)", [(1,), (2,)]), c.commit()),
    "by name": lambda c: (c.cursor().execute(operation="INSERT INTO cart VALUES (1)"), c.commit()),
    "with": lambda c: _with(c),
}


def _with(connection: Any) -> None:
    with connection:
        connection.cursor().execute("INSERT INTO cart VALUES (1)")


@pytest.mark.parametrize("how", WRITES)
def test_what_is_committed_is_written(how: str, recorded: RecordedTests, driver: Any) -> None:
    with recorded.test("writer"):
        connection = driver.connect("shop")
        WRITES[how](connection)
        connection.close()
    with recorded.test("reader"):
        assert driver.connect("shop").cursor().execute("SELECT * FROM cart").fetchone() == (1,)
    assert _did(recorded, "writer") == {("wrote", CART)}
    assert _did(recorded, "reader") == {("read", CART)}
    assert recorded.stack("reader", "read", CART)[-1][0] == __file__
    assert "database planted_driver shop" in recorded.touched["reader"]


UNDONE: dict[str, Callable[[Any], object]] = {
    "rolled back": lambda c: (c.cursor().execute("INSERT INTO cart VALUES (1)"), c.rollback()),
    "closed": lambda c: (c.cursor().execute("INSERT INTO cart VALUES (1)"), c.close()),
    "failed": lambda c: _fail(c),
}


def _fail(connection: Any) -> None:
    with pytest.raises(Exception, match="no column"):
        connection.cursor().execute("INSERT INTO cart (missing) VALUES (1)")
    connection.commit()


@pytest.mark.parametrize("how", UNDONE)
def test_what_is_undone_is_not_written(how: str, recorded: RecordedTests, driver: Any) -> None:
    with recorded.test("test"):
        UNDONE[how](driver.connect("shop"))
    assert _did(recorded, "test") == set()


def test_a_connection_that_commits_by_itself(recorded: RecordedTests, driver: Any) -> None:
    with recorded.test("test"):
        connection = driver.connect("shop", True)
        connection.cursor().execute("INSERT INTO cart VALUES (1)")
        connection.close()
    assert _did(recorded, "test") == {("wrote", CART)}


def test_an_open_transaction_is_left(recorded: RecordedTests, driver: Any) -> None:
    connection = driver.connect("shop")
    with recorded.test("test"):
        connection.cursor().execute("INSERT INTO cart VALUES (1)")
    assert _did(recorded, "test") == {("wrote", CART)}


def test_reads_of_subclasses_are_reported_once(recorded: RecordedTests, driver: Any) -> None:
    class Mine(driver.DictCursor):  # type: ignore[misc]
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(name)

    with recorded.test("test"):
        Mine(driver.connect("shop")).execute("SELECT * FROM cart")
    assert len([event for event in recorded.events() if event.get("name") == CART]) == 1


def test_the_classes_are_as_ever(recorded: RecordedTests, driver: Any) -> None:
    original = driver.Cursor.execute
    with recorded.test("test"):
        assert driver.Cursor.execute is not original
        assert driver.Cursor.execute.__doc__ == "Runs it."
        assert driver.Cursor.execute.__wrapped__ is original
    recorded.outside.close()
    assert driver.Cursor.execute is original


def test_no_connection_is_held(recorded: RecordedTests, driver: Any) -> None:
    with recorded.test("test"):
        connection = driver.connect("shop")
        connection.cursor().execute("SELECT * FROM cart")
        held = weakref.ref(connection)
        del connection
        gc.collect()
        assert held() is None


def test_many_threads(recorded: RecordedTests, driver: Any) -> None:
    def work(number: int) -> None:
        connection = driver.connect(f"shop{number}")
        for _ in range(50):
            connection.cursor().execute("INSERT INTO cart VALUES (1)")
            connection.commit()

    with recorded.test("threads"):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert _did(recorded, "threads") == {("wrote", f"planted_driver shop{number}: table cart") for number in range(6)}
