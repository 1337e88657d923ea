"""What reports are made of: the result, and what the state directory knows beyond it."""

import json
from dataclasses import replace
from os.path import normpath
from pathlib import Path

from unknot.app.excerpts import excerpts_of
from unknot.app.progress import ProgressListener
from unknot.model.errors import StorageError
from unknot.model.recording import Recording
from unknot.report.report import Report
from unknot.runners.sandbox.working_copy import project_root
from unknot.store.atomic import write_atomically
from unknot.store.fingerprint import file_digest
from unknot.store.recording_file import read_recording
from unknot.store.state_directory import StateDirectory
from unknot.store.tried_fixes import TriedFix, read_tried_fixes
from unknot.store.typed_json import PLAIN, Fault, load

_DEFAULT_INVOCATION = ("pytest",)


def full_report(
    report: Report,
    directory: Path,
    state: Path,
    listener: ProgressListener,
    recording: Recording | None = None,
) -> Report:
    """The report with the lines of code behind its claims, and with changes that were tried. `recording`, if it is not
    given, is the one in the state directory, if there is one; one that cannot be read is reported and ignored. Runs
    nothing."""
    dependencies = report.dependencies
    if not dependencies.has_any:
        return report
    if recording is None:
        try:
            recording = read_last_recording(state)
        except StorageError as problem:
            listener.note(f"no lines of code are shown from the recording: {problem.message}")
    excerpts = excerpts_of(dependencies, recording, directory, state)
    return replace(report, excerpts=excerpts, fixes=current_fixes(directory, state))


def current_fixes(directory: Path, state: Path) -> tuple[TriedFix, ...]:
    """The changes that worked when they were tried, of files that are still as they were then."""
    root = project_root(directory)
    return tuple(fix for fix in read_tried_fixes(StateDirectory(state).fixes) if _digest(root, fix.path) == fix.digest)


def _digest(root: Path, path: str) -> str:
    place = Path(normpath(root / path))
    try:
        return file_digest(place) if place.is_relative_to(root) else ""
    except (StorageError, ValueError):
        return ""


def read_last_recording(state: Path) -> Recording | None:
    """None if the suite was never recorded. Raises StorageError for a recording that cannot be read."""
    path = StateDirectory(state).recording
    return read_recording(path) if path.exists() else None


def remember_invocation(state: Path, words: tuple[str, ...]) -> None:
    """How the tests were started, so that `report` and `explain` print the same commands."""
    write_atomically(StateDirectory(state).invocation, json.dumps(words) + "\n")


def last_invocation(state: Path) -> tuple[str, ...]:
    """`pytest` where nothing is known, as in a fresh clone that has only the lock file."""
    try:
        return PLAIN.read(tuple[str, ...], load(StateDirectory(state).invocation)) or _DEFAULT_INVOCATION
    except Fault:
        return _DEFAULT_INVOCATION
