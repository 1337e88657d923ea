"""`unknot detect PATH`: a detection of a part of the suite loses nothing that is known of the rest."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., CompletedProcess[str]]

_FILES = {
    "state.py": "done = set()\n",
    "conftest.py": "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n",
    "test_a.py": """
        import state
        def test_sets(): state.done.add("a")
        def test_needs(): assert "a" in state.done
        """,
    "test_b.py": """
        import state
        def test_sets(): state.done.add("b")
        def test_needs(): assert "b" in state.done
        def test_needs_a(): assert "a" in state.done
        """,
}


def _lock(project: Path) -> dict[str, Any]:
    return json.loads((project / "unknot.lock.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _needs(project: Path) -> set[tuple[str, ...]]:
    return {(need["dependent"], *need["any_of"]) for need in _lock(project)["needs"]}


@pytest.fixture
def detected(write: Write, unknot: Unknot, project: Path) -> str:
    write(_FILES)
    assert unknot("detect").returncode == 1
    return (project / "unknot.lock.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", [("test_b.py",), ("test_b.py::test_needs",), ("--", "-k", "needs_a"), ("test_a.py",)])
def test_a_part_that_has_not_changed_leaves_the_lock_file_as_it_is(
    part: tuple[str, ...], detected: str, unknot: Unknot, project: Path
) -> None:
    done = unknot("detect", *part)
    assert "unknot.lock.json keeps what it says about" in done.stderr
    kept = _lock(project)
    before = json.loads(detected)
    assert {**kept, "only_in_company": 0} == {**before, "only_in_company": 0}


def test_what_the_part_shows_is_updated_and_the_rest_stays(
    detected: str, write: Write, unknot: Unknot, project: Path
) -> None:
    write(
        {
            "test_a.py": """
                import state
                def test_sets(): state.done.add("a")
                def test_needs(): pass
                def test_new(): assert "a" in state.done
                """
        }
    )
    assert unknot("detect", "test_a.py").returncode == 1
    assert _needs(project) == {
        ("test_a.py::test_new", "test_a.py::test_sets"),
        ("test_b.py::test_needs", "test_b.py::test_sets"),
        ("test_b.py::test_needs_a", "test_a.py::test_sets"),
    }
    done = unknot("detect")
    assert "2 changed" in done.stderr
    assert len(_needs(project)) == 3


def test_tests_that_are_gone_from_the_part_leave_the_lock_file(
    detected: str, write: Write, unknot: Unknot, project: Path
) -> None:
    write({"test_b.py": "def test_alone(): pass\n"})
    assert unknot("detect", "test_b.py").returncode == 0
    assert _needs(project) == {("test_a.py::test_needs", "test_a.py::test_sets")}
    assert [group["tests"] for group in _lock(project)["suite"]] == [["test_sets", "test_needs"], ["test_alone"]]


def test_a_recording_of_the_whole_suite_stays(write: Write, traced_unknot: Unknot, project: Path) -> None:
    write(_FILES)
    assert traced_unknot("detect", "--trace").returncode == 1
    recording = project / ".unknot" / "recording.json"
    before = recording.read_bytes()
    assert traced_unknot("detect", "--trace", "--full", "test_b.py").returncode == 1
    assert recording.read_bytes() == before


def test_a_part_with_other_options_is_refused(detected: str, unknot: Unknot, project: Path) -> None:
    done = unknot("detect", "test_b.py", "--", "-p", "no:doctest")
    assert done.returncode == 4
    assert "error[options-conflict]" in done.stderr
    assert (project / "unknot.lock.json").read_text(encoding="utf-8") == detected
    assert unknot("detect", "--lock", "other.json", "test_b.py", "--", "-p", "no:doctest").returncode == 1
