"""Processes killed at random during a detection: the suite's, unknot's workers, the system under test."""

import pytest
from planted_project import TRUTH, Project, running


@pytest.mark.parametrize("kind", ["tap", "one by one"])
def test_fifty_kills_of_the_suites_own_processes_change_no_edge(project: Project, kind: str) -> None:
    project.configure(kind)
    project.environment["PAUSE"] = "0.02"
    with project.killing(running("suite.sh"), 50, 0.1, seed=1) as killed:
        done = project.detected("--thorough")
    print(len(killed), [one.returncode for one in done], done[-1].stdout[-300:])
    assert len(killed) == 50
    assert project.graph == TRUTH


def test_workers_that_are_killed_change_no_edge(project: Project) -> None:
    project.configure("tap")
    project.environment["PAUSE"] = "0.02"
    with project.killing(running("unknot.run.seats.worker_process"), 6, 0.4, seed=2) as killed:
        done = project.detected()
    print(len(killed), [one.returncode for one in done], done[-1].stdout[-300:])
    assert len(killed) > 2
    assert project.graph == TRUTH
