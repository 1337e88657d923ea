"""A file is the old one or the new one."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from unknot.model.errors import StorageError
from unknot.store.atomic import check_link, check_target, write_atomically


def test_the_text_is_written_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new" / "a.json", "ä\n")
    assert (tmp_path / "new" / "a.json").read_bytes() == "ä\n".encode()
    assert [left.name for left in (tmp_path / "new").iterdir()] == ["a.json"]


def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_what_a_killed_process_left_is_removed_and_what_another_writes_now_is_not(tmp_path: Path) -> None:
    old, new = tmp_path / ".unknot-0123.tmp", tmp_path / ".unknot-4567.tmp"
    for path in (old, new):
        path.touch()
    os.utime(old, (1, 1))
    write_atomically(tmp_path / "file", "content")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".unknot-4567.tmp", "file"]


def test_a_link_out_of_its_directory_is_refused_and_one_within_it_is_not(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "out").symlink_to("../elsewhere")
    (project / "within").symlink_to("real")
    check_link(project / "within")
    check_link(project / "none")
    with pytest.raises(StorageError, match="link to"):
        check_link(project / "out")


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_full_disk_leaves_the_old_file_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.json"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match=r"cannot write .*a\.json: No space left") as caught:
        write_atomically(path, "new")
    assert "disk space" in caught.value.hint
    assert path.read_text() == "old"
    assert [left.name for left in tmp_path.iterdir()] == ["a.json"]


def test_a_directory_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    with pytest.raises(StorageError, match=r"a\.json") as caught:
        write_atomically(tmp_path / "a.json", "new")
    assert "name a file" in caught.value.hint
    assert [left.name for left in tmp_path.iterdir()] == ["a.json"]


def test_a_file_for_a_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"a\.json") as caught:
        write_atomically(tmp_path / "file" / "a.json", "new")
    assert caught.value.hint


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_text)
        write_atomically(pipe, "text")
        assert read.result() == "text"
    assert pipe.is_fifo()


def test_a_place_where_no_file_can_be_is_named_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check_target(tmp_path / "new" / "deep" / "a.json")
    check_target(tmp_path / "file")
    for path, why in ((tmp_path, "Is a directory"), (tmp_path / "file" / "a.json", "Not a directory")):
        with pytest.raises(StorageError, match=f"cannot write {path}: {why}"):
            check_target(path)
    assert [left.name for left in tmp_path.iterdir()] == ["file"]
