"""What a run disproves is found out, output in a line, and respected by the next run."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.store.durations import write_durations
from unknot.store.fingerprint import Fingerprints
from unknot.store.lock import read_fingerprints, read_lock, write_lock

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]
Locked = Callable[..., None]

FILE = "test_it.py"

NEW_NEED = """
    done = []
    def test_first(): done.append(1)
    def test_middle(): pass
    def test_last(): assert done
"""
NEW_CONFLICT = """
    dirt = []
    def test_dirties(): dirt.append(1)
    def test_cleans(): dirt.clear()
    def test_beside(): pass
    def test_victim(): assert not dirt
"""
TWO_TOGETHER = """
    dirt = []
    def test_dirties(): dirt.append(1)
    def test_dirties_too(): dirt.append(2)
    def test_cleans(): dirt.clear()
    def test_beside(): pass
    def test_victim(): assert len(dirt) < 2
"""


def _id(name: str) -> TestId:
    return TestId(f"{FILE}::test_{name}")


@pytest.fixture
def locked(project: Path) -> Locked:
    """A lock file from before: these tests passed, took so long, and need no more than it says. How long they took
    decides which lanes they share."""

    def write(seconds: Mapping[str, float], needs: Mapping[str, str] | None = None) -> None:
        tests = {_id(name): spent for name, spent in seconds.items()}
        known = [Need(_id(d), (_id(p),), Proof((_id(p), _id(d)), (_id(d),))) for d, p in (needs or {}).items()]
        dependencies = Dependencies(Suite(tuple(tests)), dict.fromkeys(tests, Outcome.PASSED), tests, tuple(known))
        write_lock(
            project / "unknot.lock.json", dependencies, Fingerprints("here", {_id(name): name for name in seconds})
        )
        (project / ".unknot").mkdir(exist_ok=True)
        write_durations(project / ".unknot" / "durations.json", tests)

    return write


def test_a_new_need_is_learned_and_respected(write: Write, unknot: Unknot, locked: Locked, project: Path) -> None:
    write({FILE: NEW_NEED})
    locked({"first": 2.0, "middle": 0.1, "last": 2.0})
    done = unknot("run", "-n", "2")
    assert done.returncode == 0, done.stdout
    assert f"learned: {_id('last')} needs {_id('first')}; unknot.lock.json updated" in done.stdout
    assert "3 passed" in done.stdout
    dependencies = read_lock(project / "unknot.lock.json")
    assert [(need.dependent, need.any_of) for need in dependencies.needs] == [(_id("last"), (_id("first"),))]
    assert dependencies.needs[0].proof == Proof((_id("first"), _id("last")), (_id("last"),))
    assert read_fingerprints(project / "unknot.lock.json") == Fingerprints(
        "here", {_id(name): name for name in ("first", "middle", "last")}
    )

    done = unknot("run", "-n", "2")
    assert done.returncode == 0
    assert "learned: " not in done.stdout
    assert "finding out" not in done.stderr, "no test fails on the way"


@pytest.mark.parametrize(
    ("suite", "polluters", "runner"),
    [
        (NEW_CONFLICT, ["dirties"], "fork"),
        (NEW_CONFLICT, ["dirties"], "fresh"),
        (TWO_TOGETHER, ["dirties", "dirties_too"], "fork"),
    ],
)
def test_a_new_conflict_is_learned_with_its_cleaner_and_respected(
    write: Write, unknot: Unknot, locked: Locked, project: Path, suite: str, polluters: list[str], runner: str
) -> None:
    write({FILE: suite})
    locked({**dict.fromkeys(polluters, 1.0), "cleans": 5.0, "beside": 1.0, "victim": 1.0})
    done = unknot("run", "-n", "2", "--runner", runner)
    assert done.returncode == 0, done.stdout
    output = " and ".join(map(_id, polluters))
    assert f"learned: {_id('victim')} breaks after {output} unless {_id('cleans')} is in between;" in done.stdout
    (conflict,) = read_lock(project / "unknot.lock.json").conflicts
    assert (conflict.victim, conflict.cleaners) == (_id("victim"), (_id("cleans"),))
    assert conflict.polluters == tuple(map(_id, polluters))

    done = unknot("run", "-n", "2", "--runner", runner)
    assert done.returncode == 0
    assert "finding out" not in done.stderr


def test_a_frozen_lock_file_is_left_alone_and_without_repair_a_failure_is_a_failure(
    write: Write, unknot: Unknot, locked: Locked, project: Path
) -> None:
    write({FILE: NEW_NEED})
    locked({"first": 2.0, "middle": 0.1, "last": 2.0})
    before = (project / "unknot.lock.json").read_bytes()
    done = unknot("run", "-n", "2", "--frozen")
    assert done.returncode == 0, done.stdout
    assert f"learned: {_id('last')} needs {_id('first')}; unknot.lock.json is left as it is" in done.stdout
    done = unknot("run", "-n", "2", "--no-repair")
    assert done.returncode == 1
    assert f"FAILED {_id('last')}" in done.stdout
    assert (project / "unknot.lock.json").read_bytes() == before


def test_without_time_to_find_out_the_suites_own_order_decides(write: Write, unknot: Unknot, locked: Locked) -> None:
    write({FILE: NEW_NEED})
    locked({"first": 2.0, "middle": 0.1, "last": 2.0})
    done = unknot("run", "-n", "2", "--repair-seconds", "0")
    assert done.returncode == 0, done.stdout
    assert f"{_id('last')} passes only in suite order: run `unknot detect`" in done.stdout
    assert "3 passed" in done.stdout


def test_a_real_failure_is_one_and_explains_who_needs_it(
    write: Write, unknot: Unknot, locked: Locked, project: Path
) -> None:
    write(
        {
            FILE: """
            done = []
            def test_free(): pass
            def test_sets():
                assert len(done) == 7
                done.append(1)
            def test_one(): assert done
            def test_two(): assert done
            def test_three(): assert done
        """
        }
    )
    locked(
        {"free": 3.0, "sets": 0.1, "one": 0.1, "two": 0.1, "three": 0.1},
        {"one": "sets", "two": "sets", "three": "two"},
    )
    before = (project / "unknot.lock.json").read_bytes()
    done = unknot("run", "-n", "2")
    assert done.returncode == 1
    assert f"3 tests need {_id('sets')}, which failed: " in done.stdout
    assert "assert 0 == 7" in done.stdout
    assert "4 failed, 1 passed" in done.stdout
    assert "learned" not in done.stdout
    assert (project / "unknot.lock.json").read_bytes() == before


def test_a_flaky_test_is_called_so_and_nothing_is_learned(
    write: Write, unknot: Unknot, locked: Locked, project: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "ran-before"
    write(
        {
            FILE: f"""
            import pathlib
            mark = pathlib.Path({str(mark)!r})
            def test_other(): pass
            def test_moody():
                if not mark.exists():
                    mark.touch()
                    raise ValueError("the first time")
        """
        }
    )
    locked({"other": 1.0, "moody": 1.0})
    before = (project / "unknot.lock.json").read_bytes()
    done = unknot("run", "-n", "2")
    assert done.returncode == 0, done.stdout
    assert f"{_id('moody')} is flaky" in done.stdout
    assert (project / "unknot.lock.json").read_bytes() == before


def test_a_new_test_that_needs_an_old_one_passes_and_is_reported(write: Write, unknot: Unknot, locked: Locked) -> None:
    write({FILE: NEW_NEED})
    locked({"first": 1.0, "middle": 0.1})
    done = unknot("run", "-n", "2", "--junit-xml", "out.xml")
    assert done.returncode == 0, done.stdout
    assert f"1 test not in the lock file, run last in suite order: {_id('last')}" in done.stdout
    assert f"{_id('last')} passes only in suite order: run `unknot detect`" in done.stdout


def test_the_lock_file_that_was_learned_is_read_by_explain(write: Write, unknot: Unknot, locked: Locked) -> None:
    write({FILE: NEW_NEED})
    locked({"first": 2.0, "middle": 0.1, "last": 2.0})
    assert unknot("run", "-n", "2", "-q").returncode == 0
    done = unknot("explain", _id("last"))
    assert _id("first") in done.stdout
    assert json.loads(unknot("report", "--format", "json").stdout)["needs"][0]["complete"] is False
