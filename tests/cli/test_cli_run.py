"""`unknot run`: reports and exits like pytest, in parallel."""

import json
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SUITE = """
    import time, pytest
    done = []
    def test_sets(): done.append(1)
    def test_needs(): time.sleep(0.3); assert done
    def test_needs_too(): time.sleep(0.3); assert done
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


@pytest.fixture(scope="module")
def lock_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What one detect of the suite wrote, for all tests of this file."""
    directory = tmp_path_factory.mktemp("detected")
    (directory / "pytest.ini").write_text("[pytest]\n")
    (directory / "test_it.py").write_text(textwrap.dedent(SUITE))
    done = subprocess.run([sys.executable, "-m", "unknot", "detect", "-q"], cwd=directory, check=False)
    assert done.returncode == 1
    return (directory / "unknot.lock.json").read_text()


@pytest.fixture
def detected(write: Write, project: Path, lock_file: str) -> None:
    write({"test_it.py": SUITE})
    (project / "unknot.lock.json").write_text(lock_file)


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
    letters = next(line for line in done.stdout.splitlines() if set(line) <= set(".sx") and line)
    assert sorted(letters) == list("....sx")


@pytest.mark.usefixtures("detected")
@pytest.mark.parametrize("runner", ["fork", "fresh"])
def test_a_new_test_that_fails_is_shown_with_its_output(
    write: Write, unknot: Unknot, project: Path, runner: str
) -> None:
    write({"test_new.py": FAILING})
    done = unknot("run", "-n", "2", "--junit-xml", "out.xml", "--runner", runner)
    assert done.returncode == 1
    assert "1 tests are not in the lock file" in done.stdout
    assert "FAILED test_new.py::test_fails" in done.stdout
    assert "assert [1, 2] == [3, 4]" in done.stdout
    assert "printed by the test" in done.stdout
    assert "1 failed, 4 passed" in done.stdout
    root = ElementTree.parse(project / "out.xml").getroot()
    (failure,) = root.iter("failure")
    assert "assert [1, 2] == [3, 4]" in (failure.text or "")


@pytest.mark.usefixtures("detected")
def test_a_test_that_crashes_or_hangs_is_told_and_the_others_run(write: Write, unknot: Unknot) -> None:
    write({"test_new.py": "import os, time\ndef test_crashes(): os._exit(0)\ndef test_behind(): pass\n"})
    done = unknot("run", "-n", "2", "--timeout", "20")
    assert done.returncode == 1
    assert "CRASHED test_new.py::test_crashes" in done.stdout
    assert "1 not run" in done.stdout
    assert "4 passed" in done.stdout


@pytest.mark.usefixtures("detected")
def test_selected_tests_run_with_what_they_need_or_not_at_all(unknot: Unknot) -> None:
    done = unknot("run", "--", "-k", "test_sets or test_needs_too")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    done = unknot("run", "--", "-k", "test_needs_too")
    assert done.returncode == 4
    assert "needs test_it.py::test_sets" in done.stderr
    assert unknot("run", "--", "-k", "nothing").returncode == 5


@pytest.mark.usefixtures("detected")
def test_a_test_that_breaks_only_in_the_plan_gets_a_second_chance_and_a_line(
    write: Write, unknot: Unknot, project: Path
) -> None:
    write({"test_it.py": SUITE.replace("def test_alone(): pass", "def test_alone(): assert len(done) < 2")})
    lock = json.loads((project / "unknot.lock.json").read_text())
    assert unknot("run", "-n", "2").returncode in (0, 1)
    assert json.loads((project / "unknot.lock.json").read_text()) == lock, "run does not write the lock file"
