"""`unknot prioritise` as a user meets it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from written_results import write_result

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.report.text.curve import curve_picture

Unknot = Callable[..., subprocess.CompletedProcess[str]]

TESTS = tuple(TestId(f"test_it.py::test_{name}") for name in ("idle", "sets", "needs", "minds", "dirties"))
IDLE, SETS, NEEDS, MINDS, DIRTIES = TESTS


@pytest.fixture
def locked(project: Path) -> None:
    dependencies = Dependencies(
        Suite(TESTS),
        dict.fromkeys(TESTS, Outcome.PASSED),
        {test: 6.0 if test == IDLE else 1.0 for test in TESTS},
        (Need(NEEDS, (SETS,), Proof((SETS, NEEDS), (NEEDS,))),),
        (Conflict(MINDS, (DIRTIES,), (), Proof((MINDS,), (DIRTIES, MINDS))),),
    )
    write_result(project / "unknot.lock.json", dependencies)
    covered = {IDLE: [], NEEDS: ["a", "b", "c"], DIRTIES: ["d", "e", "f", "g"], MINDS: ["a"]}
    (project / "cover.json").write_text(json.dumps(covered))


pytestmark = pytest.mark.usefixtures("locked")


def test_by_coverage_what_covers_most_per_second_comes_first_and_no_dependency_breaks(unknot: Unknot) -> None:
    done = unknot("prioritise", "--coverage", "cover.json", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["by"] == "coverage"
    assert sorted(found["tests"]) == sorted(TESTS)
    assert found["tests"].index(MINDS) < found["tests"].index(DIRTIES)
    assert found["tests"].index(SETS) < found["tests"].index(NEEDS)
    assert found["tests"][-1] == IDLE
    # Before: 3 of 7 after 8 of 10 s, all at the end.
    assert found["area_before"] == pytest.approx(2 * 3 / 7 / 10, abs=1e-6)
    assert found["area"] > 0.6
    assert found["curve"][0] == [0.0, 0.0]
    assert found["curve"][-1] == [1.0, 1.0]


def test_without_coverage_the_structure_counts(unknot: Unknot) -> None:
    done = unknot("prioritise", "--format", "ids")
    assert done.stdout.splitlines()[0] == SETS
    assert unknot("prioritise", "--by", "seconds", "--format", "ids").stdout.splitlines()[-1] == IDLE


def test_the_text_has_both_areas_and_a_picture(unknot: Unknot) -> None:
    done = unknot("prioritise", "--coverage", "cover.json")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("5 tests by coverage: area 0.086 before, 0.")
    assert lines[1] == "elements covered against time, before (·) and after (#):"
    assert lines[2].startswith("100 % |")
    assert "##" in lines[2]
    assert "··" in lines[11]
    assert lines[-1].strip() == IDLE


def test_an_unfinished_detection_leaves_the_reference_order(unknot: Unknot, project: Path) -> None:
    lock = json.loads((project / "unknot.lock.json").read_text())
    (project / "unknot.lock.json").write_text(json.dumps({**lock, "untried": 3}))
    done = unknot("prioritise", "--coverage", "cover.json", "--format", "ids")
    assert done.stdout.splitlines() == list(TESTS)
    assert "only the reference order is known to be safe" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by", "coverage"), "an order by coverage needs coverage data"),
        (("--by", "luck"), "invalid choice: 'luck'"),
        (("--lock", "gone.json"), "gone.json: there is no such file"),
        (("--coverage", "gone"), "gone: no such file"),
    ],
)
def test_bad_input_is_one_line_and_a_hint(unknot: Unknot, arguments: tuple[str, ...], message: str) -> None:
    done = unknot("prioritise", *arguments)
    assert done.returncode in (4, 13)
    first, second = done.stderr.splitlines()
    assert message in first
    assert second.startswith("hint: ")


def test_the_picture_of_two_curves() -> None:
    drawn = curve_picture(((0, 0), (0.5, 0.5), (1, 1)), ((0, 0), (0.25, 1.0), (1, 1)))
    assert drawn[0] == "100 % |" + " " * 14 + "#" * 45 + "+"
    assert drawn[4] == "      |" + " " * 29 + "·" * 30
    assert drawn[9] == "  0 % |" + "+" * 14 + "·" * 15
