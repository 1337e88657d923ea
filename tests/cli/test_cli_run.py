"""`unknot run`: reports and exits like pytest, in parallel."""

import argparse
import itertools
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unknot.app.run.scope import _without_paths
from unknot.cli.options import shard
from unknot.store.lock import read_lock
from unknot.store.run_times import read_run_times

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SUITE = """
    import time, pytest
    done = []
    def test_sets(): done.append(1)
    def test_needs(): time.sleep(0.1); assert done
    def test_needs_too(): time.sleep(0.1); assert done
    def test_alone(): pass
    def test_skipped(): pytest.skip("not today")
    @pytest.mark.xfail
    def test_xfailed(): assert False
"""
FAILING = """
    def test_fails():
        print("printed by the test")
        assert [1, 2] == [3, 4]
"""


@pytest.fixture
def lock_file(detected_once: Callable[..., Any]) -> str:
    """What one detection of the suite wrote, for all tests of this file."""
    known = detected_once({"test_it.py": SUITE}, "--no-trace", "-q")
    assert known.done.returncode == 1
    return str((known.directory / "unknot.lock.json").read_text())


@pytest.fixture
def detected(write: Write, project: Path, lock_file: str) -> None:
    write({"test_it.py": SUITE})
    (project / "unknot.lock.json").write_text(lock_file)


@pytest.mark.usefixtures("detected")
def test_a_suite_for_which_workers_are_too_slow_runs_in_one_process(unknot: Unknot, project: Path) -> None:
    """Known from a first run, by workers."""
    unknot("run", "-n", "2")
    done = unknot("run", "--junit-xml", "out.xml", PYTHONUNBUFFERED="1")
    assert done.returncode == 0, done.stdout
    assert "one process, in suite order: predicted" in done.stderr
    assert "4 passed, 1 skipped, 1 xfailed in" in done.stdout
    assert len(list(ElementTree.parse(project / "out.xml").iter("testcase"))) == 6


@pytest.mark.usefixtures("detected")
def test_a_green_suite_is_green_in_parallel_and_every_test_is_reported_once(unknot: Unknot, project: Path) -> None:
    done = unknot("run", "-n", "2", "--junit-xml", "out.xml", "--durations", "2")
    assert done.returncode == 0, done.stdout
    assert "4 passed, 1 skipped, 1 xfailed" in done.stdout
    assert "test_needs" in done.stdout, "the slowest tests are shown"
    root = ElementTree.parse(project / "out.xml").getroot()
    assert sorted(case.attrib["name"] for case in root.iter("testcase")) == sorted(
        ["test_sets", "test_needs", "test_needs_too", "test_alone", "test_skipped", "test_xfailed"]
    )
    assert re.search(r"^[.sx]{6} +\[100%\]$", done.stdout, re.MULTILINE)


@pytest.mark.usefixtures("detected")
@pytest.mark.parametrize("runner", ["fork", "fresh"])
def test_a_new_test_that_fails_is_shown_with_its_output(
    write: Write, unknot: Unknot, project: Path, runner: str
) -> None:
    write({"test_new.py": FAILING})
    done = unknot("run", "-n", "2", "--junit-xml", "out.xml", "--runner", runner)
    assert done.returncode == 1
    assert "1 test not in the lock file" in done.stdout
    assert ": test_new.py::test_fails" in done.stdout
    assert "FAILED test_new.py::test_fails" in done.stdout
    assert "assert [1, 2] == [3, 4]" in done.stdout
    assert "printed by the test" in done.stdout
    assert "1 failed, 4 passed" in done.stdout
    root = ElementTree.parse(project / "out.xml").getroot()
    (failure,) = root.iter("failure")
    assert "assert [1, 2] == [3, 4]" in (failure.text or "")


@pytest.mark.usefixtures("detected")
def test_ids_that_look_like_markup_are_shown_as_they_are(write: Write, unknot: Unknot) -> None:
    source = """
        import pytest

        @pytest.mark.parametrize("text", ["[/--/]", "[bold]"])
        def test_fails(text): assert False
    """
    write({"test_new.py": source})
    done = unknot("run", "-n", "2", "test_new.py")
    assert done.returncode == 1
    assert "FAILED test_new.py::test_fails[[/--/]]" in done.stdout
    assert "test_fails[[bold]] ____" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("detected")
def test_more_workers_than_tests_are_not_started(unknot: Unknot) -> None:
    done = unknot("run", "-n", "1000")
    assert "passed" in done.stdout, done.stderr


@pytest.mark.usefixtures("detected")
def test_a_test_that_crashes_or_hangs_is_reported_and_the_others_run(write: Write, unknot: Unknot) -> None:
    write({"test_new.py": "import os, time\ndef test_crashes(): os._exit(0)\ndef test_behind(): pass\n"})
    done = unknot("run", "-n", "2", "--timeout", "20")
    assert done.returncode == 1
    assert "FAILED test_new.py::test_crashes - crashed: left the process with status 0" in done.stdout
    assert "1 failed, 5 passed" in done.stdout


@pytest.mark.usefixtures("detected")
def test_chosen_tests_run_with_what_they_need(unknot: Unknot) -> None:
    done = unknot("run", "--", "-k", "test_sets or test_needs_too")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    assert "added" not in done.stdout
    for chosen in (
        ["--", "-k", "test_needs_too"],
        ["test_it.py::test_needs_too"],
        ["--", "-v", "test_it.py::test_needs_too"],
    ):
        done = unknot("run", *chosen)
        assert done.returncode == 0, done.stdout
        assert "1 test was added as prerequisites: test_it.py::test_sets" in done.stdout
        assert "2 passed" in done.stdout
        assert "not collected" not in done.stdout, "what was not chosen is no news"
    assert unknot("run", "--", "-k", "nothing").returncode == 5


def test_tests_named_among_options_for_pytest_are_distinguished_from_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "pytest.ini", "ids.txt"):
        (tmp_path / name).touch()
    given = [
        "-c",
        "pytest.ini",
        "a.py::test_x[a::b]",
        "-x",
        "a.py::test_y",
        "--tb=short",
        "a.py",
        "@ids.txt",
        "-k",
        "a",
    ]
    assert list(_without_paths(given, Path.cwd())) == ["-c", "pytest.ini", "-x", "--tb=short", "-k", "a"]


def test_what_is_needed_is_found_from_a_directory_below_the_root(
    write: Write, unknot_in: Unknot, project: Path, lock_file: str
) -> None:
    write({"tests/test_it.py": SUITE})
    (project / "unknot.lock.json").write_text(lock_file.replace("test_it.py", "tests/test_it.py"))
    done = unknot_in(project / "tests", "run", "--lock", "../unknot.lock.json", "test_it.py::test_needs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "added as prerequisites: tests/test_it.py::test_sets" in done.stdout


@pytest.mark.usefixtures("detected")
def test_removed_and_renamed_tests_are_reported_and_their_dependents_run_in_suite_order(
    write: Write, unknot: Unknot
) -> None:
    write({"test_it.py": SUITE.replace("test_sets", "test_prepares").replace("def test_alone(): pass", "")})
    done = unknot("run", "-n", "2")
    assert done.returncode == 0, done.stdout
    assert "1 test not in the lock file" in done.stdout
    assert "test_it.py::test_prepares" in done.stdout
    assert "2 tests whose prerequisites no longer exist" in done.stdout
    assert "2 tests of the lock file, not collected now: test_it.py::test_sets, test_it.py::test_alone" in done.stdout
    assert "3 passed, 1 skipped, 1 xfailed" in done.stdout


@pytest.mark.usefixtures("detected")
def test_an_unreadable_lock_file_stops_with_what_to_do(unknot: Unknot, project: Path) -> None:
    (project / "unknot.lock.json").write_text('{"format": 1, ')
    done = unknot("run")
    assert done.returncode == 13
    assert "unknot.lock.json: not JSON" in done.stderr
    assert "hint: run unknot detect again" in done.stderr
    assert done.stdout == ""


@pytest.mark.usefixtures("detected")
def test_the_real_times_of_a_run_are_kept(unknot: Unknot, project: Path) -> None:
    assert unknot("run", "-n", "2").returncode == 0
    times = read_run_times(project / ".unknot" / "last-run.json")
    assert len(times.timeline) == 2
    ran = [slot.test for lane in times.timeline for slot in lane]
    assert set(ran) == set(read_lock(project / "unknot.lock.json").suite.tests)
    for lane in times.timeline:
        assert [slot.start for slot in lane] == sorted(slot.start for slot in lane)
        assert all(before.end <= after.start for before, after in itertools.pairwise(lane)), "one test at a time"
        assert all(slot.outcome is not None for slot in lane)
    slow = [slot for lane in times.timeline for slot in lane if slot.test == "test_it.py::test_needs"]
    assert all(slot.end - slot.start > 0.09 for slot in slow)
    assert times.predicted_seconds > 0.25


@pytest.mark.usefixtures("detected")
def test_a_state_directory_that_cannot_be_written_does_not_spoil_a_run(unknot: Unknot, project: Path) -> None:
    (project / "taken").write_text("a file")
    done = unknot("run", "-n", "1", "--state-dir", "taken")
    assert done.returncode == 0, done.stderr
    assert "the times of this run are not kept" in done.stderr


@pytest.mark.parametrize("given", ["0/6", "7/6", "x", "2", "1/0", "-1/2", "1/2/3", "1/", "/2", "²/3"])
def test_a_wrong_shard_is_reported(given: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"must be like 2/6, the second of six, not"):
        shard(given)
    assert shard("2/6") == (2, 6)


@pytest.mark.usefixtures("detected")
def test_shards_together_run_every_test_and_new_ones_go_to_the_last(
    write: Write, unknot: Unknot, project: Path
) -> None:
    done = unknot("run", "--shard=0/6")
    assert done.returncode == 4
    assert "must be like 2/6, the second of six, not '0/6'" in done.stderr
    done = unknot("run", "-n", "1", "--shard", "9/9")
    assert (done.returncode, "shard 9/9 is empty: there are fewer tests than shards" in done.stdout) == (0, True)

    write({"test_new.py": "def test_new(): pass\n"})
    ran = []
    for number in (1, 2):
        done = unknot("run", "-n", "1", "--shard", f"{number}/2", "--junit-xml", "out.xml", "--frozen")
        assert done.returncode == 0, done.stdout + done.stderr
        ran.append({case.attrib["name"] for case in ElementTree.parse(project / "out.xml").getroot().iter("testcase")})
    assert ran[0] | ran[1] == {
        *("test_sets", "test_needs", "test_needs_too", "test_alone", "test_skipped", "test_xfailed", "test_new")
    }
    assert "test_new" in ran[1] - ran[0]


@pytest.mark.usefixtures("detected")
@pytest.mark.parametrize("maker", ["greedy", "closures", "prefix-tree", "optimal"])
@pytest.mark.parametrize("runner", ["fork", "fresh"])
def test_the_plan_of_every_maker_is_run_as_it_is(unknot: Unknot, project: Path, maker: str, runner: str) -> None:
    done = unknot("run", "-n", "2", "--planner", maker, "--runner", runner, "--no-repair")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed, 1 skipped, 1 xfailed" in done.stdout
    times = read_run_times(project / ".unknot" / "last-run.json")
    assert {slot.test for lane in times.timeline for slot in lane} == set(
        read_lock(project / "unknot.lock.json").suite.tests
    )
    assert times.maker == maker
