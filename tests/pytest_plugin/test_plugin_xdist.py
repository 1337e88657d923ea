"""`pytest -n N --unknot`: safe lanes on pytest-xdist's workers, one verdict for each test."""

import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise

import pytest

from unknot.model.outcome import Outcome
from unknot.model.recording import Flow, FlowKind, Location, Recording
from unknot.model.suite import TestId
from unknot.store.lock import read_lock
from unknot.store.recording_file import dumps

from .conftest import KNOTTED, Finished, Project, write_knotted

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lanes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, Mapping[str, list[str]]]:
    """One run on two workers, with what each of them ran; several tests read it."""
    project = write_knotted(Project(tmp_path_factory.mktemp("lanes")))
    done = project.pytest("-n2", "--unknot", "-v")
    return done, project.ran


def test_plain_workers_break_the_suite(knotted: Project) -> None:
    """Not in every run: which worker is free first is chance."""
    runs = (knotted.pytest("-n2", "--dist", "load", "--maxschedchunk", "1").status for _ in range(5))
    assert 1 in runs


def test_lanes_do_not_break_the_suite(lanes: tuple[Finished, Mapping[str, list[str]]]) -> None:
    done, _ = lanes
    assert done.status == 0, done.text
    assert done.counts == {"passed": 7}
    assert "7 passed" in done.text
    assert "unknot: workers run safe lanes, by unknot.lock.json (7 tests, 2 needs, 1 conflict)" in done.text


def test_a_prerequisite_runs_on_both_workers_and_has_one_verdict(
    lanes: tuple[Finished, Mapping[str, list[str]]],
) -> None:
    done, ran = lanes
    holders = [worker for worker, names in ran.items() if "login" in names]
    assert len(holders) == 2, ran
    assert "with 1 prerequisite run again on another worker" in done.text
    assert done.text.count("PASSED test_login.py::test_login") == 1
    assert done.counts == {"passed": 7}


def test_every_worker_runs_its_lane_in_the_order_of_the_plan(
    lanes: tuple[Finished, Mapping[str, list[str]]],
) -> None:
    _, ran = lanes
    place = {test.partition("test_")[2].rpartition("::test_")[2]: number for number, test in enumerate(KNOTTED)}
    for names in ran.values():
        assert [place[name] for name in names] == sorted(place[name] for name in names)


def test_workers_without_a_lane_do_no_harm(knotted: Project) -> None:
    done = knotted.pytest("-n4", "--unknot")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 7}


def test_one_worker_runs_everything(knotted: Project) -> None:
    # test_plugin_order.py has the case without workers.
    done = knotted.pytest("-n1", "--unknot")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 7}


def test_a_real_failure_stays_one_failure(knotted: Project) -> None:
    knotted.write("test_shop.py", "def test_profile(): assert 0\ndef test_order(): pass\ndef test_free(): pass\n")
    done = knotted.pytest("-n2", "--unknot")
    assert done.status == 1
    assert done.counts == {"failure": 1, "passed": 6}


def test_a_prerequisite_that_fails_only_when_run_again_is_reported(knotted: Project) -> None:
    failing_on_gw1 = 'import os\ndef test_login():\n    assert os.environ["PYTEST_XDIST_WORKER"] == "gw0"\n'
    knotted.write(
        "test_login.py", failing_on_gw1 + "def test_pollute(): pass\ndef test_clean(): pass\ndef test_victim(): pass\n"
    )
    knotted.write("test_shop.py", "def test_profile(): pass\ndef test_order(): pass\ndef test_free(): pass\n")
    done = knotted.pytest("-n2", "--unknot")
    assert done.counts == {"passed": 7}
    assert "unknot: failed when run again as a prerequisite on another worker: test_login.py::test_login" in done.text


def test_after_a_failure_x_stops_the_other_worker_too(project: Project) -> None:
    slow = "".join(
        f"def test_{number}():\n    import time, state\n    state.ran('slow{number}')\n    time.sleep(0.2)\n"
        for number in range(40)
    )
    project.write("test_a.py", "def test_bad():\n    assert 0\n")
    project.write("test_b.py", slow)
    tests = [f"test_b.py::test_{number}" for number in range(40)]
    project.lock(["test_a.py::test_bad", *tests], needs={later: first for first, later in pairwise(tests)})
    done = project.pytest("-n2", "--unknot", "-x")
    assert done.status != 0
    assert sum(map(len, project.ran.values())) < 35, project.ran


def test_the_plan_wins_over_other_ways_to_distribute(knotted: Project) -> None:
    knotted.write(
        "conftest.py",
        "def pytest_collection_modifyitems(items):\n    import pytest\n"
        "    for item in items: item.add_marker(pytest.mark.xdist_group('one'))\n",
    )
    for way in ("loadgroup", "worksteal"):
        done = knotted.pytest("-n2", "--unknot", "--dist", way)
        assert done.status == 0, done.text
        assert "2 lanes" in done.text
        assert done.counts == {"passed": 7}


def test_sending_each_test_everywhere_is_refused(knotted: Project) -> None:
    done = knotted.pytest("-n2", "--unknot", "--dist", "each")
    assert done.status == 4
    assert "use only one of the two" in done.text


def test_workers_that_collect_different_tests_are_reported(knotted: Project) -> None:
    knotted.write(
        "test_odd.py",
        "import os\nif os.environ.get('PYTEST_XDIST_WORKER') == 'gw0':\n    def test_only_here(): pass\n",
    )
    done = knotted.pytest("-n2", "--unknot")
    assert done.status != 0
    assert "Different tests were collected between gw" in done.text


WRITES_THE_SAME_FILE = """\
import pathlib, time

def write(name):
    path = pathlib.Path("same")
    assert not path.exists()
    path.write_text(name)
    time.sleep(0.5)
    assert path.read_text() == name

def test_one(): write("one")
def test_two(): write("two")
"""
BOTH = ("test_files.py::test_one", "test_files.py::test_two")


def test_workers_have_files_of_their_own(project: Project) -> None:
    project.write("test_files.py", WRITES_THE_SAME_FILE)
    project.lock(BOTH)
    done = project.pytest("-n2", "--unknot")
    assert done.status == 0, done.text
    assert not (project.directory / "same").exists()


def test_workers_that_must_share_files_are_refused_where_tests_do(project: Project) -> None:
    project.write("test_files.py", WRITES_THE_SAME_FILE)
    project.lock(BOTH)
    one, two = map(TestId, BOTH)
    flow = Flow(FlowKind.READ_AFTER_WRITE, one, two, Location("file", "same"))
    (project.directory / ".unknot").mkdir(exist_ok=True)
    (project.directory / ".unknot" / "recording.json").write_text(dumps(Recording((one, two), {}, flows=(flow,))))
    done = project.pytest("-n2", "--unknot", UNKNOT_NO_NAMESPACES="1")
    assert done.status == 4, done.text
    assert "workers would share files (UNKNOT_NO_NAMESPACES is set), and 1 test finds" in done.text


def test_the_command_of_the_summary_finds_what_the_lock_file_lacks(project: Project) -> None:
    project.write(
        "test_user.py",
        "import state\ndef test_enters(): state.user = 'ann'\ndef test_is_there(): assert state.user\n",
    )
    tests = ["test_user.py::test_enters", "test_user.py::test_is_there"]
    project.lock(tests)
    done = project.pytest("-n2", "--unknot")
    assert done.status == 1
    assert "unknot: passed in suite order before: " in done.text
    (command,) = re.findall("unknot:   unknot (blame .*)", done.text)
    words = [sys.executable, "-m", "unknot", *shlex.split(command), "--no-reason"]
    subprocess.run(words, cwd=project.directory, check=False, capture_output=True)
    done = project.pytest("-n2", "--unknot")
    assert done.status == 0, done.text
    assert {need.any_of[0] for need in read_lock(project.directory / "unknot.lock.json").needs} == {TestId(tests[0])}


def test_a_failure_that_has_nothing_to_do_with_others_gets_the_command_too(project: Project) -> None:
    project.write("test_files.py", "def test_one(): assert False\ndef test_two(): pass\n")
    project.lock(BOTH)
    done = project.pytest("-n2", "--unknot")
    assert done.status == 1
    assert "unknot: passed in suite order before: 1 test: test_files.py::test_one" in done.text
    assert "unknot blame test_files.py::test_one --log .unknot/failed-run.log --save" in done.text


def test_a_failure_that_was_there_before_is_not_mentioned(project: Project) -> None:
    project.write("test_files.py", "def test_one(): assert False\ndef test_two(): pass\n")
    project.lock(BOTH, outcomes={BOTH[0]: Outcome.FAILED})
    done = project.pytest("-n2", "--unknot")
    assert done.status == 1
    assert "in suite order before" not in done.text
