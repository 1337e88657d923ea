"""Puts together what reports are given: the result, and what the project's directory knows beyond it."""

import json
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from unknot.app.excerpts import Excerpts, excerpts_of
from unknot.app.recording.trace import recording_path
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.recording import Recording
from unknot.report.report import Report
from unknot.store.atomic import write_atomically
from unknot.store.recording_file import read_recording

# How the tests were started, kept beside the journal, so that `report` and `explain` print the same commands.
_NAME = "invocation.json"
_DEFAULT = ("pytest",)


def remember(state: Path, words: tuple[str, ...]) -> None:
    write_atomically(state / _NAME, json.dumps(words) + "\n")


def recall(state: Path) -> tuple[str, ...]:
    """`pytest` where nothing is known, as in a fresh clone that has only the lock file."""
    try:
        words = json.loads((state / _NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return _DEFAULT
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        return tuple(words)
    return _DEFAULT


def full_report(report: Report, state: Path, console: Console, recording: Recording | None = None) -> Report:
    """The report with the lines of code behind its claims. `recording`, if it is not given, is the one in the state
    directory, if there is one; one that cannot be read is reported and ignored. Runs nothing."""
    return replace(report, excerpts=_excerpts(report.dependencies, state, console, recording))


def _excerpts(dependencies: Dependencies, state: Path, console: Console, recording: Recording | None) -> Excerpts:
    path = recording_path(state)
    if not dependencies.has_any:
        return {}
    if recording is None and path.exists():
        try:
            recording = read_recording(path)
        except StorageError as problem:
            console.print(f"note: no lines of code are shown from the recording: {problem.message}", markup=False)
    return excerpts_of(dependencies, recording, state)
