"""A recording that is damaged, wrong, or of another suite costs time, never a claim and never a verdict."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from told_recording import read, told, wrote

from unknot.store.lock import read_lock
from unknot.store.recording_file import dumps

pytestmark = pytest.mark.slow

FILE = "test_it.py"
SUITE = """\
done, dirty = [], []


def test_sets():
    done.append(1)


def test_victim():
    assert not dirty


def test_beside():
    pass


def test_needs():
    assert done


def test_pollutes():
    dirty.append(1)
"""
TESTS = tuple(f"{FILE}::{name}" for name in ("test_sets", "test_victim", "test_beside", "test_needs", "test_pollutes"))
SETS, VICTIM, BESIDE, NEEDS, POLLUTES = TESTS

Unknot = Callable[..., "subprocess.CompletedProcess[str]"]


def _document(**changes: Any) -> str:
    events = [wrote(SETS, "memory", "test_it.done", "[1]"), read(NEEDS, "memory", "test_it.done")]
    return json.dumps({**json.loads(dumps(told(TESTS, events))), **changes})


def _lying() -> str:
    """Flows that are not there, and none of those that are."""
    return dumps(
        told(
            TESTS,
            [
                wrote(VICTIM, "memory", "test_it.x", "[1]"),
                read(BESIDE, "memory", "test_it.x"),
                wrote(BESIDE, "memory", "test_it.y", "1"),
                *(read(test, "memory", "test_it.y") for test in TESTS),
            ],
        )
    )


RECORDINGS: Mapping[str, str] = {
    "cut off": _document()[:200],
    "no tests": _document(tests=[]),
    "wrong types": _document(outcomes={SETS: 7}),
    "lying flows": _lying(),
    "other suite": dumps(
        told(("test_old.py::test_a", "test_old.py::test_b"), [wrote("test_old.py::test_a", "file", "x")])
    ),
    "other order": dumps(told(tuple(reversed(TESTS)), [wrote(NEEDS, "file", "x"), read(SETS, "file", "x")])),
    "false outcomes": _document(outcomes=dict.fromkeys(TESTS, "failed")),
    "no flows, false outcomes": _document(outcomes=dict.fromkeys(TESTS, "failed"), flows=[]),
    "outside everywhere": _document(outside={test: ["file /tmp/x"] for test in TESTS}),
    "absurd durations": _document(seconds={SETS: -1.0, NEEDS: 1e300}),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / FILE).write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / ".unknot").mkdir()
    return tmp_path


@pytest.fixture
def unknot(project: Path) -> Unknot:
    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "unknot", *words]
        return subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300, check=False)

    return run


def _claims(project: Path) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    found = read_lock(project / "unknot.lock.json")
    needs: set[tuple[str, ...]] = {(need.dependent, *need.any_of) for need in found.needs}
    return needs, {(each.victim, *each.polluters) for each in found.conflicts}


@pytest.mark.parametrize("kind", RECORDINGS)
def test_a_detection_finds_the_same_beside_a_bad_recording(kind: str, project: Path, unknot: Unknot) -> None:
    (project / ".unknot" / "recording.json").write_text(RECORDINGS[kind])
    done = unknot("detect", "-q", "-n", "2")
    assert done.returncode == 1, done.stderr
    assert _claims(project) == ({(NEEDS, SETS)}, {(VICTIM, POLLUTES)})
    assert read_lock(project / "unknot.lock.json").complete


@pytest.mark.parametrize("kind", RECORDINGS)
def test_a_run_by_a_bad_recording_has_the_right_verdicts_and_claims_what_is_true(
    kind: str, project: Path, unknot: Unknot
) -> None:
    (project / ".unknot" / "recording.json").write_text(RECORDINGS[kind])
    done = unknot("run", "--from-recording", "-n", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
    if (project / "unknot.lock.json").exists():
        needs, conflicts = _claims(project)
        assert needs <= {(NEEDS, SETS)}
        assert conflicts <= {(VICTIM, POLLUTES)}
