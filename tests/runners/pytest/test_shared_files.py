"""Orders with tests that write files, or start processes that do, share beginnings all the same."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.sandbox.overlays import OFF
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[Mapping[str, str]], Path]

TESTS = """
    import os, pathlib, subprocess, time
    import pytest

    def left():
        return sorted(path.name for path in pathlib.Path(".").glob("left-*"))

    @pytest.mark.parametrize("number", range(12))
    def test_quiet(number): pass

    def test_touches(): subprocess.run(["touch", "left-by-child"], check=True)
    def test_writes(tmp_path):
        pathlib.Path("left-here").write_text("x")
        (tmp_path / "own").write_text("x")
    def test_writes_to_tmp(): pathlib.Path("/tmp/unknots-test-left").write_text("x")
    def test_removes():
        for name in left(): os.remove(name)
    def test_changes_directory(): os.mkdir("left-directory"); os.chdir("left-directory")

    def test_needs_child(): assert "left-by-child" in left()
    def test_needs_file(): assert "left-here" in left()
    def test_shuns_file(tmp_path):
        assert "left-here" not in left()
        assert not list(tmp_path.iterdir())
    def test_shuns_tmp(): assert not os.path.exists("/tmp/unknots-test-left")
    def test_shuns_directory(): assert os.path.basename(os.getcwd()) != "left-directory"
"""
LEAVES_A_PROCESS = """
    import pathlib, subprocess
    import pytest

    def test_starts():
        subprocess.Popen(["sh", "-c", "while sleep 0.02; do echo x >> log; done"], start_new_session=True)
        while not pathlib.Path("log").exists(): pass

    @pytest.mark.parametrize("number", range(4))
    def test_sees(number): assert pathlib.Path("log").exists()
"""


@pytest.fixture(autouse=True)
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def beginnings(tests: Order) -> list[Order]:
    """Each test after each of some beginnings of the suite: branches within branches."""
    places = range(10, len(tests), 2)
    return list(dict.fromkeys((*(one for one in tests[:end] if one != last), last) for end in places for last in tests))


def answered(directory: Path) -> list[Run]:
    with open_suite(Settings(directory, workers=2), fork=True) as opened:
        tests = opened.collected.suite.tests
        # Once, so that it is known who leaves traces.
        list(opened.runner.run_orders([OrderRequest(tests)] * 2))
        return list(opened.runner.run_orders([OrderRequest(order) for order in beginnings(tests)]))


def test_what_a_branch_writes_is_seen_by_no_other(write: Write) -> None:
    runs = answered(write({"test_it.py": TESTS}))
    for run in runs:
        before: list[str] = []
        for test, result in zip(run.order, run.results, strict=True):
            name = test.partition("::")[2]
            assert (result.outcome is Outcome.PASSED) == expected(name, before), (run.order, name)
            before.append(name)


def expected(name: str, before: list[str]) -> bool:
    """Whether the test passes after these, by what they do."""
    moved = "test_changes_directory" in before
    since = before[before.index("test_removes") + 1 :] if "test_removes" in before and not moved else before
    match name:
        case "test_needs_child":
            return "test_touches" in since and not moved
        case "test_needs_file":
            return "test_writes" in since and not moved
        case "test_shuns_file":
            return "test_writes" not in since or moved
        case "test_shuns_tmp":
            return "test_writes_to_tmp" not in before
        case "test_shuns_directory":
            return not moved
    return True


def executed(runs: list[Run]) -> int:
    return sum(run.executed for run in runs)


def test_beginnings_are_run_less_often(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = write({"test_it.py": TESTS.replace("def test_changes_directory(): ", "def changes_directory(): ")})
    with open_suite(Settings(directory), fork=True) as opened:
        if opened.why_shared:
            pytest.skip(f"no namespaces here: {opened.why_shared}")
    with_layers = executed(answered(directory))
    monkeypatch.setenv(OFF, "1")
    assert with_layers < 0.7 * executed(answered(directory))


def test_a_test_that_leaves_a_process_running_shares_nothing(write: Write) -> None:
    directory = write({"test_it.py": LEAVES_A_PROCESS})
    first, *others = (TestId(f"test_it.py::{name}") for name in ("test_starts", *(f"test_sees[{n}]" for n in range(4))))
    requests = [OrderRequest((first, other)) for other in others]
    with open_suite(Settings(directory), fork=True) as opened:
        list(opened.runner.run_orders([OrderRequest((first,))]))
        runs = list(opened.runner.run_orders(requests))
        (alone,) = opened.runner.run_orders([OrderRequest((others[0],))])
    assert [run.executed for run in runs] == [2] * len(requests)
    assert all(run.last is Outcome.PASSED for run in runs)
    assert alone.last is Outcome.FAILED
