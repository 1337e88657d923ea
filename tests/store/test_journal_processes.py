"""The journal under real processes: killed in the middle of writing, and several at once."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import unknot
from unknot.model.run import OrderRequest, Run

WRITER = Path(__file__).with_name("journal_writer.py")


@pytest.fixture
def writer_module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program that the processes run, for what it should have written."""
    monkeypatch.syspath_prepend(str(WRITER.parent))
    return __import__("journal_writer")


def start_writer(path: Path, first: int, stop: int) -> subprocess.Popen[str]:
    assert unknot.__file__ is not None
    source = str(Path(unknot.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), str(first), str(stop)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    )


def release(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def recalled(writer: ModuleType, path: Path, number: int) -> Run | None:
    with writer.open_journal(path) as journal:
        request: OrderRequest = writer.numbered_run(number).request
        run: Run | None = journal.recall(request)
        return run


def assert_sound(path: Path) -> None:
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kill -9")
def test_a_writer_killed_among_many_runs_leaves_every_recorded_run_readable(
    tmp_path: Path, writer_module: ModuleType
) -> None:
    path = tmp_path / "state" / "journal.sqlite3"
    with start_writer(path, 0, 1_000_000) as process:
        release(process)
        assert process.stdout is not None
        printed = [int(process.stdout.readline()) for _ in range(1000)]
        process.send_signal(signal.SIGKILL)
        # What was in the pipe when it died was recorded too; a last line without its end was not printed completely.
        printed += [int(line) for line in process.stdout.read().split("\n")[:-1]]
    assert process.returncode == -signal.SIGKILL

    with writer_module.open_journal(path) as journal:
        for number in printed:
            expected = writer_module.numbered_run(number)
            assert journal.recall(expected.request) == expected
        following = writer_module.numbered_run(len(printed) + 10)
        journal.record(following)
        assert journal.recall(following.request) == following
    assert_sound(path)


def test_processes_that_make_one_journal_and_write_to_it_at_the_same_time_all_succeed(
    tmp_path: Path, writer_module: ModuleType
) -> None:
    path = tmp_path / "state" / "journal.sqlite3"
    # Each overlaps its neighbour by half, so that rows are replaced by another process too.
    processes = [start_writer(path, 250 * start, 250 * start + 500) for start in range(4)]
    for process in processes:
        release(process)
    for process in processes:
        _, errors = process.communicate(timeout=100)
        assert (process.returncode, errors) == (0, "")

    for number in (0, 249, 250, 700, 1249):
        assert recalled(writer_module, path, number) == writer_module.numbered_run(number)
    with writer_module.open_journal(path) as journal:
        assert all(journal.recall(writer_module.numbered_run(number).request) for number in range(1250))
    assert recalled(writer_module, path, 1250) is None
    assert_sound(path)


def test_a_run_that_one_open_journal_records_is_recalled_by_another(tmp_path: Path, writer_module: ModuleType) -> None:
    path = tmp_path / "journal.sqlite3"
    run = writer_module.numbered_run(5)
    with writer_module.open_journal(path) as one, writer_module.open_journal(path) as other:
        assert other.recall(run.request) is None
        one.record(run)
        assert other.recall(run.request) == run
