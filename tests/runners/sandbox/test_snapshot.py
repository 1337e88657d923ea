"""Snapshots: what has changed since, and back to what it was."""

import os
import tempfile
from pathlib import Path

import pytest

from unknot.runners.sandbox.snapshot import Snapshot, TimeTrust
from unknot.runners.sandbox.tree import remove

_NOBODY = 65534


@pytest.fixture
def top(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    (top / "d" / "e").mkdir(parents=True)
    for name in ("a", "b", "d/c", "d/e/f"):
        (top / name).write_text("text")
        os.utime(top / name, (1_000_000_000, 1_000_000_000))
    (top / "link").symlink_to("a")
    return top


@pytest.fixture
def snapshot(top: Path, tmp_path: Path) -> Snapshot:
    return taken(top, tmp_path / "kept")


def taken(top: Path, kept: Path) -> Snapshot:
    return Snapshot(top, kept, trust=TimeTrust.ALWAYS, ignored=frozenset({"__pycache__"}))


def test_nothing_changes_by_itself(snapshot: Snapshot, top: Path) -> None:
    (top / "a").read_text()
    assert snapshot.changed() == []


def test_a_change_of_content_cannot_be_hidden(snapshot: Snapshot, top: Path) -> None:
    (top / "a").write_text("TEXT")
    os.utime(top / "a", (1_000_000_000, 1_000_000_000))
    assert snapshot.changed() == ["a"]


def test_new_gone_moved_and_locked(snapshot: Snapshot, top: Path) -> None:
    (top / "new").mkdir()
    (top / "new" / "inner").write_text("")
    (top / "b").unlink()
    (top / "d" / "c").chmod(0o600)
    (top / "link").unlink()
    (top / "link").symlink_to("b")
    (top / "d" / "e").chmod(0o700)
    assert snapshot.changed() == ["b", "d/c", "d/e", "link", "new"]


@pytest.mark.parametrize("mode", [0o000, 0o100, 0o400, 0o600])
def test_a_directory_that_its_owner_may_not_use_is_found(mode: int) -> None:
    myself = os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        # Permissions do not bind root.
        owner = myself or _NOBODY
        os.chown(directory, owner, -1)
        os.seteuid(owner)
        try:
            top = Path(directory) / "top"
            (top / "d").mkdir(parents=True)
            (top / "d").chmod(0o750)
            (top / "d" / "c").write_text("text")
            snapshot = taken(top, top.with_name("kept"))
            (top / "d").chmod(mode)
            assert snapshot.changed() == ["d"]
            (top / "d").chmod(mode)
            snapshot.restore(["d"])
            assert (top / "d").stat().st_mode & 0o777 == 0o750
            assert snapshot.changed() == []
        finally:
            os.seteuid(myself)


def test_a_file_in_the_place_of_another(snapshot: Snapshot, top: Path) -> None:
    os.rename(top / "a", top / "x")
    os.rename(top / "b", top / "a")
    os.rename(top / "x", top / "b")
    assert snapshot.changed() == ["a", "b"]


def test_a_directory_that_vanishes_is_listed_once(snapshot: Snapshot, top: Path) -> None:
    remove(str(top / "d"))
    assert snapshot.changed() == ["d"]


def test_the_directory_itself_is_there_again(snapshot: Snapshot, top: Path) -> None:
    remove(str(top))
    assert snapshot.changed() == ["a", "b", "d", "link"]
    remove(str(top))
    top.symlink_to("/")
    assert snapshot.changed() == ["a", "b", "d", "link"]
    assert not top.is_symlink()


def test_names_that_a_copy_usually_links_are_found_when_tests_make_them(snapshot: Snapshot, top: Path) -> None:
    for name in (".git", "node_modules", "venv"):
        (top / name).mkdir()
    (top / "venv" / "pyvenv.cfg").write_text("")
    assert snapshot.changed() == [".git", "node_modules", "venv"]


def test_byte_code_is_ignored(snapshot: Snapshot, top: Path) -> None:
    (top / "__pycache__").mkdir()
    (top / "d" / "__pycache__").mkdir()
    assert snapshot.changed() == []


def test_what_was_put_back_is_clean_again(snapshot: Snapshot, top: Path) -> None:
    (top / "a").write_text("other")
    (top / "new").write_text("")
    found = snapshot.changed()
    assert found == ["a", "new"]
    snapshot.restore(["a"])
    assert snapshot.changed() == ["new"]
    snapshot.restore(found)
    assert (top / "a").read_text() == "text"
    assert not (top / "new").exists()
    assert snapshot.changed() == []


@pytest.mark.parametrize("names", [["d"], ["d/c", "d/e/f"], ["new/deep/file", "d/e"]])
def test_only_what_is_named_is_restored(snapshot: Snapshot, top: Path, names: list[str]) -> None:
    for name in ("a", "d/c", "d/e/f"):
        (top / name).write_text("other")
    (top / "new" / "deep").mkdir(parents=True)
    (top / "new" / "deep" / "file").write_text("")
    snapshot.restore(names)
    restored = {name for name in ("a", "d/c", "d/e/f") if (top / name).read_text() == "text"}
    assert restored == {name for name in ("d/c", "d/e/f") if any(name.startswith(one) for one in names)}
    assert (top / "new").exists() == ("new/deep/file" not in names)


def test_a_directory_that_became_a_link_is_restored_from_a_name_below_it(
    snapshot: Snapshot, top: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "c").write_text("precious")
    remove(str(top / "d"))
    (top / "d").symlink_to(elsewhere)
    snapshot.restore(["d/c"])
    assert (elsewhere / "c").read_text() == "precious"
    assert (top / "d" / "c").read_text() == "text"
    assert snapshot.changed() == []


def test_remove_takes_away_what_was_locked(tmp_path: Path) -> None:
    inner = tmp_path / "x" / "y"
    inner.mkdir(parents=True)
    (inner / "z").write_text("")
    inner.chmod(0)
    remove(str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()
    remove(str(tmp_path / "x"))
