"""`explain`, `fix` and `pollution` on real projects: what is shown was tried, and what is written works."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from told_recording import Did, read, told, wrote

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.store.lock import write_lock
from unknot.store.recording_file import dumps

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SHOP = {
    "conftest.py": "import sys\n\nsys.dont_write_bytecode = True\n",
    "shop.py": "CART = {}\nPAID = []\nMODE = 'slow'\n",
    "test_shop.py": """
        import shop


        def test_clean():
            assert shop.MODE == "slow"


        def test_add():
            shop.CART["alice"] = object()


        def test_pay():
            shop.PAID.append("alice")
            shop.MODE = "fast"


        def test_total():
            assert "alice" in shop.CART
            assert shop.PAID == ["alice"]
    """,
}
CLEAN, ADD, PAY, TOTAL = (TestId(f"test_shop.py::test_{name}") for name in ("clean", "add", "pay", "total"))
NEEDS = (
    Need(TOTAL, (ADD,), Proof((ADD, PAY, TOTAL), (PAY, TOTAL))),
    Need(TOTAL, (PAY,), Proof((ADD, PAY, TOTAL), (ADD, TOTAL))),
)
CONFLICTS = (Conflict(CLEAN, (PAY,), (), Proof((CLEAN,), (PAY, CLEAN))),)
EVENTS = (
    wrote(ADD, "memory", "shop.CART['alice']", "<object>", "test_shop.py:10"),
    wrote(PAY, "memory", "shop.PAID", "['alice']", "test_shop.py:14"),
    wrote(PAY, "memory", "shop.MODE", "'fast'", "test_shop.py:15"),
    read(TOTAL, "memory", "shop.CART['alice']", "test_shop.py:19"),
    read(TOTAL, "memory", "shop.PAID", "test_shop.py:20"),
    read(CLEAN, "memory", "shop.MODE", "test_shop.py:6"),
)


@dataclass(frozen=True)
class Known:
    """Puts a lock file and a recording into the project, as `unknot detect --trace` would."""

    project: Path

    def __call__(
        self,
        tests: Sequence[TestId],
        needs: tuple[Need, ...],
        conflicts: tuple[Conflict, ...],
        events: Sequence[Did],
    ) -> None:
        outcomes = dict.fromkeys(tests, Outcome.PASSED)
        dependencies = Dependencies(Suite(tuple(tests)), outcomes, dict.fromkeys(tests, 0.0), needs, conflicts)
        write_lock(self.project / "unknot.lock.json", dependencies)
        (self.project / ".unknot").mkdir(exist_ok=True)
        (self.project / ".unknot" / "recording.json").write_text(dumps(told(tests, events)))


@pytest.fixture
def known(project: Path) -> Known:
    return Known(project)


@pytest.fixture
def shop(write: Write, known: Known) -> None:
    write(SHOP)
    known((CLEAN, ADD, PAY, TOTAL), NEEDS, CONFLICTS, EVENTS)


def outcomes_in(project: Path, *tests: str) -> int:
    """pytest's exit status for these tests in this order."""
    done = subprocess.run(
        ["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=project,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        check=False,
    )
    return done.returncode


@pytest.mark.usefixtures("shop")
def test_two_needs_are_cut_and_written(project: Path, unknot: Unknot) -> None:
    before = (project / "test_shop.py").read_bytes()
    done = unknot("fix", "test_total", "-n", "1")
    assert done.returncode == 0, done.stderr
    assert (project / "test_shop.py").read_bytes() == before, "without --write nothing is written"
    applied = subprocess.run(
        ["patch", "-p1", "--dry-run"], cwd=project, input=done.stdout, capture_output=True, text=True, check=False
    )
    assert applied.returncode == 0, applied.stdout
    assert outcomes_in(project, TOTAL) == 1
    done = unknot("fix", "test_total", "--write", "-n", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "written: test_shop.py" in done.stderr
    assert "unknot detect" in done.stderr
    assert outcomes_in(project, TOTAL) == outcomes_in(project) == outcomes_in(project, ADD, TOTAL) == 0
    again = unknot("fix", "test_total", "-n", "1")
    assert "no longer occurs" in again.stderr
    assert again.returncode == 0


@pytest.mark.usefixtures("shop")
def test_a_change_that_works_is_in_the_report_until_its_file_changes(project: Path, unknot: Unknot) -> None:
    assert unknot("fix", "test_total", "-n", "1").returncode == 0
    tried = '<span class="new">+@pytest.fixture</span>'
    assert tried in unknot("report", "--format", "html").stdout
    with (project / "test_shop.py").open("a") as file:
        file.write("# changed\n")
    assert tried not in unknot("report", "--format", "html").stdout


@pytest.mark.usefixtures("shop")
def test_all_edges_at_once(project: Path, unknot: Unknot) -> None:
    done = unknot("fix", "--all", "--write", "-n", "1")
    assert done.returncode == 0, done.stderr
    assert outcomes_in(project, PAY, CLEAN) == outcomes_in(project, TOTAL) == outcomes_in(project) == 0


@pytest.mark.usefixtures("shop")
def test_explain_shows_places_and_a_change_that_was_tried(unknot: Unknot) -> None:
    done = unknot("explain", "test_clean", "-n", "1")
    assert done.returncode == 0, done.stderr
    assert "test_pay leaves `shop.MODE` = 'fast' (test_shop.py:15); test_clean reads it (test_shop.py:6)" in done.stdout
    assert '> 15 |     shop.MODE = "fast"' in done.stdout
    assert "tried: the dependency is gone and nothing else changed" in done.stdout
    assert '\n+@pytest.mark.usefixtures("restored_mode")\n' in done.stdout
    quiet = unknot("explain", "test_clean", "--no-try")
    assert "> 15 |" in quiet.stdout
    assert "+@pytest" not in quiet.stdout


@pytest.mark.usefixtures("shop")
def test_explain_as_json(unknot: Unknot) -> None:
    document = json.loads(unknot("explain", "test_clean", "--format", "json", "-n", "1").stdout)
    (claim,) = document["claims"]
    assert document["test"] == CLEAN
    assert claim["proof"] == {"passes": [CLEAN], "fails": [PAY, CLEAN]}
    assert claim["reasons"][0]["location"] == "shop.MODE"
    assert claim["reasons"][0]["written"] == [{"file": "test_shop.py", "line": 15, "function": "f"}]
    assert claim["cut"]["file"] == "test_shop.py"
    assert claim["cut"]["diff"].startswith("--- a/test_shop.py\n")


@pytest.mark.usefixtures("shop")
def test_source_that_changed_or_went_is_said(project: Path, unknot: Unknot) -> None:
    path = project / "test_shop.py"
    os.utime(path, (path.stat().st_mtime + 100,) * 2)
    assert "changed after the recording" in unknot("explain", "test_clean", "--no-try").stdout
    path.unlink()
    assert "file no longer exists" in unknot("explain", "test_clean", "--no-try").stdout


@pytest.mark.usefixtures("shop")
def test_without_a_recording_explain_says_how_to_make_one(project: Path, unknot: Unknot) -> None:
    (project / ".unknot" / "recording.json").unlink()
    explained = unknot("explain", "test_clean")
    assert explained.returncode == 0
    assert "unknot detect --trace" in explained.stdout


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("verb", [("fix", "test_clean"), ("pollution",)], ids=["fix", "pollution"])
@pytest.mark.parametrize("content", [None, "{"], ids=["missing", "damaged"])
def test_without_a_recording_the_suite_is_recorded(
    content: str | None, verb: tuple[str, ...], project: Path, unknot: Unknot
) -> None:
    recording = project / ".unknot" / "recording.json"
    recording.unlink()
    if content is not None:
        recording.write_text(content)
    done = unknot(*verb)
    assert done.returncode == 0, done.stderr
    assert ("recorded again" in done.stderr) == (content is not None)
    assert json.loads(recording.read_text())["tests"]


@pytest.mark.usefixtures("shop")
def test_a_damaged_recording_is_named(project: Path, unknot: Unknot) -> None:
    (project / ".unknot" / "recording.json").write_text("{")
    done = unknot("explain", "test_clean")
    assert done.returncode == 13
    assert "damaged" in done.stderr


@pytest.mark.usefixtures("shop")
def test_a_wrong_command_line(unknot: Unknot) -> None:
    assert unknot("fix").returncode == 4
    assert "no such test" in unknot("fix", "nonsense").stderr
    assert "depends on no other" in unknot("fix", "test_add").stderr


def test_a_polluter_that_others_need_is_left_and_the_victim_begins_clean(
    write: Write, known: Known, project: Path, unknot: Unknot
) -> None:
    write(
        {
            "state.py": "MODE = 'slow'\n",
            "test_it.py": """
                import unittest

                import state


                class Modes(unittest.TestCase):
                    def test_1_fast(self):
                        self.enter()

                    def enter(self):
                        state.MODE = "fast"

                    def test_2_is_fast(self):
                        self.assertEqual(state.MODE, "fast")


                class Start(unittest.TestCase):
                    def test_3_set_back(self):
                        state.MODE = "slow"

                    def test_4_is_slow(self):
                        self.assertEqual(state.MODE, "slow")
            """,
        }
    )
    one, two, three, four = (
        TestId(f"test_it.py::{name}")
        for name in ("Modes::test_1_fast", "Modes::test_2_is_fast", "Start::test_3_set_back", "Start::test_4_is_slow")
    )
    known(
        (one, two, three, four),
        (Need(two, (one,), Proof((one, two), (two,))),),
        (Conflict(four, (one,), (three,), Proof((four,), (one, four))),),
        [
            wrote(one, "memory", "state.MODE", "'fast'", "test_it.py:12"),
            wrote(three, "memory", "state.MODE", "'slow'", "test_it.py:20", restored=True),
            read(two, "memory", "state.MODE"),
            read(four, "memory", "state.MODE"),
        ],
    )
    done = unknot("fix", "test_4", "--write", "-n", "1")
    assert done.returncode == 0, done.stderr
    assert "test_2_is_fast now failed in suite order (passed before)" in done.stderr
    assert "def clean_mode" in (project / "test_it.py").read_text()
    assert outcomes_in(project, one, four) == outcomes_in(project) == 0


def test_what_cannot_be_cut_says_what_was_tried(write: Write, known: Known, unknot: Unknot) -> None:
    write(
        {
            "test_it.py": """
                import itertools

                ids = itertools.count()
                seen = set()

                def test_one(tmp_path):
                    next(ids)

                def test_two():
                    assert next(ids) > 0
            """
        }
    )
    one, two = TestId("test_it.py::test_one"), TestId("test_it.py::test_two")
    need = Need(two, (one,), Proof((one, two), (two,)))
    name = "test_it.seen"
    known((one, two), (need,), (), [wrote(one, "memory", name, "{1}"), read(two, "memory", name)])
    done = unknot("fix", "test_two", "-n", "1")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "still failed without test_it.py::test_one" in done.stderr
    assert "none of the changes tried removes it" in done.stderr
    known((one, two), (need,), (), [])
    assert "no shared state was recorded" in unknot("explain", "test_two").stdout
    assert unknot("fix", "test_two", "-n", "1").returncode == 1


def test_pollution(write: Write, known: Known, unknot: Unknot) -> None:
    write(SHOP)
    known((CLEAN, ADD, PAY, TOTAL), NEEDS, CONFLICTS, EVENTS)
    text = unknot("pollution").stdout
    assert text.index(PAY) < text.index(ADD), "who breaks somebody comes first"
    assert "shop.MODE = 'fast', test_shop.py:15" in text
    assert f"  breaks             {CLEAN}" in text
    document = json.loads(unknot("pollution", "--format", "json", "--limit", "1").stdout)
    assert [one["test"] for one in document["polluters"]] == [PAY]
    assert document["polluters"][0]["breaks"] == [CLEAN]


def test_a_file_that_was_changed_meanwhile_is_not_written(
    write: Write, known: Known, project: Path, unknot: Unknot
) -> None:
    write(SHOP)
    # The trial itself plays the person who goes on working.
    changed = project / "test_shop.py"
    write({"conftest.py": f"def pytest_configure():\n    open({str(changed)!r}, 'a').write('# more\\n')\n"})
    known((CLEAN, ADD, PAY, TOTAL), NEEDS, CONFLICTS, EVENTS)
    done = unknot("fix", "test_clean", "--write", "-n", "1")
    assert done.returncode == 13
    assert "was changed meanwhile" in done.stderr
    assert "usefixtures" not in changed.read_text()
