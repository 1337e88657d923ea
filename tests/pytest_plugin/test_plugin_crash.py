"""Workers that die under `pytest -n N --unknot`: every test still has exactly one verdict."""

import re
from itertools import pairwise

import pytest

from unknot.model.outcome import Outcome

from .conftest import Project

pytestmark = pytest.mark.slow


def chain(project: Project, *, crash_at: int | None, length: int = 6) -> None:
    """Every test needs the one before it; one of them takes its process down."""
    lines = ["import os, state"]
    for number in range(length):
        lines += [f"def test_{number}():", f"    state.ran('t{number}')"]
        if number == crash_at:
            lines.append("    os._exit(9)")
        elif number:
            # A fresh worker has to run what is needed once more.
            lines.append(f"    assert {number - 1 if number - 1 != crash_at else number - 2} in DONE")
        lines.append(f"    DONE.add({number})")
    project.write("test_chain.py", "DONE = set()\n" + "\n".join(lines) + "\n")
    project.write("test_other.py", "import time\ndef test_slow(): time.sleep(1)\ndef test_fast(): pass\n")
    tests = [f"test_chain.py::test_{number}" for number in range(length)]
    needs = {later: first for first, later in pairwise(tests)}
    if crash_at is not None and crash_at + 1 < length:
        needs[f"test_chain.py::test_{crash_at + 1}"] = f"test_chain.py::test_{crash_at - 1}"
    project.lock([*tests, "test_other.py::test_slow", "test_other.py::test_fast"], needs=needs)


def test_a_crash_is_one_failure_and_the_rest_of_the_lane_runs_on_a_fresh_worker(project: Project) -> None:
    chain(project, crash_at=3)
    done = project.pytest("-n2", "--unknot")
    assert done.status == 1
    assert "crashed while running 'test_chain.py::test_3'" in done.text
    assert "1 failed, 7 passed" in done.text
    # The fresh worker began with what test_4 and test_5 need, and those were not reported again.
    assert project.ran["gw2"] == ["t0", "t1", "t2", "t4", "t5"]


def test_the_last_test_of_a_lane_may_crash(project: Project) -> None:
    chain(project, crash_at=5)
    done = project.pytest("-n2", "--unknot")
    assert done.status == 1
    assert "1 failed, 7 passed" in done.text


def test_without_a_replacement_what_was_not_run_is_named_and_the_run_is_red(project: Project) -> None:
    chain(project, crash_at=2)
    done = project.pytest("-n2", "--unknot", "--max-worker-restart=0")
    assert done.status == 1
    match = re.search("unknot: not run, as no worker was left for their lane: ([0-9]+) tests?: ", done.text)
    assert match, done.text
    assert sum(done.counts.values()) + int(match[1]) == 8


def test_a_worker_killed_between_two_tests_costs_no_verdict(project: Project) -> None:
    chain(project, crash_at=None)
    project.write(
        "conftest.py",
        "import os, signal\n"
        "def pytest_runtest_logfinish(nodeid):\n"
        "    if nodeid.endswith('test_2') and os.environ.get('PYTEST_XDIST_WORKER') in ('gw0', 'gw1'):\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n",
    )
    done = project.pytest("-n2", "--unknot")
    assert done.status == 0, done.text
    assert "replacing crashed worker" in done.text
    assert done.counts == {"passed": 8}


def test_a_test_that_crashed_in_the_detection_runs_last(project: Project) -> None:
    chain(project, crash_at=None)
    project.write("test_bomb.py", "import os, state\ndef test_bomb():\n    state.ran('bomb')\n    os._exit(1)\n")
    tests = ["test_bomb.py::test_bomb", *(f"test_chain.py::test_{number}" for number in range(6))]
    needs = {later: first for first, later in pairwise(tests[1:])}
    project.lock(
        [*tests, "test_other.py::test_slow", "test_other.py::test_fast"],
        needs=needs,
        outcomes={tests[0]: Outcome.CRASHED},
    )
    done = project.pytest("-n2", "--unknot")
    assert "1 failed, 8 passed" in done.text
    assert "run last because they ended their process before: 1 test: test_bomb.py::test_bomb" in done.text
    assert all("bomb" not in names[:-1] for names in project.ran.values())


def test_a_prerequisite_that_crashes_only_when_run_again_keeps_its_one_verdict(knotted: Project) -> None:
    bomb = "import os\ndef test_login():\n    if os.environ['PYTEST_XDIST_WORKER'] == 'gw1': os._exit(1)\n"
    knotted.write("test_login.py", bomb + "def test_pollute(): pass\ndef test_clean(): pass\ndef test_victim(): pass\n")
    knotted.write("test_shop.py", "def test_profile(): pass\ndef test_order(): pass\ndef test_free(): pass\n")
    done = knotted.pytest("-n2", "--unknot")
    assert "7 passed" in done.text
    assert done.counts == {"passed": 7}
    assert "unknot: crashed a worker when run again as a prerequisite: test_login.py::test_login" in done.text
