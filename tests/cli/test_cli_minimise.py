"""`unknot minimise` as a user meets it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from written_results import write_result

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SUITE = """
    state = []
    def test_sets(): state.append("set")
    def test_slow(): pass
    def test_needs(): assert "set" in state
    def test_dirties(): state.append("dirt")
    def test_cleans(): state[:] = [x for x in state if x != "dirt"]
    def test_minds(): assert "dirt" not in state
    def test_more[ a ](): pass
"""
NAMES = ("sets", "slow", "needs", "dirties", "cleans", "minds", "extra[a, b]")
TESTS = tuple(TestId(f"test_it.py::test_{name}") for name in NAMES)
SETS, SLOW, NEEDS, DIRTIES, CLEANS, MINDS, EXTRA = TESTS


@pytest.fixture
def locked(project: Path, write: Write) -> None:
    proof = Proof((SETS, NEEDS), (NEEDS,))
    dependencies = Dependencies(
        Suite(TESTS),
        dict.fromkeys(TESTS, Outcome.PASSED),
        {test: 5.0 if test == SLOW else 1.0 for test in TESTS},
        (Need(NEEDS, (SETS,), proof),),
        (Conflict(MINDS, (DIRTIES,), (CLEANS,), Proof((MINDS,), (DIRTIES, MINDS))),),
    )
    write_result(project / "unknot.lock.json", dependencies)
    covered = {SLOW: ["a", "b"], NEEDS: ["a", "b", "c"], DIRTIES: ["d"], MINDS: ["e"], EXTRA: ["a"]}
    (project / "cover.json").write_text(json.dumps({"tests": covered, "elements": ["a", "nobody"]}))
    suite = SUITE.replace("def test_more[ a ](): pass", "import pytest\n    @pytest.mark.parametrize('x', ['a, b'])\n")
    write({"test_it.py": suite + "    def test_extra(x): pass\n"})


pytestmark = pytest.mark.usefixtures("locked")


def test_the_text_says_what_stays_what_goes_how_good_it_is_and_how_to_run_it(unknot: Unknot) -> None:
    done = unknot("minimise", "--coverage", "cover.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "5 of 7 tests cover all 5 elements in 5.00 of 11.00 s (45%)",
        "  quality            proven: nothing cheaper covers as much",
        f"  kept               {SETS}",
        *(f"{'':21}{test}" for test in (NEEDS, DIRTIES, CLEANS, MINDS)),
        f"  dropped            {SLOW}",
        f"{'':21}{EXTRA}",
        "  run it with        unknot minimise --coverage cover.json --format ids -o kept.txt && pytest @kept.txt",
    ]
    assert "2 tests of the lock file without coverage, dropped unless kept or needed" in done.stderr
    assert "1 element of 6 covered by no test, ignored: nobody" in done.stderr


def test_what_stays_is_green_by_itself_under_plain_pytest_and_under_unknot(unknot: Unknot, project: Path) -> None:
    done = unknot("minimise", "--coverage", "cover.json", "--keep", "*extra*", "--format", "ids", "-o", "kept.txt")
    assert (done.returncode, done.stdout) == (0, "")
    assert (project / "kept.txt").read_text().splitlines() == [SETS, NEEDS, DIRTIES, CLEANS, MINDS, EXTRA]
    plain = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "@kept.txt"],
        cwd=project,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "6 passed" in plain.stdout, plain.stdout
    ours = unknot("run", "-n", "2", "-q", "--", "@kept.txt")
    assert "6 passed" in ours.stdout, ours.stdout + ours.stderr


def test_json(unknot: Unknot) -> None:
    done = unknot("minimise", "--coverage", "cover.json", "--solver", "greedy", "--format", "json")
    assert json.loads(done.stdout) == {
        "tests": [SETS, NEEDS, DIRTIES, CLEANS, MINDS],
        "dropped": [SLOW, EXTRA],
        "seconds": 5.0,
        "seconds_before": 11.0,
        "proven": True,
        "bound": 5.0,
        "elements": 5,
        "covered": 5,
        "covered_at_most": 5,
        "solver": "greedy",
    }


def test_a_limit_says_what_is_lost(unknot: Unknot) -> None:
    done = unknot("minimise", "--coverage", "cover.json", "--max-seconds", "2")
    assert "2 of 7 tests cover 3 of 5 elements (2 lost, 40.0%) in 2.00 of 11.00 s" in done.stdout
    assert "proven: nothing within the limit covers more" in done.stdout


@pytest.mark.parametrize(
    ("keep", "fitting"),
    [
        (SLOW, {SLOW}),
        ("test_it.py::test_extra", {EXTRA}),
        (EXTRA, {EXTRA}),
        ("*::test_s?o*", {SLOW}),
        ("test_it.py", {SLOW, EXTRA}),
    ],
)
def test_keep_takes_ids_files_and_patterns(unknot: Unknot, keep: str, fitting: set[str]) -> None:
    done = unknot("minimise", "--coverage", "cover.json", "--keep", keep, "--format", "ids")
    assert set(done.stdout.splitlines()) & {SLOW, EXTRA} == fitting


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--keep", "test_if.py"), "test_if.py, which is to be kept, matches no test of the lock file"),
        (("--keep", "test_it.py::test_[a-z]*"), "matches no test"),
        (("--keep", SLOW, "--max-seconds", "4"), "the tests to keep take 5.000 s with what they need"),
        (("--max-seconds", "0"), "must be more than 0"),
        (("--lock", "gone.json"), "gone.json: there is no such file"),
        (("--branches", "--lock", "gone.json"), "there is no such file"),
        (("--coverage", "gone"), "gone: no such file"),
        (("--solver", "best"), "invalid choice: 'best'"),
    ],
)
def test_bad_input_is_one_line_and_a_hint_and_writes_nothing(
    unknot: Unknot, project: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = unknot("minimise", "--coverage", "cover.json", *arguments, "-o", "out.txt")
    assert done.returncode in (4, 13)
    assert done.stdout == ""
    errors = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    assert len(errors) == 2, done.stderr
    assert message in errors[0]
    assert errors[1].startswith("hint: ")
    assert not (project / "out.txt").exists()


def test_coverage_of_another_suite(unknot: Unknot, project: Path) -> None:
    (project / "cover.json").write_text('{"other.py::test": ["a"]}')
    done = unknot("minimise", "--coverage", "cover.json")
    assert done.returncode == 4
    assert "no test of cover.json that covers anything is in unknot.lock.json" in done.stderr


def test_covered_tests_that_are_not_in_the_lock_file_are_noted_and_ignored(unknot: Unknot, project: Path) -> None:
    (project / "cover.csv").write_text(f"{SLOW},a\nother.py::test,b\n")
    done = unknot("minimise", "--coverage", "cover.csv", "--format", "ids")
    assert done.stdout.splitlines() == [SLOW]
    assert "1 test of the coverage not in the lock file, ignored: other.py::test" in done.stderr


def test_an_unfinished_detection_is_reported(unknot: Unknot, project: Path) -> None:
    lock = json.loads((project / "unknot.lock.json").read_text())
    (project / "unknot.lock.json").write_text(json.dumps({**lock, "complete": False}))
    done = unknot("minimise", "--coverage", "cover.json", "--format", "ids")
    assert done.stdout.splitlines() == list(TESTS[:6])
    assert "only a beginning of the suite is known to be safe" in done.stderr


def test_without_or_tools_optimal_says_what_to_install(unknot: Unknot, tmp_path: Path) -> None:
    """A module of the same name that cannot be imported stands in for one that is not there."""
    (tmp_path / "ortools.py").write_text("raise ImportError('not here')")
    done = unknot("minimise", "--coverage", "cover.json", "--solver", "optimal", PYTHONPATH=str(tmp_path))
    assert done.returncode == 4
    assert "OR-tools is required but cannot be imported: not here" in done.stderr
    assert "unknot[optimal]" in done.stderr


def test_without_a_file_coverage_is_recorded_once(write: Write, unknot: Unknot, project: Path) -> None:
    tests = "import app\ndef test_one(): app.f()\ndef test_two(): app.f()\n"
    write({"app.py": "def f(): return 1\n", "test_it.py": tests})
    assert unknot("detect").returncode == 0
    first = unknot("minimise", "--format", "ids")
    assert first.returncode == 0, first.stderr
    assert len(first.stdout.split()) == 1
    assert "recording what each test covers" in first.stderr
    again = unknot("minimise", "--format", "ids")
    assert (again.stdout, "recording what" in again.stderr) == (first.stdout, False)
