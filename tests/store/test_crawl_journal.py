"""The journal of crawls."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from unknot.model.errors import StorageError
from unknot.store.journal.crawl_journal import CrawlJournal, JournalRow


def row(number: int) -> JournalRow:
    return JournalRow(number % 2, number / 10, "/books", f"button/{number}", '{"a": 1}', bytes([number, 0, 255]))


def path_in(directory: Path) -> Path:
    return directory / ".unknot" / "web" / "journal.sqlite"


def test_steps_come_back_in_their_sequence(tmp_path: Path) -> None:
    with CrawlJournal.open(path_in(tmp_path), "one") as journal:
        for number in range(20):
            journal.record(row(number))
    with CrawlJournal.open(path_in(tmp_path), "one") as journal:
        assert list(journal.steps()) == [row(number) for number in range(20)]
        assert journal.step_count() == 20


def test_each_crawl_has_its_own_steps(tmp_path: Path) -> None:
    with CrawlJournal.open(path_in(tmp_path), "one") as one, CrawlJournal.open(path_in(tmp_path), "two") as two:
        for number in range(4):
            (one if number % 2 else two).record(row(number))
        assert list(one.steps()) == [row(1), row(3)]
        assert one.keys() == ["one", "two"]
        one.forget()
        assert one.keys() == ["two"]
        assert list(one.steps()) == []
        assert list(two.steps()) == [row(0), row(2)]
        one.record(row(5))
        assert list(one.steps()) == [row(5)]


def test_the_directory_is_hidden_from_git(tmp_path: Path) -> None:
    CrawlJournal.open(path_in(tmp_path), "one").close()
    assert (tmp_path / ".unknot" / ".gitignore").read_text() == "*\n"


def test_a_step_is_kept_although_the_process_is_killed_at_once(tmp_path: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from unknot.store.journal.crawl_journal import CrawlJournal, JournalRow
journal = CrawlJournal.open(Path({str(path_in(tmp_path))!r}), "one")
journal.record(JournalRow(0, 1.5, "/", "link/Books", "{{}}", b"seen"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    with CrawlJournal.open(path_in(tmp_path), "one") as journal:
        assert [each.action for each in journal.steps()] == ["link/Books"]


def test_a_file_of_another_program_is_left_as_it_was(tmp_path: Path) -> None:
    path_in(tmp_path).parent.mkdir(parents=True)
    for content in (b"not a database at all, but long enough to be one" * 40, b""):
        path_in(tmp_path).write_bytes(content)
        if content:
            with pytest.raises(StorageError) as error:
                CrawlJournal.open(path_in(tmp_path), "one")
            assert error.value.slug == "journal-damaged"
            assert path_in(tmp_path).read_bytes() == content
        else:
            CrawlJournal.open(path_in(tmp_path), "one").close()


@pytest.mark.parametrize(("version", "slug"), [(2, "journal-newer"), (0, "journal-damaged")])
def test_another_format_is_named(version: int, slug: str, tmp_path: Path) -> None:
    CrawlJournal.open(path_in(tmp_path), "one").close()
    connection = sqlite3.connect(path_in(tmp_path))
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    with pytest.raises(StorageError) as error:
        CrawlJournal.open(path_in(tmp_path), "one")
    assert error.value.slug == slug
