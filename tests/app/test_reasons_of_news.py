"""The reasons of claims that are new: recorded within a time, and left open if they cannot be."""

from pathlib import Path

import pytest
from noted_crawl import Notes

from unknot.app.recording.concerned import record_concerned
from unknot.app.recording.suite_recorder import SuiteRecorder
from unknot.model.errors import RunnerError
from unknot.model.suite import Suite
from unknot.runners.settings import Settings


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (RunnerError("", slug="recording-failed"), "RunnerError"),
        (RunnerError("no \x1b[2J luck\nmore", slug="recording-failed"), r"no \x1b[2J luck"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
    ],
)
def test_a_recording_that_fails_is_a_note(
    problem: Exception, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise problem

    monkeypatch.setattr(SuiteRecorder, "first_look", fails)
    notes = Notes()
    settings = Settings(tmp_path)
    assert record_concerned([], Suite(()), settings, notes, seconds=1) is None
    assert notes.notes == [f"the reason is not known: {said}"]
