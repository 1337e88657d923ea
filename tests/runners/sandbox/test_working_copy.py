"""Working copies: back to what they were, and nothing else touched."""

import shutil
from pathlib import Path

import pytest

from unknot.runners.sandbox.working_copy import WorkingCopy


@pytest.fixture
def copied(tmp_path: Path) -> WorkingCopy:
    original = tmp_path / "original"
    (original / "data" / "deep").mkdir(parents=True)
    (original / "data" / "file").write_text("ours")
    (original / "data" / "deep" / "file").write_text("ours")
    (original / "env").mkdir()
    (original / "env" / "pyvenv.cfg").write_text("")
    return WorkingCopy.make(original, tmp_path / "copy")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Files of the user's that no working copy holds."""
    directory = tmp_path / "elsewhere"
    directory.mkdir()
    directory.chmod(0o750)
    (directory / "file").write_text("precious")
    (directory / "another").write_text("precious")
    return directory


@pytest.mark.parametrize("name", ["", "data", "data/deep"])
@pytest.mark.parametrize("is_known", [True, False])
def test_what_lies_behind_a_link_is_not_touched(
    copied: WorkingCopy, elsewhere: Path, name: str, is_known: bool
) -> None:
    place = copied.copy / name
    shutil.rmtree(place)
    place.symlink_to(elsewhere)
    if is_known and name:
        copied.restore([str(place)])
    else:
        copied.restore_all()
    assert sorted(path.name for path in elsewhere.iterdir()) == ["another", "file"]
    assert (elsewhere / "file").read_text() == "precious"
    assert elsewhere.stat().st_mode & 0o777 == 0o750
    assert not place.is_symlink()
    assert (copied.copy / "data" / "deep" / "file").read_text() == "ours"
    assert copied.is_unchanged()


def test_a_link_to_what_is_not_copied_is_put_back_as_a_link(copied: WorkingCopy) -> None:
    link = copied.copy / "env"
    link.unlink()
    link.mkdir()
    copied.restore([str(link)])
    assert link.readlink() == copied.original / "env"
