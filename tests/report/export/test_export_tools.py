"""Exports in the hands of the real tools: pytest-xdist, pytest-split, pytest-order."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from ran_by_worker import ran_by_worker

from unknot.app.export import export
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Suite, TestId

SUITE = """\
import os, pytest
STATE = set()

def ran(name):
    with open("ran.txt", "a") as log:
        log.write(f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')} {name}\\n")

def test_free():
    ran("free")

def test_login():
    ran("login")
    STATE.add("user")

@pytest.mark.parametrize("step", ["create", "read", "delete"])
def test_article(step):
    ran(step)
    assert "user" in STATE
    assert step == "create" or "article" in STATE
    STATE.add("article")

def test_pollute():
    ran("pollute")
    STATE.add("dirt")

def test_clean():
    ran("clean")
    STATE.discard("dirt")

def test_victim():
    ran("victim")
    assert "dirt" not in STATE
"""
NAMES = ["free", "login", "create", "read", "delete", "pollute", "clean", "victim"]
FUNCTIONS = ["free", "login", "article[create]", "article[read]", "article[delete]", "pollute", "clean", "victim"]
TESTS = tuple(TestId(f"test_suite.py::test_{name}") for name in FUNCTIONS)
PROOF = Proof((), ())
NO_TESTS = 5
"""pytest's status for a group that pytest-split leaves empty."""

KNOTS = Dependencies(
    Suite(TESTS),
    dict.fromkeys(TESTS, Outcome.PASSED),
    dict.fromkeys(TESTS, 0.5),
    (
        Need(TESTS[2], (TESTS[1],), PROOF),
        Need(TESTS[3], (TESTS[2],), PROOF),
        Need(TESTS[4], (TESTS[2], TESTS[3]), PROOF),
    ),
    (Conflict(TESTS[7], (TESTS[5],), (TESTS[6],), PROOF),),
)


class Place:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "test_suite.py").write_text(SUITE)

    def use(self, name: str) -> None:
        export(name, KNOTS, Plan((Lane((TESTS,)),), 0.0), self.directory)

    def use_plugin(self, name: str, module: str) -> None:
        self.use(name)
        (self.directory / "conftest.py").write_text(f'pytest_plugins = ["{module}"]\n')

    def pytest(self, plugins: Iterable[str], *options: str) -> int:
        (self.directory / "ran.txt").unlink(missing_ok=True)
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        named = [word for plugin in plugins for word in ("-p", plugin)]
        command = [sys.executable, "-P", "-m", "pytest", "-q", *named, *options]
        done = subprocess.run(
            command, cwd=self.directory, env=environment, capture_output=True, text=True, timeout=240, check=False
        )
        assert done.returncode in (0, 1, NO_TESTS), done.stdout + done.stderr
        return done.returncode

    @property
    def ran(self) -> dict[str, list[str]]:
        return ran_by_worker(self.directory)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_groups_keep_dependent_tests_on_one_worker_of_xdist(place: Place) -> None:
    assert place.pytest(["xdist"], "-n2", "--dist", "loadgroup", "--maxschedchunk", "1") == 1
    place.use_plugin("xdist-group", "unknot_groups")
    assert place.pytest(["xdist"], "-n2", "--dist", "loadgroup") == 0
    for group in (NAMES[1:5], NAMES[5:]):
        (together,) = [[name for name in ran if name in group] for ran in place.ran.values() if group[0] in ran]
        assert together == group


def test_pytest_split_cuts_only_where_no_dependency_is(place: Place) -> None:
    assert any(place.pytest(["pytest-split"], "--splits", "4", "--group", group) == 1 for group in "1234")
    durations = place.directory / ".test_durations"
    export("pytest-split", KNOTS, Plan((), 0.0), durations)
    # Other numbers of groups: test_export_texts.py, without processes.
    ran: list[str] = []
    for group in "1234":
        assert place.pytest(["pytest-split"], "--splits", "4", "--group", group) in (0, NO_TESTS)
        ran += place.ran.get("alone", [])
    assert ran == NAMES


def test_pytest_order_undoes_a_shuffle(place: Place) -> None:
    shuffle = ["--randomly-seed", "1"]
    assert place.pytest(["randomly", "pytest_order"], *shuffle) == 1
    place.use_plugin("pytest-order", "unknot_order")
    assert place.pytest(["randomly", "pytest_order"], *shuffle) == 0
    assert place.ran == {"alone": NAMES}


def test_pytest_takes_a_list_of_ids(place: Place) -> None:
    place.use("ids")
    assert place.pytest([], "@lane-1.txt") == 0
    assert place.ran == {"alone": NAMES}
