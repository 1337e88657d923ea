"""A small project on disk with a lock file, and real pytest processes in it."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from ran_by_worker import ran_by_worker
from written_results import write_result

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId

_STATE = """\
import os

user = None
dirty = False


def ran(name):
    with open("ran.txt", "a") as log:
        log.write(f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')} {name}\\n")
"""


@dataclass(frozen=True)
class Finished:
    """What a pytest process printed and did."""

    status: int
    text: str
    verdicts: Mapping[str, list[str]]

    @property
    def counts(self) -> Counter[str]:
        """How many tests came out how; a test with two verdicts fails here."""
        assert all(len(found) == 1 for found in self.verdicts.values()), self.verdicts
        return Counter(found[0] for found in self.verdicts.values())


class Project:
    """Tests write their names into ran.txt as they run, by `state.ran`; `state.user` and `state.dirty` tie them. All
    workers share this file on purpose, and no other."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.write("state.py", _STATE)
        self.write("pytest.ini", "[pytest]\npythonpath = .\n")

    def write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def lock(
        self,
        tests: Iterable[str],
        *,
        needs: Mapping[str, str] | None = None,
        conflicts: Iterable[tuple[str, str, str]] = (),
        seconds: Mapping[str, float] | None = None,
        outcomes: Mapping[str, Outcome] | None = None,
        complete: bool = True,
    ) -> Dependencies:
        """`needs`: each test with the alternatives it needs; `conflicts`: victim, polluters, cleaners; all as words."""
        suite = Suite(_ids(" ".join(tests)))
        known, weights = outcomes or {}, seconds or {}
        dependencies = Dependencies(
            suite,
            {test: known.get(test, Outcome.PASSED) for test in suite.tests},
            {test: weights.get(test, 1.0) for test in suite.tests},
            tuple(Need(TestId(test), _ids(any_of), _proof(test)) for test, any_of in (needs or {}).items()),
            tuple(
                Conflict(TestId(v), _ids(polluters), _ids(cleaners), _proof(v)) for v, polluters, cleaners in conflicts
            ),
            complete=complete,
        )
        write_result(self.directory / "unknot.lock.json", dependencies)
        return dependencies

    def pytest(
        self, *options: str, plugins: Iterable[str] = ("xdist", "unknot"), autoload: bool = False, **variables: str
    ) -> Finished:
        """Without all the other plugins that are installed here, unless they are the point."""
        (self.directory / "ran.txt").write_text("")
        results = self.directory / "results.xml"
        results.unlink(missing_ok=True)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "UNKNOT_"))}
        environment |= {"UNKNOT_SHARED": str(self.directory / "ran.txt"), **variables}
        if not autoload:
            environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        named = [] if autoload else [word for plugin in plugins for word in ("-p", plugin)]
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pytest", *named, f"--junitxml={results}", *options],
            cwd=self.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        return Finished(done.returncode, done.stdout + done.stderr, _verdicts(results))

    @property
    def ran(self) -> dict[str, list[str]]:
        """What each worker ran, in its order."""
        return ran_by_worker(self.directory)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def knotted(project: Project) -> Project:
    return write_knotted(project)


def write_knotted(project: Project) -> Project:
    """Seven tests in two files: two need a login, one breaks after another unless a third runs in between."""
    project.write(
        "test_login.py",
        """\
import state

def test_login():
    state.ran("login")
    state.user = "ada"

def test_pollute():
    state.ran("pollute")
    state.dirty = True

def test_clean():
    state.ran("clean")
    state.dirty = False

def test_victim():
    state.ran("victim")
    assert not state.dirty
""",
    )
    project.write(
        "test_shop.py",
        """\
import state

def test_profile():
    state.ran("profile")
    assert state.user == "ada"

def test_order():
    state.ran("order")
    assert state.user == "ada"

def test_free():
    state.ran("free")
""",
    )
    project.lock(
        [*KNOTTED],
        needs={"test_shop.py::test_profile": KNOTTED[0], "test_shop.py::test_order": KNOTTED[0]},
        conflicts=[(KNOTTED[3], KNOTTED[1], KNOTTED[2])],
        seconds={KNOTTED[0]: 0.1, KNOTTED[4]: 5.0, KNOTTED[5]: 5.0},
    )
    return project


KNOTTED = (
    "test_login.py::test_login",
    "test_login.py::test_pollute",
    "test_login.py::test_clean",
    "test_login.py::test_victim",
    "test_shop.py::test_profile",
    "test_shop.py::test_order",
    "test_shop.py::test_free",
)


def _ids(words: str) -> tuple[TestId, ...]:
    return tuple(TestId(word) for word in words.split())


def _proof(test: str) -> Proof:
    return Proof((TestId(test),), (TestId(test),))


def _verdicts(results: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    if results.exists():
        for case in ElementTree.parse(results).iter("testcase"):
            bad = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
            name = f"{case.get('classname')}::{case.get('name')}"
            found.setdefault(name, []).append(bad[0] if bad else "passed")
    return found
