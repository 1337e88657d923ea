"""`run` and `plan` with --from-recording: after one recorded run, without a detection."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.store.lock import read_lock

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SUITE = """
    import time
    done = []
    def test_sets(): done.append(1)
    def test_alone(): time.sleep(0.2)
    def test_needs(): time.sleep(0.2); assert done
    def test_beside(): time.sleep(0.2)
    def test_after(): assert not done[1:]; done.append(2)
"""
UNSEEN = """
    import ctypes, time
    c = ctypes.CDLL(None)
    c.getenv.restype = ctypes.c_char_p
    def test_sets(): c.setenv(b"SHOP_MODE", b"open", 1)
    def test_alone(): time.sleep(0.2)
    def test_needs(): time.sleep(0.2); assert c.getenv(b"SHOP_MODE")
    def test_beside(): time.sleep(0.2)
"""


def test_a_run_records_the_suite_once_and_then_runs_it_on_several_lanes(
    write: Write, traced_unknot: Unknot, project: Path
) -> None:
    write({"test_it.py": SUITE})
    done = traced_unknot("run", "--from-recording", "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
    assert "plan: 2 lanes" in done.stdout
    assert "nothing was proved" in done.stderr
    assert "recording what flows" in done.stderr
    assert not (project / "unknot.lock.json").exists(), "nothing was proved, so nothing is claimed"
    again = traced_unknot("run", "--from-recording", "-n", "2")
    assert again.returncode == 0
    assert "recording what flows" not in again.stderr


def test_a_plan_records_the_suite_if_needed(write: Write, traced_unknot: Unknot, project: Path) -> None:
    write({"test_it.py": SUITE})
    done = traced_unknot("plan", "--from-recording", "-n", "2", "-v")
    assert done.returncode == 0, done.stderr
    assert "5 tests on 2 workers" in done.stdout
    assert "nothing was proved" in done.stderr
    assert (project / ".unknot" / "recording.json").exists()


def test_what_the_recorder_cannot_see_is_found_when_it_fails_and_proved(
    write: Write, traced_unknot: Unknot, project: Path
) -> None:
    write({"test_it.py": UNSEEN})
    done = traced_unknot("run", "--from-recording", "-n", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "learned: test_it.py::test_needs needs test_it.py::test_sets" in done.stdout
    lock = read_lock(project / "unknot.lock.json")
    assert [(need.dependent, need.any_of) for need in lock.needs] == [
        ("test_it.py::test_needs", ("test_it.py::test_sets",))
    ]
    assert not lock.complete
    again = traced_unknot("run", "--from-recording", "-n", "4")
    assert again.returncode == 0
    assert "learned" not in again.stdout


def test_a_test_that_really_fails_is_reported_as_failed_and_kept_as_such(
    write: Write, traced_unknot: Unknot, project: Path
) -> None:
    write({"test_it.py": UNSEEN + "    def test_fails(): assert 0\n"})
    done = traced_unknot("run", "--from-recording", "-n", "4")
    assert done.returncode == 1
    assert "1 failed, 4 passed" in done.stdout
    assert read_lock(project / "unknot.lock.json").failing == ("test_it.py::test_fails",)


@pytest.mark.parametrize("text", ["{", '{"format": 99}'])
def test_a_damaged_recording_is_made_again(text: str, write: Write, traced_unknot: Unknot, project: Path) -> None:
    write({"test_it.py": SUITE})
    (project / ".unknot").mkdir()
    (project / ".unknot" / "recording.json").write_text(text)
    done = traced_unknot("run", "--from-recording", "-n", "2")
    assert done.returncode == 0, done.stderr
    assert "the suite is recorded again" in done.stderr


def test_a_recording_of_an_older_suite_costs_time_and_no_verdict(
    write: Write, traced_unknot: Unknot, project: Path
) -> None:
    write({"test_it.py": SUITE})
    traced_unknot("plan", "--from-recording")
    write({"test_it.py": SUITE.replace("test_sets(): done", "test_sets_up(): done").replace("assert done", "assert 1")})
    done = traced_unknot("run", "--from-recording", "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not in the recording" in done.stdout
    write({"test_it.py": SUITE + "    def test_new(): assert done == [1, 2]\n"})
    assert traced_unknot("run", "--from-recording", "-n", "2").returncode == 0


def test_it_needs_a_pytest_suite_and_no_second_source(write: Write, unknot: Unknot) -> None:
    write({"test_it.py": SUITE, "graph.json": "{}"})
    both = unknot("plan", "--from-recording", "--graph", "graph.json")
    assert both.returncode != 0
    assert "options-conflict" in both.stderr
