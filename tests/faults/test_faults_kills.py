"""Processes killed at random during a detection: the suite's, those that start them, forked children."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from planted_project import TRUTH, Project, running

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["tap", "one by one"])
def test_fifty_kills_of_the_suites_own_processes_change_no_edge(project: Project, kind: str) -> None:
    project.configure(kind)
    project.environment["PAUSE"] = "0.01"
    with project.killing(running("suite.sh"), 50, 0.04, seed=1) as killed:
        project.detected("--thorough")
    assert len(killed) == 50
    assert project.graph == TRUTH


def test_kills_of_what_starts_the_suites_processes_change_no_edge(project: Project) -> None:
    project.configure("tap")
    project.environment["PAUSE"] = "0.01"
    with project.killing(running("launcher_program", beside="suite.sh"), 20, 0.06, seed=4) as killed:
        project.detected()
    assert len(killed) > 5
    assert project.graph == TRUTH


_PYTEST = """
import time

state = set()

def pause():
    time.sleep(0.01)

def test_make(): pause(); state.add("made")
def test_plain(): pause()
def test_uses(): pause(); assert "made" in state
def test_fill(): pause(); state.add("filled")
def test_uses_both(): pause(); assert {"made", "filled"} <= state
def test_spoil(): pause(); state.add("spoilt")
def test_clean(): pause(); state.discard("spoilt")
def test_victim(): pause(); assert "spoilt" not in state
"""


def _forked_by(program: str) -> Callable[[Mapping[int, bytes]], list[int]]:
    """Those that have the command line of their parent."""

    def found(lines: Mapping[int, bytes]) -> list[int]:
        ours = {process for process, line in lines.items() if program.encode() in line}
        return [process for process in ours if _parent(process) in ours]

    return found


def _parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def test_kills_of_forked_children_change_no_edge(project: Project) -> None:
    project.write("test_it.py", _PYTEST)
    project.detected("--no-trace")
    truth = project.graph
    assert len(truth) == 5
    with project.killing(_forked_by("pytest"), 50, 0.1, seed=5) as killed:
        project.detected("--no-trace", "--full", "--state-dir", "other")
    assert len(killed) > 5
    assert project.graph == truth
