"""A suite whose own order puts what tests need behind them: `detect` says so, `--fix-order` puts it right."""

import json
import subprocess
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SUITE = """
    done = []
    def test_needs(): assert done
    def test_needs_too(): assert done
    def test_alone(): pass
    def test_sets(): done.append(1)
"""


@pytest.fixture
def detected(write: Write, unknot: Unknot) -> subprocess.CompletedProcess[str]:
    write({"test_it.py": SUITE})
    return unknot("detect")


def test_they_are_reported_and_counted(detected: subprocess.CompletedProcess[str]) -> None:
    assert detected.returncode == 1, detected.stderr
    assert "2 of 4 tests depend on others: 2 brittle (2 fail in suite order)." in detected.stdout
    lines = " ".join(detected.stdout.split())
    assert "brittle, fails in suite order test_it.py::test_needs passes after test_it.py::test_sets" in lines


def test_a_run_leaves_them_alone_unless_it_is_to_fix_the_order(
    detected: subprocess.CompletedProcess[str], unknot: Unknot
) -> None:
    assert detected.returncode == 1
    plain = unknot("run", "-n", "2")
    fixed = unknot("run", "-n", "2", "--fix-order")
    one = unknot("run", "--fix-order", "test_it.py::test_needs")

    assert (plain.returncode, fixed.returncode, one.returncode) == (1, 0, 0), fixed.stdout + one.stdout
    assert "4 passed" in fixed.stdout
    assert "2 passed" in one.stdout


def test_a_plan_says_in_which_order(detected: subprocess.CompletedProcess[str], unknot: Unknot) -> None:
    assert detected.returncode == 1
    plan = json.loads(unknot("plan", "-n", "1", "--fix-order", "--format", "json").stdout)
    (order,) = plan["lanes"]
    assert [test.partition("::")[2] for test in order] == ["test_alone", "test_sets", "test_needs", "test_needs_too"]


def test_a_second_detection_keeps_what_is_known(detected: subprocess.CompletedProcess[str], unknot: Unknot) -> None:
    again = unknot("detect")

    assert again.returncode == 1
    assert "2 brittle (2 fail in suite order)" in again.stdout
