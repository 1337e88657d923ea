"""What `detect --coverage` records of awkward suites, in real processes."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from recorded_project import affected_now, command, short, write_files

from unknot.coverage.contexts import read_contexts
from unknot.coverage.coverage_recording import CoverageRecording, dumps, read_recording, recording_path
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId


def recorded(root: Path, files: dict[str, str], *words: str) -> tuple[CoverageRecording, str]:
    write_files(root, {"pytest.ini": "[pytest]\npythonpath = .\n", **files})
    done = command(root, "unknot", "detect", "-q", "-n", "1", "--max-orders", "4", "--coverage", *words)
    path = recording_path(root / ".unknot" / "coverage")
    assert path.exists(), done.stdout + done.stderr
    return read_recording(path), done.stderr


def blind(recording: CoverageRecording) -> set[str]:
    return short(set(recording.blind))


def test_processes_traces_reads_and_listings_are_seen(tmp_path: Path) -> None:
    recording, _ = recorded(
        tmp_path,
        {
            "data/a.txt": "a\n",
            "at_import.txt": "b\n",
            "test_it.py": """
                import os, subprocess, sys
                from pathlib import Path

                HERE = Path(__file__).parent
                TEXT = (HERE / "at_import.txt").read_text()

                def test_process():
                    subprocess.run([sys.executable, "-c", ""])

                def test_traces():
                    sys.settrace(None)

                def test_after_that():
                    assert TEXT

                def test_reads():
                    (HERE / "data" / "a.txt").read_text()

                def test_lists():
                    os.listdir(HERE / "data")

                def test_looks_for():
                    try:
                        open(HERE / "missing.txt")
                    except OSError:
                        pass

                def test_writes():
                    (HERE / "out.txt").write_text("x")
                """,
        },
    )
    assert blind(recording) == {"test_process", "test_traces"}
    assert {path: short(set(known.tests)) for path, known in recording.data.items()} == {
        "at_import.txt": set(),
        "data": {"test_lists"},
        "data/a.txt": {"test_reads"},
        "missing.txt": {"test_looks_for"},
    }
    assert recording.data["at_import.txt"].modules == {"test_it.py"}
    assert not (tmp_path / "out.txt").exists(), "recorded in a working copy"
    lines = read_contexts(tmp_path / ".unknot" / "coverage").lines["test_it.py"]
    assert lines[TestId("test_it.py::test_after_that")], "measured again after a test that traces"

    (tmp_path / "missing.txt").write_text("now it is there")
    always = {"test_process", "test_traces"}
    assert short(affected_now(tmp_path)) == {"test_looks_for", *always}
    (tmp_path / "missing.txt").unlink()
    (tmp_path / "data" / "b.txt").write_text("new")
    assert short(affected_now(tmp_path)) == {"test_lists", *always}


def test_the_projects_own_coverage_settings_do_not_hide_its_tests(tmp_path: Path) -> None:
    recording, _ = recorded(
        tmp_path,
        {
            ".coveragerc": """
                [run]
                branch = True
                source = lib
                omit = test_*
                parallel = True
                dynamic_context = test_function
                context = mine
                """,
            "lib/__init__.py": "def f(x):\n    if x:\n        return 1\n    return 2\n",
            "test_it.py": "from lib import f\n\ndef test_f():\n    assert f(1) == 1\n",
        },
    )
    found = read_contexts(tmp_path / ".unknot" / "coverage")
    test = TestId("test_it.py::test_f")
    assert found.tests == {test}
    assert found.lines["lib/__init__.py"][test] == {2, 3}
    assert (2, 3) in found.arcs["lib/__init__.py"][test]
    assert found.lines["test_it.py"][test] == {4}
    assert found.at_import == {"lib/__init__.py": {1}, "test_it.py": {1, 3}}
    assert recording.outcomes == {test: Outcome.PASSED}
    assert not list(tmp_path.glob(".coverage.*"))


def test_pytest_cov_may_be_in_the_projects_options(tmp_path: Path) -> None:
    options = "[pytest]\npythonpath = .\naddopts = -p pytest_cov.plugin --cov=lib --cov-branch\n"
    files = {"lib.py": "def f():\n    return 1\n", "test_it.py": "import lib\n\ndef test_f():\n    assert lib.f()\n"}
    recorded(tmp_path, {**files, "pytest.ini": options})
    found = read_contexts(tmp_path / ".unknot" / "coverage")
    assert found.lines["lib.py"] == {TestId("test_it.py::test_f"): frozenset({2})}


@dataclass(frozen=True)
class Recorded:
    root: Path
    recording: CoverageRecording
    messages: str


@pytest.fixture(scope="module")
def recorded_once(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A test that notices that it is measured, one that ends its process, and one that reads its own file."""
    root = tmp_path_factory.mktemp("recorded")
    traced = "import sys\n\ndef test_not_traced():\n    assert sys.gettrace() is None\n\ndef test_fine():\n    pass\n"
    files = {
        "test_a_traced.py": traced,
        "test_b_reads.py": "def test_it():\n    assert open(__file__).read()\n",
        "test_c_ends.py": "import os\n\ndef test_ends():\n    os._exit(3)\n\ndef test_fine():\n    pass\n",
    }
    return Recorded(root, *recorded(root, files))


def test_a_test_that_fails_only_while_it_is_measured_is_named(recorded_once: Recorded) -> None:
    test = TestId("test_a_traced.py::test_not_traced")
    assert f"{test} failed while it was measured, passed otherwise" in recorded_once.messages
    assert recorded_once.recording.outcomes[test] is Outcome.FAILED
    assert short(affected_now(recorded_once.root)) == {"test_not_traced"}, "a test that failed is always selected"


def test_a_test_that_ends_its_process_is_left_out_and_reported(recorded_once: Recorded) -> None:
    assert set(recorded_once.recording.outcomes) == {
        "test_a_traced.py::test_not_traced",
        "test_a_traced.py::test_fine",
        "test_b_reads.py::test_it",
        "test_c_ends.py::test_fine",
    }
    assert "1 test could not be measured and will always be selected" in recorded_once.messages


def test_a_recording_is_read_as_it_was_written(recorded_once: Recorded, tmp_path: Path) -> None:
    recording = recorded_once.recording
    (tmp_path / "copy.json").write_text(dumps(recording))
    assert read_recording(tmp_path / "copy.json") == recording
    assert recording.data["test_b_reads.py"].tests == {"test_b_reads.py::test_it"}
    assert recording.environment[0].startswith("python==")
