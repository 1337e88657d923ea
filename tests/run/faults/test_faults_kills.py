"""Processes killed at random during a detection: the suite's, unknot's workers, the system under test."""

import pytest
from planted_project import TRUTH, Project, running


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
    with project.killing(running("launching.py", beside="suite.sh"), 20, 0.06, seed=4) as killed:
        project.detected()
    assert len(killed) > 5
    assert project.graph == TRUTH


def test_workers_that_are_killed_change_no_edge(project: Project) -> None:
    project.configure("tap")
    project.environment["PAUSE"] = "0.02"
    with project.killing(running("unknot.run.seats.worker_process"), 6, 0.4, seed=2) as killed:
        project.detected()
    assert len(killed) > 2
    assert project.graph == TRUTH
