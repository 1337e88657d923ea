"""Workers that die: every test still has exactly one verdict, and the right one."""

import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from written_results import write_result

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite, TestId
from unknot.runners.protocol import Execution
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[Mapping[str, str]], Path]

MANY = 24
SUITE = f"""
    import os, pathlib, signal, time, pytest
    mark = pathlib.Path(os.environ["MARK"])
    done = []
    def test_sets(): done.append(1)
    @pytest.mark.parametrize("number", range({MANY}))
    def test_many(number):
        mark.with_name("began").touch()
        time.sleep(0.04)
        if number == 7 and mark.exists():
            mark.unlink()
            os.kill(os.getppid() if os.environ["WHO"] == "worker" else os.getpid(), signal.SIGKILL)
            time.sleep(60)
    def test_needs(): assert done
"""
TESTS = (
    TestId("test_it.py::test_sets"),
    *(TestId(f"test_it.py::test_many[{number}]") for number in range(MANY)),
    TestId("test_it.py::test_needs"),
)


def locked(directory: Path) -> None:
    first, last = TESTS[0], TESTS[-1]
    dependencies = Dependencies(
        Suite(TESTS),
        dict.fromkeys(TESTS, Outcome.PASSED),
        dict.fromkeys(TESTS, 0.04),
        (Need(last, (first,), Proof((first, last), (last,))),),
    )
    write_result(directory / "unknot.lock.json", dependencies)


def started(directory: Path, *arguments: str, mark: Path, who: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "unknot", "run", "-n", "2", "--junit-xml", "out.xml", *arguments],
        cwd=directory,
        env={**os.environ, "MARK": str(mark), "WHO": who, "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def verdicts(directory: Path) -> list[tuple[str, bool]]:
    """Each test case of the report, and whether it is good."""
    root = ElementTree.parse(directory / "out.xml").getroot()
    return sorted(
        (case.attrib["name"], not list(case.iter("failure")) + list(case.iter("error")))
        for case in root.iter("testcase")
    )


def all_good() -> list[tuple[str, bool]]:
    return sorted((test.partition("::")[2], True) for test in TESTS)


def workers_of(unknot: int) -> Iterator[int]:
    """The pytest processes that this unknot has started, not what they fork."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", entry, "environ").read_bytes().split(b"\0")
            parent = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if f"UNKNOT_PARENT={unknot}".encode() in environment and parent == str(unknot):
            yield int(entry)


@pytest.mark.parametrize(("mode", "who"), [("fork", "itself"), ("fork", "worker"), ("fresh", "itself")])
def test_a_test_that_kills_its_process_once_costs_no_verdict(write: Write, tmp_path: Path, mode: str, who: str) -> None:
    directory, mark = write({"test_it.py": SUITE}), tmp_path / "mark"
    locked(directory)
    mark.touch()
    process = started(directory, "--runner", mode, mark=mark, who=who)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert not mark.exists(), "it was killed"
    assert verdicts(directory) == all_good()
    assert re.search(r"worker [12] died during test_it.py::test_many\[7\]; \d+ tests of its order run again", output)
    assert "learned" not in output


@pytest.mark.parametrize("mode", ["fork", "fresh"])
def test_workers_that_are_killed_from_outside_cost_no_verdict(write: Write, tmp_path: Path, mode: str) -> None:
    directory = write({"test_it.py": SUITE})
    locked(directory)
    process = started(directory, "--runner", mode, mark=tmp_path / "none")
    while not (tmp_path / "began").exists() and process.poll() is None:
        time.sleep(0.01)
    killed = 0
    while process.poll() is None and killed < 4:
        for worker in sorted(workers_of(process.pid), reverse=bool(killed % 2))[:1]:
            os.kill(worker, signal.SIGKILL)
            killed += 1
        time.sleep(0.25)
    output, _ = process.communicate(timeout=180)
    assert killed
    assert verdicts(directory) == all_good(), output
    assert process.returncode == 0, output


def test_a_test_that_always_kills_its_process_is_crashed_and_its_dependents_are_not_run(
    write: Write, tmp_path: Path
) -> None:
    directory = write({"test_it.py": SUITE.replace("done.append(1)", "os._exit(3)")})
    locked(directory)
    process = started(directory, mark=tmp_path / "none")
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "FAILED test_it.py::test_sets - crashed: left the process with status 3" in output
    assert "1 test not run: its prerequisite test_it.py::test_sets crashed" in output
    assert f"1 failed, {MANY} passed, 1 error" in output
    assert len(verdicts(directory)) == len(TESTS)


FRAGILE = {
    "conftest.py": """
        import os, pathlib
        mark = pathlib.Path(os.environ["MARK"])
        if mark.exists():
            raise ValueError("no second start")
    """,
    "test_it.py": """
        import os, pathlib, signal, time, pytest
        mark = pathlib.Path(os.environ["MARK"])
        @pytest.mark.parametrize("number", range(8))
        def test_many(number):
            time.sleep(0.05)
            own = mark.with_name(f"mark-{number}")
            if str(number) in os.environ["DOOMED"].split() and not own.exists():
                mark.touch()
                own.touch()
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(60)
    """,
}


def test_the_others_go_on_when_a_worker_cannot_be_started_again(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    monkeypatch.setenv("DOOMED", "5")
    seen: list[Execution] = []
    with open_suite(Settings(write(FRAGILE), workers=2), fork=True) as opened:
        tests = opened.collected.suite.tests
        opened.runner.watcher = seen.append
        lanes = [[OrderRequest((test,)) for test in tests[:4]], [OrderRequest((test,)) for test in tests[4:]]]
        runs = list(opened.runner.run_lanes(lanes))
        again = list(opened.runner.run_lanes(lanes))
    assert sorted(run.order for run in runs) == [(test,) for test in tests]
    assert {run.order[0] for run in runs if run.last is Outcome.CRASHED} == {tests[5]}
    assert [execution.test for execution in seen if execution.result.outcome is Outcome.CRASHED] == [tests[5]]
    assert {run.last for run in again} == {Outcome.PASSED}, "all by the worker that lives"


def test_when_no_worker_can_be_started_again_that_is_the_end_with_the_reason(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARK", str(tmp_path / "mark"))
    monkeypatch.setenv("DOOMED", "1 5")
    with open_suite(Settings(write(FRAGILE), workers=2), fork=True) as opened:
        tests = opened.collected.suite.tests
        lanes = [[OrderRequest((test,)) for test in tests[:4]], [OrderRequest((test,)) for test in tests[4:]]]
        with pytest.raises(RunnerError, match="pytest keeps dying") as error:
            list(opened.runner.run_lanes(lanes))
    assert "no second start" in error.value.message


def test_lanes_are_kept_and_orders_that_begin_alike_run_their_beginning_once(write: Write) -> None:
    directory = write({"test_it.py": "\n".join(f"def test_{name}(): pass" for name in "abcdef")})
    seen: list[Execution] = []
    with open_suite(Settings(directory, workers=2), fork=True) as opened:
        a, b, c, d, e, f = opened.collected.suite.tests
        opened.runner.watcher = seen.append
        lanes = [[OrderRequest((a, b, c)), OrderRequest((a, b, d))], [OrderRequest((e, f))]]
        runs = {run.order: run for run in opened.runner.run_lanes(lanes, shares=True)}
        assert sum(run.executed for run in runs.values()) == len(seen) == 6, "a and b run once"
        assert {execution.worker for execution in seen if execution.test in (a, b, c, d)} == {0}
        seen.clear()
        runs = {run.order: run for run in opened.runner.run_lanes(lanes)}
        assert sum(run.executed for run in runs.values()) == len(seen) == 8
        assert len({execution.request for execution in seen}) == 3
        assert all(execution.started <= execution.ended for execution in seen)
