"""Files that one test leaves and another finds."""

import contextlib
import dbm.dumb
import mmap
import os
import pathlib
import pickle
import shelve
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from external_recording import RecordedTests, recorded_tests


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path.resolve() / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def recorded(tmp_path: Path, project: Path) -> Iterator[RecordedTests]:
    with recorded_tests(tmp_path / "scratch", project) as made:
        yield made


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Neither the project's nor pytest's scratch."""
    made = tmp_path.resolve() / "elsewhere"
    made.mkdir()
    return made


READS: dict[str, Callable[[Any], object]] = {
    "open": lambda path: path.open().close(),
    "read_bytes": lambda path: path.read_bytes(),
    "os.open": lambda path: os.close(os.open(path, os.O_RDONLY)),
    "open by descriptor": lambda path: open(os.open(path, os.O_RDONLY)).close(),
    "bytes": lambda path: open(os.fsencode(path)).close(),
    "open_code": lambda path: __import__("io").open_code(str(path)).close(),
    "r+": lambda path: open(path, "r+").close(),
    "exists": lambda path: os.path.exists(path),
    "Path.exists": lambda path: path.exists(),
    "isfile": lambda path: os.path.isfile(str(path)),
    "is_file": lambda path: path.is_file(),
    "lexists": lambda path: os.path.lexists(path),
    "stat": lambda path: os.stat(path),
    "lstat": lambda path: os.lstat(path),
    "stat by name": lambda path: os.stat(path=path),
    "access": lambda path: os.access(path, os.R_OK),
    "getsize": lambda path: os.path.getsize(path),
    "relative": lambda path: os.path.exists(os.path.relpath(path)),
    "dots": lambda path: open(path.parent / ".." / path.parent.name / path.name).close(),
    "copy": lambda path: shutil.copy(path, path.parent / "copy"),
    "copied tree": lambda path: shutil.copytree(path.parent, path.parent.parent / "copied"),
    "chdir": lambda path: _go_and_ask(path),
    "hard link": lambda path: os.link(path, path.parent / "link"),
    "rename": lambda path: path.rename(path.parent / "renamed"),
    "remove": lambda path: path.unlink(),
    "chmod": lambda path: path.chmod(0o600),
    "mmap": lambda path: _map(path),
}


def _go_and_ask(path: Path) -> None:
    os.chdir(path.parent)
    assert os.path.exists(path.name)


def _map(path: Path) -> None:
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert mapped[:1]


@pytest.mark.parametrize("how", READS)
def test_a_file_that_was_left_is_read(how: str, recorded: RecordedTests, elsewhere: Path) -> None:
    path = elsewhere / "left.txt"
    with recorded.test("writer"):
        path.write_text("left")
    with recorded.test("reader"):
        READS[how](path)
    assert ("wrote", str(path)) in recorded.did("writer", "file")
    assert ("read", str(path)) in recorded.did("reader", "file")
    assert recorded.stack("writer", "wrote", str(path))[0][0].endswith(("pathlib.py", "_local.py", __file__))
    assert any(frame[0] == __file__ for frame in recorded.stack("reader", "read", str(path)))


@pytest.mark.parametrize("how", ["exists", "Path.exists", "stat", "access", "open", "remove"])
def test_a_file_that_was_removed_is_missed(how: str, recorded: RecordedTests, elsewhere: Path) -> None:
    path = elsewhere / "gone.txt"
    path.write_text("here")
    with recorded.test("remover"):
        path.unlink()
    with recorded.test("reader"), contextlib.suppress(FileNotFoundError):
        READS[how](path)
    assert recorded.did("remover", "file") == {("removed", str(path))}
    assert ("read", str(path)) in recorded.did("reader", "file")
    assert recorded.did("remover", "directory") == {("wrote", str(elsewhere))}


def test_a_read_before_the_write_is_recorded_below_the_roots(recorded: RecordedTests, project: Path) -> None:
    with recorded.test("early"), pytest.raises(FileNotFoundError):
        Path("config.ini").read_text()
    with recorded.test("writer"):
        Path("config.ini").write_text("x")
    assert ("read", str(project / "config.ini")) in recorded.did("early", "file")


def test_what_will_be_left_is_watched_from_the_start(recorded: RecordedTests, elsewhere: Path) -> None:
    path = elsewhere / "later.txt"
    recorded.outside.files.expect(frozenset({str(path)}))
    with recorded.test("early"):
        assert not path.exists()
        assert os.listdir(elsewhere) == []
    assert recorded.did("early", "file") == {("read", str(path))}
    assert recorded.did("early", "directory") == {("read", str(elsewhere))}


def test_a_file_outside_the_roots_that_no_test_left_is_not_recorded(recorded: RecordedTests, elsewhere: Path) -> None:
    path = elsewhere / "old.txt"
    path.write_text("old")
    with recorded.test("reader"):
        path.read_text()
        path.exists()
        os.listdir(elsewhere)
    assert recorded.did("reader", "file") == recorded.did("reader", "directory") == set()
    assert recorded.touched["reader"] == set()


UNDONE: dict[str, Callable[[Any], object]] = {
    "made and removed": lambda path: ((path / "new").write_text("x"), (path / "new").unlink()),
    "the same again": lambda path: (path / "old").write_text("old"),
    "changed and restored": lambda path: (path / "old").write_text("new") and (path / "old").write_text("old"),
    "opened to append": lambda path: open(path / "old", "a").close(),
    "opened to update": lambda path: open(path / "old", "r+").close(),
    "moved to and fro": lambda path: (path / "old").rename(path / "new").rename(path / "old"),
    "replaced by its copy": lambda path: os.replace(shutil.copy(path / "old", path / "new"), path / "old"),
    "a directory made and removed": lambda path: _make_and_remove(path / "a"),
    "a temporary file": lambda path: tempfile.TemporaryFile(dir=path).close(),
    "a named temporary file": lambda path: tempfile.NamedTemporaryFile(dir=path).close(),
    "a temporary directory": lambda path: tempfile.TemporaryDirectory(dir=path).cleanup(),
    "not removed": lambda path: (path / "nothing").unlink(missing_ok=True),
    "mode restored": lambda path: [(path / "old").chmod(mode) for mode in (0o600, 0o644)],
}


def _make_and_remove(path: Path) -> None:
    os.makedirs(path / "b")
    shutil.rmtree(path)


@pytest.mark.parametrize("how", UNDONE)
def test_what_is_undone_was_not_written(how: str, recorded: RecordedTests, elsewhere: Path) -> None:
    (elsewhere / "old").write_text("old")
    (elsewhere / "old").chmod(0o644)
    with recorded.test("tidy"):
        UNDONE[how](elsewhere)
    assert recorded.did("tidy", "file") == recorded.did("tidy", "directory") == set()


CHANGES: dict[str, tuple[Callable[[Any], object], set[tuple[str, str]]]] = {
    "append": (lambda path: _write(path / "old", "a"), {("wrote", "old")}),
    "update": (lambda path: _write(path / "old", "r+"), {("wrote", "old")}),
    "os.open": (lambda path: os.write(os.open(path / "old", os.O_WRONLY), b"XYZ"), {("wrote", "old")}),
    "exclusive": (lambda path: open(path / "new", "x").close(), {("wrote", "new")}),
    "touch": (lambda path: (path / "new").touch(), {("wrote", "new")}),
    "touch again": (lambda path: os.utime(path / "old", (5, 5)), {("wrote", "old")}),
    "chmod": (lambda path: (path / "old").chmod(0o600), {("wrote", "old")}),
    "truncate": (lambda path: os.truncate(path / "old", 1), {("wrote", "old")}),
    "rename": (lambda path: os.rename(path / "old", path / "new"), {("removed", "old"), ("wrote", "new")}),
    "replace": (lambda path: os.replace(path / "other", path / "old"), {("removed", "other"), ("wrote", "old")}),
    "move": (lambda path: shutil.move(path / "old", path / "new"), {("removed", "old"), ("wrote", "new")}),
    "link": (lambda path: os.link(path / "old", path / "new"), {("wrote", "new")}),
    "symlink": (lambda path: os.symlink(path / "old", path / "new"), {("wrote", "new")}),
    "mkdir": (lambda path: os.mkdir(path / "new"), {("wrote", "new")}),
    "makedirs": (lambda path: os.makedirs(path / "a/b"), {("wrote", "a"), ("wrote", "a/b")}),
    "rmtree": (lambda path: shutil.rmtree(path / "tree"), {("removed", "tree"), ("removed", "tree/leaf")}),
    "moved tree": (
        lambda path: os.rename(path / "tree", path / "bush"),
        {("removed", "tree"), ("removed", "tree/leaf"), ("wrote", "bush"), ("wrote", "bush/leaf")},
    ),
    "mkstemp": (lambda path: os.rename(tempfile.mkstemp(dir=path)[1], path / "new"), {("wrote", "new")}),
    "mapped": (lambda path: _map_and_write(path / "old"), {("wrote", "old")}),
    "dbm": (
        lambda path: dbm.dumb.open(str(path / "d"), "c").close(),
        {("wrote", "d.dat"), ("wrote", "d.dir")},
    ),
    "by directory": (lambda path: _open_below(path), {("wrote", "new")}),
}


def _write(path: Path, mode: str) -> None:
    with open(path, mode) as file:
        file.write("NEW")


def _map_and_write(path: Path) -> None:
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[0:1] = b"O"


def _open_below(directory: Path) -> None:
    below = os.open(directory, os.O_RDONLY)
    os.close(os.open("new", os.O_WRONLY | os.O_CREAT, dir_fd=below))
    os.close(below)


@pytest.mark.parametrize("how", CHANGES)
def test_what_is_left_changed(how: str, recorded: RecordedTests, elsewhere: Path) -> None:
    for name in ("old", "other", "tree/leaf"):
        (elsewhere / name).parent.mkdir(exist_ok=True)
        (elsewhere / name).write_text(name)
    work, expected = CHANGES[how]
    with recorded.test("writer"):
        work(elsewhere)
    found = {(did, os.path.relpath(name, elsewhere)) for did, name in recorded.did("writer", "file") if did != "read"}
    assert found == expected
    if any(did == "removed" or name not in ("old", "other") for did, name in expected):
        assert ("wrote", str(elsewhere)) in recorded.did("writer", "directory")
    assert f"file {elsewhere / sorted(expected)[-1][1]}" in recorded.touched["writer"]


def test_shelve_is_recorded(recorded: RecordedTests, elsewhere: Path) -> None:
    with recorded.test("writer"), shelve.open(str(elsewhere / "shelf")) as shelf:
        shelf["key"] = "value"
    with recorded.test("reader"), shelve.open(str(elsewhere / "shelf")) as shelf:
        assert shelf["key"] == "value"
    written = {name for did, name in recorded.did("writer", "file") if did == "wrote"}
    assert written
    assert written & {name for did, name in recorded.did("reader", "file") if did == "read"}


@pytest.mark.parametrize("how", ["listdir", "scandir", "glob", "walk", "iterdir", "here"])
def test_a_listing_is_read(how: str, recorded: RecordedTests, elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(elsewhere)
    ways: dict[str, Callable[[], object]] = {
        "listdir": lambda: os.listdir(elsewhere),
        "scandir": lambda: list(os.scandir(str(elsewhere))),
        "glob": lambda: list(elsewhere.glob("*")),
        "walk": lambda: list(os.walk(elsewhere)),
        "iterdir": lambda: list(elsewhere.iterdir()),
        "here": lambda: os.listdir(),
    }
    with recorded.test("writer"):
        (elsewhere / "new").write_text("x")
    with recorded.test("reader"):
        ways[how]()
    assert recorded.did("writer", "directory") == {("wrote", str(elsewhere))}
    assert ("read", str(elsewhere)) in recorded.did("reader", "directory")


def test_a_link_is_the_same_file(recorded: RecordedTests, elsewhere: Path) -> None:
    (elsewhere / "real").mkdir()
    (elsewhere / "real" / "file").write_text("old")
    (elsewhere / "alias").symlink_to(elsewhere / "real" / "file")
    (elsewhere / "directory").symlink_to("real", target_is_directory=True)
    with recorded.test("writer"):
        (elsewhere / "alias").write_text("new")
    with recorded.test("reader"):
        open(elsewhere / "directory" / "file").close()
    with recorded.test("asker"):
        assert (elsewhere / "alias").exists()
    file = str(elsewhere / "real" / "file")
    assert recorded.did("writer", "file") == {("wrote", file)}
    assert recorded.did("reader", "file") == recorded.did("asker", "file") == {("read", file)}


def test_a_test_does_not_read_what_it_has_written_itself(recorded: RecordedTests, elsewhere: Path) -> None:
    with recorded.test("first"):
        (elsewhere / "file").write_text("first")
    with recorded.test("second"):
        (elsewhere / "file").write_text("second")
        assert (elsewhere / "file").read_text() == "second"
        assert (elsewhere / "file").exists()
    assert recorded.did("second", "file") == {("wrote", str(elsewhere / "file"))}


def test_a_test_that_appends_reads_what_was_there(recorded: RecordedTests, elsewhere: Path) -> None:
    with recorded.test("first"):
        (elsewhere / "file").write_text("first")
    with recorded.test("second"):
        with open(elsewhere / "file", "a") as file:
            file.write("second")
        (elsewhere / "file").read_text()
    assert recorded.did("second", "file") == {(did, str(elsewhere / "file")) for did in ("read", "wrote")}


def test_a_directory_must_be_there_to_write_into_it(recorded: RecordedTests, elsewhere: Path) -> None:
    with recorded.test("maker"):
        (elsewhere / "out").mkdir()
    with recorded.test("user"):
        (elsewhere / "out" / "page.html").write_text("x")
    with recorded.test("another maker"), pytest.raises(FileExistsError):
        os.mkdir(elsewhere / "out")
    assert ("read", str(elsewhere / "out")) in recorded.did("user", "file")
    assert recorded.did("another maker", "file") == {("read", str(elsewhere / "out"))}


def test_a_log_that_is_kept_open_is_written_by_later_tests(recorded: RecordedTests, elsewhere: Path) -> None:
    with recorded.test("opener"):
        log = open(elsewhere / "log", "w")  # noqa: SIM115
    with recorded.test("writer"):
        log.write("line\n")
        log.flush()
    with recorded.test("idle"):
        pass
    log.close()
    assert recorded.did("writer", "file") == {("wrote", str(elsewhere / "log"))}
    assert recorded.did("idle", "file") == set()


def test_what_does_not_count(recorded: RecordedTests, project: Path) -> None:
    with recorded.test("test"):
        for place in ("__pycache__", ".git", ".pytest_cache", ".hypothesis", ".unknot"):
            (project / place).mkdir(exist_ok=True)
            (project / place / "file").write_text("x")
        open("/dev/null", "w").close()
        open("/proc/self/status").close()
    found = {name for _, name in recorded.did("test", "file")}
    assert found <= {str(project / place) for place in (".git", ".pytest_cache", ".hypothesis", ".unknot")}


def test_sources_that_are_imported_or_printed_do_not_count(
    recorded: RecordedTests, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "imported_for_outside.py").write_text("def fail():\n    raise ZeroDivisionError\n")
    monkeypatch.syspath_prepend(str(project))
    with recorded.test("test"):
        import traceback

        import imported_for_outside  # type: ignore[import-not-found]

        with pytest.raises(ZeroDivisionError) as caught:
            imported_for_outside.fail()
        assert "raise ZeroDivisionError" in "".join(traceback.format_exception(caught.value))
    assert recorded.did("test", "file") == recorded.did("test", "directory") == set()


def test_a_module_that_a_test_wrote_is_read_by_its_import(
    recorded: RecordedTests, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(project))
    with recorded.test("writer"):
        (project / "written_for_outside.py").write_text("x = 1\n")
    with recorded.test("reader"):
        import written_for_outside  # type: ignore[import-not-found]  # noqa: F401
    assert ("read", str(project / "written_for_outside.py")) in recorded.did("reader", "file")


def test_reading_a_source_file_in_a_test_counts(recorded: RecordedTests, project: Path) -> None:
    (project / "source.py").write_text("x = 1\n")
    with recorded.test("test"):
        (project / "source.py").read_text()
    assert recorded.did("test", "file") == {("read", str(project / "source.py"))}


def test_questions_are_answered_as_ever(recorded: RecordedTests, elsewhere: Path) -> None:
    """The stand-ins are as good as what they stand for, and go away."""
    originals = {name: getattr(os, name).__wrapped__ for name in ("open",)}
    with recorded.test("writer"):
        (elsewhere / "left").write_text("x")

    class Holder:
        stat: Any = os.stat

    assert os.stat.__wrapped__ is not os.stat  # type: ignore[attr-defined]
    assert Holder().stat(elsewhere / "left").st_size == 1
    for name in ("stat", "open", "access"):
        assert getattr(os, name) in os.supports_dir_fd
    assert os.stat in os.supports_fd
    assert os.stat in os.supports_follow_symlinks
    assert os.access in os.supports_effective_ids
    assert pickle.loads(pickle.dumps(os.stat)) is os.stat
    with pytest.raises(FileNotFoundError) as caught:
        os.stat(elsewhere / "missing")
    assert Path(caught.value.filename) == elsewhere / "missing"
    with pytest.raises(TypeError):
        Holder.stat()
    supported = len(os.supports_dir_fd)
    recorded.outside.close()
    assert os.open is originals["open"]
    assert type(os.stat) is type(len)
    assert len(os.supports_dir_fd) < supported


def test_path_objects_of_the_suite_are_not_called(recorded: RecordedTests, elsewhere: Path) -> None:
    calls = []

    class Odd:
        def __fspath__(self) -> str:
            calls.append(1)
            return str(elsewhere / "left")

    class Mine(type(pathlib.Path())):  # type: ignore[misc]
        pass

    with recorded.test("writer"):
        (elsewhere / "left").write_text("x")
    with recorded.test("odd"):
        assert os.path.exists(Odd())
    with recorded.test("mine"):
        assert os.path.exists(Mine(elsewhere / "left"))
    assert len(calls) == 1
    assert recorded.did("mine", "file") == {("read", str(elsewhere / "left"))}


def test_threads(recorded: RecordedTests, elsewhere: Path) -> None:
    def work(number: int) -> None:
        for turn in range(50):
            (elsewhere / f"{number}-{turn % 5}").write_text(str(turn))
            assert (elsewhere / f"{number}-{turn % 5}").read_text() == str(turn)

    with recorded.test("threads"):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(recorded.did("threads", "file")) == 40


def test_odd_paths_do_no_harm(recorded: RecordedTests) -> None:
    with recorded.test("odd"):
        for path in ("", "\0", "a\0b", b"\xff\xfe", "x" * 5000, "/".join("x" * 900), 10**6):
            works: tuple[Callable[[Any], object], ...] = (
                open,
                os.stat,
                os.listdir,
                os.mkdir,
                os.remove,
                os.path.exists,
            )
            for work in works:
                with contextlib.suppress(OSError, ValueError, TypeError):
                    work(path)
        os.symlink("loop", "loop")
        assert not os.path.exists("loop")
        os.remove("loop")


def test_the_scratch_directory_is_the_test_s_own_unless_it_is_shared(tmp_path: Path, project: Path) -> None:
    """In a real suite: pytest's own directories, with the recorder as a plugin."""
    (project / "conftest.py").write_text(_PLUGIN)
    (project / "test_suite.py").write_text(_SUITE)
    events = tmp_path / "events.jsonl"
    subprocess.run(
        [sys.executable, "-m", "pytest", *_PLAIN, "--basetemp", str(tmp_path / "base")],
        env={
            **os.environ,
            "EVENTS": str(events),
            "SCRATCH": str(tmp_path / "base"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        cwd=project,
        check=True,
        capture_output=True,
    )
    lines = events.read_text().splitlines()
    assert [line for line in lines if "note" in line] == []
    found = {line for line in lines if "base/" in line}
    assert found == {
        "test_own wrote file base/shared0/file",
        "test_own wrote directory base/shared0",
        "test_reader read file base/shared0/file",
    }


_PLAIN = ("-q", "-p", "no:cacheprovider")

_PLUGIN = """
import io, json, os, pytest
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.external import ExternalRecorder
from unknot.recorder.inside.stack import Stacks

text = io.StringIO()
ledger = Ledger(text, Stacks((os.getcwd(),)))
outside = ExternalRecorder(ledger, {"scratch": os.environ["SCRATCH"], "roots": [os.getcwd()]})

@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    outside.begin_test(item.name)
    try:
        return (yield)
    finally:
        outside.end_test()

@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    made = tmp_path_factory.mktemp("shared")
    outside.record_boundary()
    return made

def pytest_unconfigure():
    outside.close()
    base = os.path.dirname(os.environ["SCRATCH"]) + "/"
    with open(os.environ["EVENTS"], "w") as file:
        for line in text.getvalue().splitlines():
            event = json.loads(line)
            if "did" in event:
                name = event["name"].replace(base, "")
                file.write(" ".join((event["test"], event["did"], event["kind"], name)) + "\\n")
            elif "note" in event:
                file.write("note " + event["note"] + "\\n")
"""

_SUITE = """
def test_own(tmp_path, shared):
    (tmp_path / "file").write_text("x")
    (tmp_path / "directory").mkdir()
    assert (tmp_path / "file").exists()
    (shared / "file").write_text("x")

def test_reader(tmp_path, shared):
    (tmp_path / "file").write_text("x")
    assert (shared / "file").read_text() == "x"
"""
