"""What lies outside the process goes back to its clean state before each order; and when forking is not safe."""

from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.sandbox.working_copy import WorkingCopy
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], Path]
Ask = Callable[..., list[Run]]

MEDDLING = '''
    import os, pathlib, shutil, sqlite3, subprocess, tempfile
    import pytest

    def snapshot(*roots):
        """Everything below, without what Python and pytest keep there for themselves."""
        found = {}
        for root in roots:
            for path in sorted(pathlib.Path(root).rglob("*")):
                if "__pycache__" in path.parts or ".pytest_cache" in path.parts:
                    continue
                what = os.readlink(path) if path.is_symlink() else path.read_text() if path.is_file() else "directory"
                found[str(path)] = (what, path.lstat().st_mode)
        return found

    def check():
        """The project is as it was written, and TMPDIR is empty."""
        found = snapshot(".", tempfile.gettempdir())
        assert {name: what for name, (what, _) in found.items()} == {
            "conftest.py": pathlib.Path("conftest.py").read_text(),
            "data": "directory", "data/a.txt": "a", "data/b.txt": "b", "data/deep": "directory", "data/deep/c.txt": "c",
            "empty": "directory", "link": "data/a.txt", "linked": "data", "pytest.ini": "[pytest]\\n",
            "test_it.py": pathlib.Path("test_it.py").read_text(),
        }
        assert all(mode & 0o200 for _, mode in found.values())

    def creates(): pathlib.Path("new.txt").write_text("x"); os.makedirs("new/deep"); pathlib.Path("new/deep/x").touch()
    def changes(): pathlib.Path("data/a.txt").write_text("changed")
    def appends(): open("data/deep/c.txt", "a").write("more")
    def deletes(): os.remove("data/b.txt"); os.rmdir("empty")
    def deletes_tree(): shutil.rmtree("data")
    def replaces_tree(): shutil.rmtree("data"); os.mkdir("data"); pathlib.Path("data/z").touch()
    def deletes_and_makes_a_file(): shutil.rmtree("data"); pathlib.Path("data").write_text("a file")
    def moves(): os.rename("data/deep", "moved"); shutil.move("data/a.txt", "elsewhere.txt")
    def relinks(): os.remove("link"); os.symlink("nowhere", "link"); os.symlink("x", "another")
    def writes_through_link(): pathlib.Path("link").write_text("through")
    def writes_below_link(): pathlib.Path("linked/new.txt").write_text("below")
    def replaces_link(): os.remove("linked"); os.mkdir("linked")
    def protects(): os.chmod("data/a.txt", 0o400); os.chmod("data", 0o500)
    def uses_a_database():
        connection = sqlite3.connect("x.sqlite3")
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table t (x)")
        connection.commit()
        globals()["held"] = connection
    def uses_tmp():
        tempfile.mkdtemp()
        os.close(tempfile.mkstemp()[0])
    def changes_directory(): os.chdir("data"); pathlib.Path("new.txt").touch()
    def deletes_relative(): os.unlink("a.txt", dir_fd=os.open("data", os.O_RDONLY))
    def shell(): subprocess.run("rm -r data empty; echo x > new; mkdir -p deep/er; chmod 400 link", shell=True)
    def shell_tmp(): subprocess.run("mktemp -d; mktemp", shell=True)
    def crashes(): shutil.rmtree("data"); pathlib.Path("new").touch(); os._exit(1)

    MEDDLERS = [creates, changes, appends, deletes, deletes_tree, replaces_tree, deletes_and_makes_a_file, moves,
                relinks, writes_through_link, writes_below_link, replaces_link, protects, uses_a_database, uses_tmp,
                changes_directory, deletes_relative, shell, shell_tmp, crashes]

    @pytest.mark.parametrize("meddle", MEDDLERS)
    def test_meddle(meddle):
        check()
        meddle()

    def test_check(): check()
'''

PROJECT = {
    "test_it.py": MEDDLING,
    "conftest.py": "",
    "data/a.txt": "a",
    "data/b.txt": "b",
    "data/deep/c.txt": "c",
}


@pytest.fixture
def project(write: Write) -> Path:
    directory = write(PROJECT)
    (directory / "empty").mkdir()
    (directory / "link").symlink_to("data/a.txt")
    (directory / "linked").symlink_to("data")
    return directory


def listing(directory: Path) -> dict[str, object]:
    return {
        str(path.relative_to(directory)): path.read_bytes() if path.is_file() else path.lstat().st_mode
        for path in directory.rglob("*")
    }


def test_a_working_copy_is_as_the_original_before_every_order(project: Path, ask: Ask) -> None:
    before = listing(project)
    with open_suite(Settings(project)) as opened:
        tests = opened.collected.suite.tests
    *meddlers, check = tests
    runs = ask(project, *([test] for test in meddlers), [check], [*meddlers[:1], check])
    wrong = {run.order: run.results[0].story for run in runs[:-1] if run.results[0].outcome not in (Outcome.PASSED,)}
    assert list(wrong) == [(meddlers[-1],)], wrong
    assert runs[len(meddlers) - 1].last is Outcome.CRASHED
    assert runs[-1].last is Outcome.FAILED, "what a test of the same order wrote is there"
    assert listing(project) == before


def test_links_lead_out_of_a_working_copy_to_where_they_did_before(tmp_path: Path) -> None:
    original = tmp_path / "repository" / "part"
    (original / "data").mkdir(parents=True)
    (original / "data" / "own.txt").write_text("mine")
    (tmp_path / "repository" / "shared.txt").write_text("ours")
    links = {
        "data/shared": "../../shared.txt",
        "data/own": "../data/own.txt",
        "absolute": str(tmp_path / "repository" / "shared.txt"),
        "nowhere": "../gone",
    }
    for name, text in links.items():
        (original / name).symlink_to(text)
    working = WorkingCopy.make(original, tmp_path / "elsewhere" / "deep" / "copy")
    for _ in range(2):
        assert (working.copy / "data" / "shared").read_text() == "ours"
        assert (working.copy / "absolute").read_text() == "ours"
        assert (working.copy / "data" / "own").resolve() == working.copy / "data" / "own.txt"
        assert (working.copy / "nowhere").is_symlink()
        (working.copy / "data" / "shared").unlink()
        working.restore_all()


def test_in_place_the_original_is_what_tests_change(write: Write) -> None:
    source = "import os\ndef test_it(): open('new.txt', 'a').write('x')\ndef test_cwd(): assert 0, os.getcwd()"
    directory = write({"test_it.py": source})
    with open_suite(Settings(directory, workdir="shared")) as opened:
        suite = opened.collected.suite
        runs = list(opened.runner.run_orders([OrderRequest(suite.tests), OrderRequest(suite.tests, 1)]))
        assert opened.runner.beyond == [str(directory / "new.txt")]
    assert (directory / "new.txt").read_text() == "xx"
    assert all(str(directory) in run.results[1].story for run in runs)


def test_files_outside_are_reported_and_not_restored(write: Write, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    directory = write({"test_it.py": f"def test_it(): open({str(outside)!r}, 'w').close()"})
    with open_suite(Settings(directory)) as opened:
        list(opened.runner.run_orders([OrderRequest(opened.collected.suite.tests)]))
        assert opened.runner.beyond == [str(outside)]
    assert outside.exists()


def test_what_collecting_writes_is_part_of_the_clean_state(write: Write, ask: Ask) -> None:
    source = """
        import os, pathlib, subprocess, tempfile
        made = tempfile.mkdtemp()
        pathlib.Path(made, "x").write_text("x")
        pathlib.Path("generated.txt").write_text("1")
        def test_a():
            assert pathlib.Path("generated.txt").read_text() == pathlib.Path(made, "x").read_text()[:0] + "1"
            pathlib.Path("generated.txt").write_text("2")
            pathlib.Path(made, "x").unlink()
            subprocess.run("true")
        def test_b(): test_a()
    """
    directory = write({"test_it.py": source})
    runs = ask(directory, *([f"test_it.py::test_{name}"] for name in "abab"), attempts=2)
    assert {run.last for run in runs} == {Outcome.PASSED}
    assert not (directory / "generated.txt").exists()


def test_the_reset_command_runs_before_every_order(write: Write, ask: Ask, tmp_path: Path) -> None:
    state = tmp_path / "state"
    source = f"""
        import os, pathlib
        state = pathlib.Path({str(state)!r} + os.environ["UNKNOT_WORKER"])
        def test_a(): assert state.read_text() == "clean"; state.write_text("a")
        def test_b(): assert state.read_text() == "clean"; state.write_text("b")
    """
    directory = write({"test_it.py": source})
    a, b = "test_it.py::test_a", "test_it.py::test_b"
    runs = ask(directory, [a], [b], [a, b], [b, a], reset=f"printf clean > {state}$UNKNOT_WORKER", workers=2)
    assert [[result.outcome.value for result in run.results] for run in runs] == [
        ["passed"],
        ["passed"],
        ["passed", "failed"],
        ["passed", "failed"],
    ]


def test_a_reset_command_that_fails_is_an_error_that_shows_its_words(write: Write, ask: Ask) -> None:
    directory = write({"test_it.py": "def test_it(): pass"})
    with pytest.raises(RunnerError, match="status 3: no database"):
        ask(directory, reset="echo no database >&2; exit 3")


def test_every_worker_has_a_number_a_copy_and_a_temporary_directory_of_its_own(write: Write, ask: Ask) -> None:
    source = """
        import os, tempfile, time, pytest
        @pytest.mark.parametrize("number", range(4))
        def test_it(number):
            time.sleep(0.2)
            assert 0, (os.environ["UNKNOT_WORKER"], os.getcwd(), tempfile.gettempdir())
    """
    directory = write({"test_it.py": source})
    runs = ask(directory, *([f"test_it.py::test_it[{number}]"] for number in range(4)), workers=2)
    told = {next(line for line in run.results[0].story.splitlines() if "AssertionError" in line) for run in runs}
    assert len(told) == 2


@pytest.mark.parametrize(
    ("conftest", "why"),
    [
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), name='mine', daemon=True).start()",
            "mine",
        ),
        ("import sqlite3\nheld = sqlite3.connect('x.sqlite3')\nheld.execute('create table t (x)')", "x.sqlite3"),
        (
            "import socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
            "client = socket.create_connection(server.getsockname())",
            "network connection",
        ),
        ("", ""),
    ],
    ids=["thread", "database", "connection", "nothing"],
)
def test_a_fresh_process_is_chosen_where_forking_is_not_safe(write: Write, conftest: str, why: str) -> None:
    directory = write({"conftest.py": conftest, "test_it.py": "def test_it(): pass"})
    with open_suite(Settings(directory)) as opened:
        suite = opened.collected.suite
        assert opened.forks is not bool(why)
        assert why in opened.why_fresh
        (run,) = opened.runner.run_orders([OrderRequest(suite.tests)])
    assert run.last is Outcome.PASSED


def test_nothing_is_left_behind(write: Write, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    directory = write({"test_it.py": "import tempfile\ndef test_it(tmp_path): tempfile.mkdtemp()"})
    ask(directory)
    assert list(temporary.iterdir()) == []
