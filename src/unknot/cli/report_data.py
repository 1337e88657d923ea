"""Puts together what reports are given: the result, and what the project's directory knows beyond it."""

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from unknot.cli.excerpts import Excerpts, excerpts_of
from unknot.cli.trace_recording import recording_path
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.recording import Recording
from unknot.report.report import Report
from unknot.store.recording_file import read_recording


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
