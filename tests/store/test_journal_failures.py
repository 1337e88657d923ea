"""Whatever is wrong with the file: the error names it and what to do, and the file is left as it was."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import unknot
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import TestId
from unknot.store.journal import schema
from unknot.store.journal.journal import Journal

A = TestId("test_a.py::test_a")


def run_number(number: int) -> Run:
    """Its story does not compress, so that it takes pages of its own."""
    story = "".join(chr(0x4E00 + (number + 1) * place * 7919 % 20_000) for place in range(1000))
    return Run(OrderRequest((A,), attempt=number), (Result(Outcome.FAILED, 0.1, story),), executed=1)


def open_at(path: Path) -> Journal:
    return Journal.open(path, fingerprints={A: "text"}, environment="here")


def altered(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in statements:
            connection.execute(statement)
    finally:
        connection.close()


def refusal(path: Path) -> StorageError:
    """The error that opening the journal gives, having checked what all of them promise."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StorageError) as caught:
        open_at(path)
    assert str(path) in caught.value.message or str(path.parent) in caught.value.message
    assert "`state-dir`" in caught.value.hint
    if before is not None:
        assert path.read_bytes() == before
    return caught.value


def recall_all(path: Path) -> None:
    with open_at(path) as journal:
        for number in range(20):
            journal.recall(run_number(number).request)


def fill(journal: Journal, recorded: list[Run]) -> None:
    for number in range(1000):
        run = run_number(number)
        journal.record(run)
        recorded.append(run)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def written(path: Path) -> Path:
    with open_at(path) as journal:
        for number in range(20):
            journal.record(run_number(number))
    return path


@pytest.mark.parametrize("content", [b"word", b"no database\n" * 1000, b"\0" * 5000], ids=["word", "text", "zeros"])
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    error = refusal(path)
    assert "not a journal" in error.message
    assert f"remove {path}" in error.hint


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    altered(path, "CREATE TABLE customers (name TEXT)")
    assert "another program" in refusal(path).message


def test_a_database_of_another_program_with_our_version_number_is_refused_too(path: Path) -> None:
    altered(path, "CREATE TABLE runs (name TEXT)", "PRAGMA user_version = 1")
    assert "another program" in refusal(path).message


def test_a_journal_of_a_newer_unknot_is_refused_with_the_advice_to_upgrade(written: Path) -> None:
    altered(written, f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    error = refusal(written)
    assert "newer" in error.message
    assert "Upgrade" in error.hint


def test_a_journal_of_a_version_that_never_was_is_refused(written: Path) -> None:
    altered(written, "PRAGMA user_version = -3")
    assert "damaged" in refusal(written).message


def test_damage_in_the_first_page_is_refused_when_opening(written: Path) -> None:
    with written.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 300)
    error = refusal(written)
    assert "damaged" in error.message
    assert f"Remove {written}" in error.hint


def test_a_file_cut_to_half_gives_an_error_that_names_the_file_to_remove(written: Path) -> None:
    content = written.read_bytes()
    written.write_bytes(content[: len(content) // 2])
    with pytest.raises(StorageError, match="damaged") as caught:
        recall_all(written)
    assert f"Remove {written}" in caught.value.hint
    assert written.exists()


def test_damage_deep_in_the_file_never_gives_a_wrong_answer(written: Path) -> None:
    content = bytearray(written.read_bytes())
    content[4096:] = bytes(byte ^ 0x55 for byte in content[4096:])
    written.write_bytes(content)
    with open_at(written) as journal:
        for number in range(20):
            with pytest.raises(StorageError, match="damaged"):
                journal.recall(run_number(number).request)
            with pytest.raises(StorageError, match="damaged"):
                journal.record(run_number(number))


def test_a_recorded_run_with_other_bytes_in_it_is_an_error(written: Path) -> None:
    altered(written, "UPDATE runs SET run = x'00'")
    with open_at(written) as journal, pytest.raises(StorageError, match="damaged"):
        journal.recall(run_number(0).request)


def test_a_journal_without_its_table_is_damaged(written: Path) -> None:
    altered(written, "DROP TABLE runs")
    assert "no such table" in refusal(written).message


def test_a_journal_that_loses_its_table_while_open_is_damaged(written: Path) -> None:
    with open_at(written) as journal:
        altered(written, "DROP TABLE runs")
        with pytest.raises(StorageError, match="no such table"):
            journal.recall(run_number(0).request)
        with pytest.raises(StorageError, match="no such table"):
            journal.record(run_number(0))
        with pytest.raises(StorageError, match="no such table"):
            journal.prune(1)
        with pytest.raises(StorageError, match="no such table"):
            journal.forget()


def test_a_path_below_a_regular_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    refusal(tmp_path / "file" / "journal.sqlite3")
    refusal(tmp_path / "file" / "deeper" / "journal.sqlite3")
    assert (tmp_path / "file").read_text() == "text"


def test_a_path_that_is_a_directory_is_refused(path: Path) -> None:
    path.mkdir()
    assert "cannot be opened" in refusal(path).message


def test_a_full_disk_is_an_error_and_all_runs_recorded_before_are_kept(path: Path) -> None:
    recorded: list[Run] = []
    with open_at(path) as journal:
        # SQLite then behaves as on a disk of this size.
        journal._connection.execute("PRAGMA max_page_count = 50")
        with pytest.raises(StorageError, match="no room left") as caught:
            fill(journal, recorded)
        assert str(path) in caught.value.message
        assert "`state-dir`" in caught.value.hint
        assert recorded
        assert journal.recall(run_number(len(recorded)).request) is None
    with open_at(path) as journal:
        for run in recorded:
            assert journal.recall(run.request) == run
        refused = run_number(len(recorded))
        journal.record(refused)
        assert journal.recall(refused.request) == refused


def test_a_journal_held_by_another_process_is_an_error_after_the_wait(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_at(written) as journal:
        journal._connection.execute("PRAGMA busy_timeout = 1")
        holder = sqlite3.connect(written, isolation_level=None)
        try:
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="Another process holds"):
                journal.record(run_number(30))
            monkeypatch.setattr(schema, "BUSY_SECONDS", 0.0)
            monkeypatch.setattr("unknot.store.journal.journal.BUSY_SECONDS", 0.0)
            refusal(written)
            assert journal.recall(run_number(0).request) == run_number(0)
        finally:
            holder.close()
        journal.record(run_number(30))
        assert journal.recall(run_number(30).request) == run_number(30)


def test_opening_waits_for_a_process_that_writes_the_file_before_it_is_in_wal_mode(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = sqlite3.connect(path, isolation_level=None)
    pauses: list[float] = []

    def writer_ends(seconds: float) -> None:
        pauses.append(seconds)
        writer.close()

    try:
        writer.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("unknot.store.journal.schema.time.sleep", writer_ends)
        with open_at(path) as journal:
            journal.record(run_number(0))
            assert journal.recall(run_number(0).request) == run_number(0)
    finally:
        writer.close()
    assert pauses


def test_using_a_closed_journal_is_a_bug_and_not_a_problem_of_the_file(path: Path) -> None:
    journal = open_at(path)
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError):
        journal.recall(run_number(0).request)


@pytest.fixture
def public_directory() -> Iterator[Path]:
    """One that another user can reach, as those of pytest are not."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        yield directory
        directory.chmod(0o755)


def as_a_user_without_rights(program: str, path: Path) -> list[str]:
    """Runs it as nobody where we are root, whom no mode bits stop; gives what it printed."""
    begin = """
        import os, resource, sys
        from pathlib import Path
        from unknot.store.journal.journal import Journal
        from unknot.model.errors import StorageError
        from unknot.model.outcome import Outcome
        from unknot.model.run import OrderRequest, Result, Run
        path = Path(sys.argv[1])
        if os.geteuid() == 0:
            os.setegid(65534)
            os.seteuid(65534)
    """
    assert unknot.__file__ is not None
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(begin) + textwrap.dedent(program), str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(unknot.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


OPEN_AND_SAY = """
    try:
        Journal.open(path, fingerprints={}, environment="here").close()
    except StorageError as error:
        print(error.message)
        print(error.hint)
"""


def test_a_read_only_directory_is_refused(public_directory: Path) -> None:
    public_directory.chmod(0o555)
    message, hint = as_a_user_without_rights(OPEN_AND_SAY, public_directory / "journal.sqlite3")
    assert str(public_directory) in message
    assert "`state-dir`" in hint
    message, hint = as_a_user_without_rights(OPEN_AND_SAY, public_directory / "below" / "journal.sqlite3")
    assert str(public_directory / "below") in message
    assert "`state-dir`" in hint


@pytest.mark.parametrize("directory_mode", [0o555, 0o777])
def test_a_read_only_journal_is_refused_when_opening_and_not_after_the_first_run(
    public_directory: Path, directory_mode: int
) -> None:
    path = public_directory / "journal.sqlite3"
    with open_at(path) as journal:
        journal.record(run_number(0))
    path.chmod(0o444)
    public_directory.chmod(directory_mode)
    message, hint = as_a_user_without_rights(OPEN_AND_SAY, path)
    assert str(path) in message
    assert "cannot be opened for writing" in message
    assert "`state-dir`" in hint


def test_a_limit_on_the_size_of_files_is_an_error_and_recorded_runs_are_kept(public_directory: Path) -> None:
    public_directory.chmod(0o777)
    path = public_directory / "journal.sqlite3"
    program = f"""
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, ({200_000}, hard))
        journal = Journal.open(path, fingerprints={{"{A}": "text"}}, environment="here")
        try:
            for recorded in range(100_000):
                journal.record(Run(OrderRequest(("{A}",), recorded), (Result(Outcome.PASSED, 0.5),), executed=1))
        except StorageError as error:
            print(recorded)
            print(error.message)
    """
    recorded, message = as_a_user_without_rights(program, path)
    assert int(recorded) > 0
    assert str(path) in message
    with open_at(path) as journal:
        for number in range(int(recorded)):
            assert journal.recall(OrderRequest((A,), number)) is not None
