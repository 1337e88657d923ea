"""SQLite databases: tables that one test leaves and another finds."""

import gc
import pickle
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from external_recording import RecordedTests, recorded_tests


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[RecordedTests]:
    with recorded_tests(tmp_path / "scratch") as made:
        yield made


@pytest.fixture
def database(tmp_path: Path) -> str:
    """With a table, from before the run."""
    path = tmp_path.resolve() / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cart (item)")
        connection.execute("CREATE TABLE person (name)")
    return str(path)


def _rows(recorded: RecordedTests, test: str) -> set[tuple[str, str]]:
    """Without the database and without the catalogue."""
    found = recorded.did(test, "table")
    return {(did, name.rpartition("table ")[2]) for did, name in found if not name.endswith("sqlite_master")}


WRITES: dict[str, Callable[[Any], object]] = {
    "commit": lambda c: (c.execute("INSERT INTO cart VALUES (?)", ("it's",)), c.commit()),
    "with": lambda c: _with(c, fails=False),
    "many": lambda c: (c.executemany("INSERT INTO cart VALUES (?)", [(1,), (2,)]), c.commit()),
    "script": lambda c: c.executescript("BEGIN; INSERT INTO cart VALUES (1); COMMIT"),
    "script without BEGIN": lambda c: c.executescript("INSERT INTO cart VALUES (1)"),
    "autocommit": lambda c: _with_attribute(c, "isolation_level", None),
    "cursor": lambda c: (c.cursor().execute("UPDATE cart SET item = 1"), c.commit()),
    "row factory": lambda c: _with_attribute(c, "row_factory", sqlite3.Row),
    "released": lambda c: c.executescript("SAVEPOINT s; INSERT INTO cart VALUES (1); RELEASE s"),
    "undone and done": lambda c: c.executescript(
        "BEGIN; INSERT INTO cart VALUES (1); SAVEPOINT s; INSERT INTO person VALUES (1); ROLLBACK TO s; COMMIT"
    ),
    "schema-qualified": lambda c: (c.execute("INSERT INTO main.cart VALUES (1)"), c.commit()),
}


def _with(connection: sqlite3.Connection, *, fails: bool) -> None:
    with connection:
        connection.execute("INSERT INTO cart VALUES (1)")
        if fails:
            raise ZeroDivisionError


def _with_attribute(connection: sqlite3.Connection, name: str, value: object) -> None:
    setattr(connection, name, value)
    connection.execute("INSERT INTO cart VALUES (1)")
    if connection.in_transaction:
        connection.commit()


def _fail(connection: sqlite3.Connection) -> None:
    with pytest.raises(ZeroDivisionError):
        _with(connection, fails=True)


@pytest.mark.parametrize("how", WRITES)
def test_what_is_committed_is_written(how: str, recorded: RecordedTests, database: str) -> None:
    with recorded.test("writer"), closing(sqlite3.connect(database)) as connection:
        WRITES[how](connection)
    with recorded.test("reader"), closing(sqlite3.connect(database)) as connection:
        connection.execute("SELECT * FROM cart")
    assert {name for did, name in _rows(recorded, "writer") if did == "wrote"} == {"cart"}
    assert recorded.did("reader", "table") == {("read", f"{database}: table cart")}
    assert any(frame[0] == __file__ for frame in recorded.stack("reader", "read", f"{database}: table cart"))
    assert f"database {database}" in recorded.touched["reader"]


UNDONE: dict[str, Callable[[Any], object]] = {
    "rollback": lambda c: (c.execute("INSERT INTO cart VALUES (1)"), c.rollback()),
    "closed without commit": lambda c: c.execute("INSERT INTO cart VALUES (1)"),
    "with": lambda c: _fail(c),
    "script": lambda c: c.executescript("BEGIN; INSERT INTO cart VALUES (1); ROLLBACK"),
    "savepoint": lambda c: c.executescript(
        "SAVEPOINT s; INSERT INTO cart VALUES (1); SAVEPOINT t; INSERT INTO cart VALUES (2); ROLLBACK TO s; RELEASE s"
    ),
    "only read": lambda c: c.execute("SELECT * FROM person"),
    "explained": lambda c: c.execute("EXPLAIN INSERT INTO cart VALUES (1)"),
}


@pytest.mark.parametrize("how", UNDONE)
def test_what_is_undone_is_not_written(how: str, recorded: RecordedTests, database: str) -> None:
    with recorded.test("test"), closing(sqlite3.connect(database)) as connection:
        UNDONE[how](connection)
    assert not {name for did, name in recorded.did("test", "table") if did != "read"}


def test_a_transaction_that_stays_open_is_left_and_its_end_is_a_write(recorded: RecordedTests, database: str) -> None:
    connection = sqlite3.connect(database)
    with recorded.test("before"):
        connection.close()
        connection = sqlite3.connect(database)
    with recorded.test("writer"):
        connection.execute("INSERT INTO cart VALUES (1)")
    with recorded.test("reader"):
        connection.execute("SELECT * FROM cart")
    with recorded.test("undoes"):
        connection.rollback()
    connection.close()
    assert _rows(recorded, "writer") == {("wrote", "cart")}
    assert _rows(recorded, "reader") == {("read", "cart")}
    assert _rows(recorded, "undoes") == {("wrote", "cart")}


def test_inserting_reads_the_schema_that_a_test_has_made_but_not_the_rows(
    recorded: RecordedTests, database: str
) -> None:
    def do(sql: str) -> None:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute(sql)

    for test, sql in {
        "maker": "CREATE TABLE wish (item)",
        "first": "INSERT INTO wish VALUES (1)",
        "second": "INSERT INTO wish VALUES (2)",
        "again": "CREATE TABLE IF NOT EXISTS wish (item)",
        "queries": "SELECT name FROM sqlite_schema WHERE name = 'wish'",
        "drops": "DROP TABLE wish",
    }.items():
        with recorded.test(test):
            do(sql)
    schema = "wish (schema)"
    assert _rows(recorded, "maker") == {("wrote", "wish"), ("wrote", schema)}
    assert _rows(recorded, "second") == {("wrote", "wish"), ("read", schema)}
    assert _rows(recorded, "again") == {("read", schema)}
    assert recorded.did("queries", "table") == {("read", f"{database}: table sqlite_master")}
    assert ("wrote", f"{database}: table sqlite_master") in recorded.did("maker", "table")
    assert _rows(recorded, "drops") == {("wrote", "wish"), ("wrote", schema), ("read", schema)}


@pytest.mark.parametrize("reset", ["DELETE FROM cart", "DROP TABLE cart; CREATE TABLE cart (item)"])
def test_a_test_that_empties_a_table_first_reads_nothing_of_others(
    reset: str, recorded: RecordedTests, database: str
) -> None:
    with recorded.test("first"), closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO cart VALUES (1)")
    with recorded.test("second"):
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.executescript(reset)
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("INSERT INTO cart VALUES (2)")
            connection.execute("SELECT * FROM cart")
    assert ("read", "cart") not in _rows(recorded, "second")
    assert ("wrote", "cart") in _rows(recorded, "second")


def test_a_view_shows_the_tables_below_it(recorded: RecordedTests, database: str) -> None:
    with recorded.test("maker"), closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE VIEW shown AS SELECT * FROM cart JOIN person")
    with recorded.test("reader"), closing(sqlite3.connect(database)) as connection:
        connection.execute("SELECT * FROM shown")
    assert {("read", "shown"), ("read", "cart"), ("read", "person")} <= _rows(recorded, "reader")
    assert ("read", "cart") not in _rows(recorded, "maker")


def test_a_database_in_memory_counts_while_it_outlives_its_test(recorded: RecordedTests) -> None:
    with recorded.test("own"), closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1); SELECT * FROM t")
    with recorded.test("leaves"):
        kept = sqlite3.connect(":memory:")
        kept.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    with recorded.test("finds"):
        kept.execute("SELECT * FROM t")
    with recorded.test("new"), closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1); SELECT * FROM t")
    kept.close()
    assert recorded.did("own", "table") == recorded.did("new", "table") == set()
    assert recorded.touched["own"] == set()
    assert ("wrote", ":memory: table t") in recorded.did("leaves", "table")
    assert ("read", ":memory: table t") in recorded.did("finds", "table")


def test_an_attached_database_has_its_own_tables(recorded: RecordedTests, database: str, tmp_path: Path) -> None:
    other = str(tmp_path.resolve() / "other.db")
    with recorded.test("writer"), closing(sqlite3.connect(database)) as connection:
        connection.execute("ATTACH ? AS other", (other,))
        connection.execute("CREATE TABLE other.cart (x)")
    with recorded.test("reader"), closing(sqlite3.connect(other)) as connection:
        connection.execute("SELECT * FROM cart")
    assert ("wrote", f"{other}: table cart") in recorded.did("writer", "table")
    assert ("read", f"{other}: table cart") in recorded.did("reader", "table")


@pytest.mark.parametrize("how", ["uri", "path", "bytes", "keyword", "relative", "link"])
def test_one_database_has_one_name(
    how: str, recorded: RecordedTests, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(database)
    monkeypatch.chdir(path.parent)
    link = path.parent / "link.db"
    link.symlink_to(path)
    connects: dict[str, Callable[[], sqlite3.Connection]] = {
        "uri": lambda: sqlite3.connect(f"file:{database}?mode=ro", uri=True),
        "path": lambda: sqlite3.connect(path),
        "bytes": lambda: sqlite3.connect(database.encode()),
        "keyword": lambda: sqlite3.connect(database=database, timeout=1),
        "relative": lambda: sqlite3.connect("shop.db"),
        "link": lambda: sqlite3.connect(link),
    }
    with recorded.test("test"), closing(connects[how]()) as connection:
        connection.execute("SELECT * FROM cart")
    assert recorded.did("test", "table") == {("read", f"{database}: table cart")}


def test_the_file_is_recorded_when_it_is_made_or_removed(recorded: RecordedTests, tmp_path: Path) -> None:
    path = tmp_path.resolve() / "new.db"
    with recorded.test("maker"), closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (x)")
    with recorded.test("writer"), closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO t VALUES (1)")
    with recorded.test("remover"):
        path.unlink()
    assert recorded.did("maker", "file") == {("wrote", str(path))}
    assert recorded.did("writer", "file") == {("read", str(path))}
    assert ("removed", str(path)) in recorded.did("remover", "file")


def test_connections_are_as_ever(recorded: RecordedTests, database: str) -> None:
    class Mine(sqlite3.Connection):
        def __init__(self, *args: object, **kwargs: object) -> None:
            super().__init__(*args, **kwargs)  # type: ignore[arg-type]
            self.mine = True

    class Holder:
        connect: Any = sqlite3.connect

    with recorded.test("test"):
        with closing(sqlite3.connect(database, factory=Mine)) as connection:
            assert connection.mine
            connection.execute("SELECT * FROM cart")
        with closing(Holder().connect(database)) as connection:
            assert type(connection) is sqlite3.Connection
            with pytest.raises(sqlite3.OperationalError, match="no such table"):
                connection.execute("SELECT * FROM missing")
        assert pickle.loads(pickle.dumps(sqlite3.connect)) is sqlite3.connect
    assert _rows(recorded, "test") == {("read", "cart")}
    assert recorded.notes() == []
    recorded.outside.close()
    assert type(sqlite3.connect) is type(len)


def test_the_callback_of_the_suite_wins_and_is_noted(recorded: RecordedTests, database: str) -> None:
    seen: list[str] = []
    with recorded.test("test"), closing(sqlite3.connect(database)) as connection:
        connection.set_trace_callback(seen.append)
        connection.execute("SELECT * FROM cart")
    assert seen == ["SELECT * FROM cart"]
    assert [note for note in recorded.notes() if "trace callback" in note]


def test_a_connection_without_connect_is_noted(recorded: RecordedTests, database: str) -> None:
    with recorded.test("test"), closing(sqlite3.Connection(database)) as connection:
        connection.execute("SELECT * FROM cart")
    assert [note for note in recorded.notes() if "without sqlite3.connect" in note]


def test_no_connection_is_held(recorded: RecordedTests, database: str) -> None:
    alive: list[int] = []

    class Mine(sqlite3.Connection):
        def __del__(self) -> None:
            alive.remove(id(self))

    with recorded.test("test"):
        connection = sqlite3.connect(database, factory=Mine)
        alive.append(id(connection))
        connection.execute("SELECT * FROM cart")
        connection.close()
        del connection
        gc.collect()
        assert alive == []


def test_many_threads(recorded: RecordedTests, database: str) -> None:
    def work() -> None:
        for _ in range(20):
            with closing(sqlite3.connect(database, timeout=60)) as connection, connection:
                connection.execute("INSERT INTO cart VALUES (1)")

    with recorded.test("threads"):
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert _rows(recorded, "threads") == {("wrote", "cart")}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the attribute is new in Python 3.12")
def test_autocommit_as_an_attribute(recorded: RecordedTests, database: str) -> None:
    connect: Any = sqlite3.connect
    with recorded.test("held back"), closing(connect(database, autocommit=False)) as connection:
        connection.execute("INSERT INTO cart VALUES (1)")
    with recorded.test("committed"), closing(connect(database, autocommit=False)) as connection:
        connection.execute("INSERT INTO cart VALUES (1)")
        connection.commit()
    with recorded.test("at once"), closing(connect(database, autocommit=True)) as connection:
        connection.execute("INSERT INTO cart VALUES (1)")
    assert _rows(recorded, "held back") == set()
    assert _rows(recorded, "committed") == _rows(recorded, "at once") == {("wrote", "cart")}


def test_to_make_sure_of_a_table_is_not_its_last_write(recorded: RecordedTests, tmp_path: Path) -> None:
    """As applications do it with every connection."""
    path = tmp_path / "new.db"

    def make_sure(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE IF NOT EXISTS wish (item)")

    with recorded.test("first"):
        with closing(sqlite3.connect(path)) as connection, connection:
            make_sure(connection)
            connection.execute("INSERT INTO wish VALUES (1)")
        with closing(sqlite3.connect(path)) as connection, connection:
            make_sure(connection)
    (write,) = [event for event in recorded.events() if event.get("did") == "wrote" and event["name"].endswith("wish")]
    assert write["stack"][0][2] == "test_to_make_sure_of_a_table_is_not_its_last_write"
