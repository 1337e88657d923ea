"""SQLite files are put back under a program that has them open."""

import json
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets import sqlite as sqlite_reset
from unknot.runners.sut.resets.protocol import CLEAN, Reset

Make = Callable[..., Reset]

PROGRAM = textwrap.dedent("""
    import json, sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    for line in sys.stdin:
        try:
            answer = connection.execute(json.loads(line)).fetchall()
        except sqlite3.Error as problem:
            answer = str(problem)
        print(json.dumps(answer), flush=True)
""")


class Program:
    """A server with one connection that it never closes."""

    def __init__(self, file: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, statement: str) -> object:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(statement) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(params=["delete", "wal"])
def program(request: pytest.FixtureRequest, placed: InstanceContext) -> Iterator[Program]:
    with closing(Program(placed.directory / "app.db")) as running:
        assert running(f"PRAGMA journal_mode={request.param}") == [[request.param]]
        running("CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)")
        running("INSERT INTO notes (text) VALUES ('first')")
        yield running


def test_an_open_connection_sees_what_was_put_back(program: Program, make: Make) -> None:
    reset = make("sqlite", file="{dir}/app.db")
    reset.keep(CLEAN)
    mode = program("PRAGMA journal_mode")
    for _ in range(3):
        # The same page is cached by the program, and the same number of changes is made each time.
        assert program("SELECT * FROM notes") == [[1, "first"]]
        program("INSERT INTO notes (text) VALUES ('more')")
        program("UPDATE notes SET text = 'other' WHERE id = 1")
        program("CREATE TABLE new (a)")
        assert program("SELECT count(*) FROM notes") == [[2]]
        reset.put_back(CLEAN)
        assert program("SELECT * FROM notes") == [[1, "first"]]
        assert program("SELECT * FROM new") == "no such table: new"
        assert program("PRAGMA journal_mode") == mode
        assert program("PRAGMA integrity_check") == [["ok"]]
    program("INSERT INTO notes (text) VALUES ('again')")
    assert program("SELECT max(id) FROM notes") == [[2]], "the next automatic number was put back too"


def test_stale_pages_are_not_taken_for_new_ones(program: Program, make: Make, placed: InstanceContext) -> None:
    """Another process changes the file as often as the program once did: its cache must not think itself right."""
    reset = make("sqlite", file="{dir}/app.db")
    reset.keep(CLEAN)
    program("UPDATE notes SET text = 'mine'")
    assert program("SELECT text FROM notes") == [["mine"]]
    reset.put_back(CLEAN)
    with closing(sqlite3.connect(placed.directory / "app.db", isolation_level=None)) as other:
        other.execute("UPDATE notes SET text = 'theirs'")
    assert program("SELECT text FROM notes") == [["theirs"]]


def test_several_states_and_several_files(program: Program, make: Make, placed: InstanceContext) -> None:
    with closing(sqlite3.connect(placed.directory / "b ?#%.db", isolation_level=None)) as other:
        other.execute("CREATE TABLE t (a)")
        reset = make("sqlite", file=("{dir}/app.db", "{dir}/b ?#%.db"))
        reset.keep(CLEAN)
        other.execute("INSERT INTO t VALUES (1)")
        program("DELETE FROM notes")
        reset.keep("later")
        program("DROP TABLE notes")
        reset.put_back(CLEAN)
        assert (other.execute("SELECT * FROM t").fetchall(), program("SELECT id FROM notes")) == ([], [[1]])
        reset.put_back("later")
        assert (other.execute("SELECT * FROM t").fetchall(), program("SELECT id FROM notes")) == ([(1,)], [])
        reset.forget("later")
        assert len(list(placed.store.iterdir())) == 2


def test_a_database_that_was_removed_or_changed_its_mode_comes_back(make: Make, placed: InstanceContext) -> None:
    file = placed.directory / "app.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=wal")
        connection.execute("CREATE TABLE t (a)")
    reset = make("sqlite", file="{dir}/app.db")
    reset.keep(CLEAN)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=delete")
        connection.execute("PRAGMA user_version=7")
    reset.put_back(CLEAN)
    assert _facts(file) == ("wal", 0, [("t",)])
    file.unlink()
    Path(f"{file}-wal").write_bytes(b"of nobody")
    reset.put_back(CLEAN)
    assert _facts(file) == ("wal", 0, [("t",)])


def _facts(file: Path) -> tuple[object, ...]:
    with closing(sqlite3.connect(file)) as connection:
        (mode,), (version,) = (
            connection.execute(f"PRAGMA {what}").fetchone() for what in ("journal_mode", "user_version")
        )
        return mode, version, connection.execute("SELECT name FROM sqlite_master").fetchall()


def test_a_lock_that_is_given_back_is_waited_for(program: Program, make: Make) -> None:
    reset = make("sqlite", file="{dir}/app.db")
    reset.keep(CLEAN)
    program("BEGIN IMMEDIATE")
    program("DELETE FROM notes")
    later = threading.Timer(0.3, program, ["COMMIT"])
    later.start()
    reset.put_back(CLEAN)
    later.join()
    assert program("SELECT text FROM notes") == [["first"]]


def test_a_lock_that_is_never_given_back_is_an_error(
    program: Program, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_reset, "_MOST_SECONDS", 0.3)
    reset = make("sqlite", file="{dir}/app.db")
    reset.keep(CLEAN)
    program("BEGIN IMMEDIATE")
    program("DELETE FROM notes")
    with pytest.raises(RunnerError, match=r"cannot put back .*app.db: the database has been locked"):
        reset.put_back(CLEAN)
    program("ROLLBACK")
    assert program("SELECT text FROM notes") == [["first"]]


@pytest.mark.parametrize(
    ("contents", "said"), [(None, "No such file"), (b"just some text that is no database", "no SQLite database")]
)
def test_what_is_no_database_cannot_be_kept(
    make: Make, placed: InstanceContext, contents: bytes | None, said: str
) -> None:
    if contents is not None:
        (placed.directory / "app.db").write_bytes(contents)
    with pytest.raises(RunnerError, match=said):
        make("sqlite", file="{dir}/app.db").keep(CLEAN)


def test_an_empty_database_is_one(make: Make, placed: InstanceContext) -> None:
    file = placed.directory / "app.db"
    file.touch()
    reset = make("sqlite", file="{dir}/app.db")
    reset.keep(CLEAN)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE t (a)")
        reset.put_back(CLEAN)
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
