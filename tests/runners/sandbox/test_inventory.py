"""What a directory held, and what has become of it."""

import os
import tempfile
from pathlib import Path

import pytest

from unknot.runners.sandbox.inventory import Inventory, remove

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
def inventory(top: Path) -> Inventory:
    inventory = Inventory(top)
    inventory.take()
    return inventory


def changed(inventory: Inventory, top: Path) -> list[str]:
    return [os.path.relpath(path, top) for path in inventory.changed()]


def test_nothing_changes_by_itself(inventory: Inventory, top: Path) -> None:
    (top / "a").read_text()
    assert changed(inventory, top) == []


def test_a_change_of_content_cannot_be_hidden(inventory: Inventory, top: Path) -> None:
    (top / "a").write_text("TEXT")
    os.utime(top / "a", (1_000_000_000, 1_000_000_000))
    assert changed(inventory, top) == ["a"]


def test_new_gone_moved_and_locked(inventory: Inventory, top: Path) -> None:
    (top / "new").mkdir()
    (top / "new" / "inner").write_text("")
    (top / "b").unlink()
    (top / "d" / "c").chmod(0o600)
    (top / "link").unlink()
    (top / "link").symlink_to("b")
    (top / "d" / "e").chmod(0o700)
    assert changed(inventory, top) == ["b", "d/c", "d/e", "link", "new"]


@pytest.mark.parametrize("mode", [0o000, 0o100, 0o400, 0o600])
def test_a_directory_that_its_owner_may_not_use_is_told(mode: int) -> None:
    myself = os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        # Permissions do not bind root.
        owner = myself or _NOBODY
        os.chown(directory, owner, -1)
        os.seteuid(owner)
        try:
            top = Path(directory)
            (top / "d").mkdir()
            (top / "d" / "c").write_text("text")
            inventory = Inventory(top)
            inventory.take()
            (top / "d").chmod(mode)
            assert changed(inventory, top) == ["d"]
        finally:
            os.seteuid(myself)


def test_a_file_in_the_place_of_another(inventory: Inventory, top: Path) -> None:
    os.rename(top / "a", top / "x")
    os.rename(top / "b", top / "a")
    os.rename(top / "x", top / "b")
    assert changed(inventory, top) == ["a", "b"]


def test_a_directory_that_vanishes_is_told_once(inventory: Inventory, top: Path) -> None:
    remove(str(top / "d"))
    assert changed(inventory, top) == ["d"]


def test_the_directory_itself_is_there_again(inventory: Inventory, top: Path) -> None:
    remove(str(top))
    assert changed(inventory, top) == ["a", "b", "d", "link"]
    remove(str(top))
    top.symlink_to("/")
    assert changed(inventory, top) == ["a", "b", "d", "link"]
    assert not top.is_symlink()


def test_names_that_a_copy_usually_links_are_seen_when_tests_make_them(inventory: Inventory, top: Path) -> None:
    for name in (".git", "node_modules", "venv"):
        (top / name).mkdir()
    (top / "venv" / "pyvenv.cfg").write_text("")
    assert changed(inventory, top) == [".git", "node_modules", "venv"]


def test_byte_code_is_not_looked_at(inventory: Inventory, top: Path) -> None:
    (top / "__pycache__").mkdir()
    (top / "d" / "__pycache__").mkdir()
    assert changed(inventory, top) == []


def test_what_was_put_back_is_clean_again(inventory: Inventory, top: Path) -> None:
    (top / "a").write_text("other")
    (top / "new").write_text("")
    told = inventory.changed()
    assert inventory.settle(told) == str(top / "new")
    (top / "new").unlink()
    (top / "a").write_text("text")
    assert inventory.settle(told) == ""
    assert inventory.changed() == []


def test_remove_takes_away_what_was_locked(tmp_path: Path) -> None:
    inner = tmp_path / "x" / "y"
    inner.mkdir(parents=True)
    (inner / "z").write_text("")
    inner.chmod(0)
    remove(str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()
    remove(str(tmp_path / "x"))
