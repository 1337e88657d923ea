"""Files that are kept before they change are put back as they were."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.runners.sandbox import originals
from unknot.runners.sandbox.originals import Originals, SharedPlaces


def shown(top: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(top.rglob("*")):
        what = os.readlink(path) if path.is_symlink() else path.read_text() if path.is_file() else ""
        found[str(path.relative_to(top))] = (what, path.lstat().st_mode)
    return found


def _write(path: Path) -> None:
    path.write_text("changed")


def _remove_tree(path: Path) -> None:
    shutil.rmtree(path)


OPERATIONS: dict[str, Callable[[Path], object]] = {
    "write": _write,
    "remove": os.remove,
    "make": os.mkdir,
    "unmake": os.rmdir,
    "remove tree": _remove_tree,
    "link": lambda path: os.symlink("elsewhere", path),
    "protect": lambda path: os.chmod(path, 0o700),
    "move": lambda path: os.rename(path, path.with_name("moved")),
}
NAMES = ("file", "kept", "kept/file", "kept/deep", "kept/deep/file", "link", "new", "new/file", "moved")


@settings(max_examples=200)
@given(st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), st.sampled_from(NAMES)), max_size=8))
def test_whatever_was_done_is_undone(steps: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        top, kept = Path(directory, "top"), Path(directory, "originals")
        (top / "kept" / "deep").mkdir(parents=True)
        for name in ("file", "kept/file", "kept/deep/file"):
            (top / name).write_text(name)
        (top / "link").symlink_to("file")
        before = shown(top)
        found = Originals(str(kept))
        for operation, name in steps:
            path = top / name
            if path.is_symlink():
                found.keep(os.path.realpath(path), is_whole=False)
            found.keep(str(path), is_whole=operation in ("remove tree", "move"))
            if operation == "move":
                found.keep(str(path.with_name("moved")), is_whole=True)
            try:
                OPERATIONS[operation](path)
            except OSError:
                continue
        _, lost = found.restore()
        assert lost == []
        assert shown(top) == before
        assert not kept.exists()


def test_what_is_too_large_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(originals, "_MOST_BYTES", 3)
    large = tmp_path / "large"
    large.write_text("1234")
    found = Originals(str(tmp_path / "originals"))
    found.keep(str(large), is_whole=False)
    large.write_text("")
    _, lost = found.restore()
    assert lost == [str(large)]


def test_which_places_all_workers_share() -> None:
    places = SharedPlaces("/home/me/unknot-1", ["/home/me", "/tmp"], ["/tmp/mounted"], ["/srv/reports"])
    assert SharedPlaces.from_text(places.to_text()).has("/srv/file")
    assert places.has("/tmp/mounted/file")
    assert not places.has("/tmp/file")
    assert not places.has("/home/me/unknot-1/file")
    assert not places.has("/srv/reports/file")
