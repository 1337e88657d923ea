"""State outside the working copy: HOME, /tmp and other fixed paths, and the current directory."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="mount namespaces and forks")]

Write = Callable[[dict[str, str]], Path]
Ask = Callable[..., list[Run]]
Content = dict[str, tuple[str, int, int]]


@pytest.fixture(params=["namespaces", "none"], autouse=True)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With mount namespaces, and as where the kernel allows none. Nothing is shared on purpose."""
    monkeypatch.delenv("UNKNOT_SHARED")
    if request.param == "none":
        monkeypatch.setenv("UNKNOT_NO_NAMESPACES", "1")
    return str(request.param)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "home"
    (directory / ".config").mkdir(parents=True)
    (directory / ".config" / "theme").write_text("light")
    (directory / ".shoprc").write_text("as it was")
    monkeypatch.setenv("HOME", str(directory))
    return directory


def content(directory: Path) -> Content:
    return {
        str(path.relative_to(directory)): (
            path.read_text() if path.is_file() else "",
            path.stat().st_mode,
            path.stat().st_mtime_ns,
        )
        for path in sorted([directory, *directory.rglob("*")])
    }


MEDDLING = """
    import os, pathlib, shutil
    HOME = pathlib.Path.home()

    def check():
        assert (HOME / ".shoprc").read_text() == "as it was"
        assert (HOME / ".config" / "theme").read_text() == "light"
        assert sorted(os.listdir(HOME)) == [".config", ".shoprc"]

    def test_reads(): check()
    def test_changes(): check(); (HOME / ".shoprc").write_text("changed")
    def test_adds(): check(); (HOME / "new").mkdir(); (HOME / "new" / "file").touch()
    def test_removes(): check(); os.remove(HOME / ".shoprc"); shutil.rmtree(HOME / ".config")
    def test_replaces(): check(); os.rename(HOME / ".shoprc", HOME / "moved"); (HOME / ".shoprc").write_text("x")
    def test_protects(): check(); os.chmod(HOME / ".shoprc", 0o400)
"""


def test_every_order_finds_home_as_it_was(write: Write, ask: Ask, home: Path) -> None:
    before = content(home)
    directory = write({"test_it.py": MEDDLING})
    names = ["reads", "changes", "adds", "removes", "replaces", "protects"]
    orders = [[f"test_it.py::test_{name}"] for name in names]
    runs = ask(directory, *orders, attempts=2, workers=2)
    assert {(run.order, run.last) for run in runs} == {(tuple(map(TestId, order)), Outcome.PASSED) for order in orders}
    assert content(home) == before


def test_a_conftest_that_writes_home_is_undone_in_the_end(write: Write, ask: Ask, home: Path) -> None:
    before = content(home)
    conftest = "import pathlib\n(pathlib.Path.home() / '.cache').write_text('made')\n"
    source = """
        import pathlib
        CACHE = pathlib.Path.home() / ".cache"
        def test_a(): assert CACHE.read_text() == "made"; CACHE.unlink()
        def test_b(): assert CACHE.read_text() == "made"; CACHE.write_text("other")
    """
    directory = write({"conftest.py": conftest, "test_it.py": source})
    runs = ask(directory, ["test_it.py::test_a"], ["test_it.py::test_b"], attempts=2, workers=2)
    assert {run.last for run in runs} == {Outcome.PASSED}
    assert content(home) == before


def test_siblings_of_the_project_do_not_clash(write: Write, ask: Ask, home: Path) -> None:
    source = """
        import pathlib
        def test_a(): assert not pathlib.Path("../beside").exists(); pathlib.Path("../beside").write_text("x")
        def test_b(): test_a()
    """
    directory = write({"test_it.py": source})
    runs = ask(directory, ["test_it.py::test_a"], ["test_it.py::test_b"], attempts=3)
    assert {run.last for run in runs} == {Outcome.PASSED}
    assert not (directory.parent / "beside").exists()


def test_nothing_outside_is_reported_if_all_is_restored(write: Write, home: Path, mode: str) -> None:
    directory = write({"test_it.py": "import pathlib\ndef test_a(): (pathlib.Path.home() / 'x').touch()"})
    with open_suite(Settings(directory), fork=mode == "fork") as opened:
        list(opened.runner.run_orders([OrderRequest(opened.collected.suite.tests)]))
        assert opened.runner.beyond == []
    assert not (home / "x").exists()


RENEWS = {
    "conftest.py": """
        import os, pathlib
        WORK = pathlib.Path(__file__).parent / "work"
        WORK.mkdir(exist_ok=True)
        os.chdir(WORK)
    """,
    "test_it.py": """
        import os, pathlib, shutil
        WORK = pathlib.Path(__file__).parent / "work"
        def test_first(): pathlib.Path("one").touch(); assert (WORK / "one").exists()
        def test_renew(): shutil.rmtree(WORK); WORK.mkdir(); os.chdir(WORK)
        def test_second(): pathlib.Path("two").touch(); assert (WORK / "two").exists()
        def test_gone(): shutil.rmtree(WORK)
    """,
}


def test_a_test_that_exchanges_its_directory_spoils_no_later_order(write: Write, ask: Ask) -> None:
    orders = [[f"test_it.py::test_{name}"] for name in ("renew", "second", "gone", "first", "renew", "second")]
    runs = ask(write(RENEWS), *orders, attempts=2)
    assert {run.last for run in runs} == {Outcome.PASSED}


def test_a_project_that_is_a_package_is_imported_by_its_own_name(write: Write, ask: Ask) -> None:
    source = "def test_a():\n    assert __name__ == 'project.tests.test_it'"
    directory = write({"__init__.py": "", "tests/__init__.py": "", "tests/test_it.py": source})
    assert ask(directory, ["tests/test_it.py::test_a"])[0].last is Outcome.PASSED


def test_a_suite_with_files_in_home_and_tmp_gives_the_same_right_result_each_time(
    write: Write, home: Path, tmp_path: Path, kind: str
) -> None:
    fixed = f"/tmp/sample-{os.getpid()}-{tmp_path.name}-{kind}.ini"
    bodies = {
        3: "(HOME / '.session').write_text('a')",
        9: "assert (HOME / '.session').read_text() == 'a'",
        15: "FIXED.write_text('x')",
        22: "assert FIXED.exists()",
        30: "assert (HOME / '.config' / 'theme').read_text() == 'light'",
        35: "(HOME / '.config' / 'theme').write_text('dark')",
    }
    tests = [f"def test_{number:02}(): {bodies.get(number, 'pass')}" for number in range(40)]
    head = ["import pathlib", "HOME = pathlib.Path.home()", f"FIXED = pathlib.Path({fixed!r})"]
    directory = write({"test_it.py": "\n".join([*head, *tests])})
    before = content(home)
    words = [sys.executable, "-m", "unknot", "detect", "-q", "-n", "2", "--no-cache", "--no-trace", "--format", "json"]
    results = []
    for _ in range(2):
        done = subprocess.run(words, cwd=directory, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        results.append(json.loads(done.stdout))
    for found in results:
        needs = [(need["dependent"][-2:], [test[-2:] for test in need["any_of"]]) for need in found["needs"]]
        conflicts = [(each["victim"][-2:], [test[-2:] for test in each["polluters"]]) for each in found["conflicts"]]
        assert needs == [("09", ["03"]), ("22", ["15"])]
        assert conflicts == [("30", ["35"])]
        assert found["flaky"] == []
        assert found["complete"]
    assert content(home) == before
    assert not os.path.exists(fixed)
