"""Records what state flows between tests: one or two runs of the suite in its own order."""

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.app.recording.whole_suite import notes_on_left_out, record_whole_suite
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.recording import FlowKind, Recording
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.recorder.flows import recording
from unknot.recorder.renaming import renamed
from unknot.recorder.second_request import second_request
from unknot.report.wording import counted
from unknot.runners.pytest.whole_run import OutOfTime, run_recorded
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.settings import Settings
from unknot.store.recording_file import read_recording
from unknot.store.state_directory import StateDirectory

TEMPORARY = "<tmp>"
"""Stands for the directories in which pytest and `tempfile` create new ones."""

_MOST_LEFT_OUT = 5
_ENDS_PROCESS = (Outcome.CRASHED, Outcome.TIMED_OUT)


def record(
    settings: Settings,
    *,
    stop: Sequence[str] = (),
    leave_out: Sequence[TestId] = (),
    looks: int = 2,
    seconds: float = float("inf"),
) -> Recording:
    """Runs the suite in a working copy: once for what flows, and, if anything does, once more for the lines of code,
    for reads before a write, and to recognise caches. Tests that take the process down are left out, a few at most, and
    named in the notes. Raises RunnerError if the suite cannot be recorded at all, or not within these seconds; if only
    the second run fails, the first one is the result."""
    deadline = time.monotonic() + seconds

    def run(place: PytestWorkspace, out: Sequence[TestId]) -> Recording:
        return renamed(_recorded(settings, stop, out, place, looks, deadline), partial(_with_original_paths, place))

    found, out = record_whole_suite(settings, leave_out, _MOST_LEFT_OUT, run)
    return replace(found, notes=(*found.notes, *notes_on_left_out(out)))


def _recorded(
    settings: Settings, stop: Sequence[str], out: Sequence[TestId], place: PytestWorkspace, looks: int, deadline: float
) -> Recording:
    first, outcomes = run_recorded(place, stop, None, out, deadline - time.monotonic())
    found = recording(first, None, outcomes)
    wanted = second_request(first, found) if looks > 1 else None
    if wanted is None:
        return found
    # In the same place again, so that all paths stay the same.
    shutil.rmtree(place.home)
    again = PytestWorkspace(place.home.parent, place.number, settings)
    try:
        second, _ = run_recorded(again, stop, wanted, out, deadline - time.monotonic())
    except OutOfTime:
        return replace(
            found, notes=(*found.notes, "the lines of writes, and which values are only caches: no time was left")
        )
    return recording(first, second, outcomes)


def _with_original_paths(place: PytestWorkspace, text: str) -> str:
    """Paths in the project as the user knows them, and paths in temporary directories the same in every run."""
    for directory in (place.scratch, place.temporary):
        text = text.replace(str(directory), TEMPORARY)
    return place.original_id(text)


def note_differences(found: Recording, expected: Mapping[TestId, Outcome], listener: ProgressListener) -> None:
    """Names the tests whose outcome changed because they were recorded."""
    for test, outcome in found.outcomes.items():
        if test in expected and outcome is not expected[test]:
            usual = expected[test].value
            listener.note(f"{shown(test)} {outcome.value} while it was recorded, {usual} otherwise")


def report_recording(found: Recording, listener: ProgressListener) -> None:
    """Sums up what was recorded, and what could not be."""
    flows = [flow for flow in found.flows if flow.kind is FlowKind.READ_AFTER_WRITE]
    caches = sum(flow.harmless for flow in flows)
    pairs = {(flow.writer, flow.reader) for flow in flows if not flow.harmless}
    through_caches = f", and {counted(caches, 'flow')} through caches" if caches else ""
    listener.note(f"recorded: {counted(len(pairs), 'test pair')} sharing state{through_caches}")
    for note in found.notes:
        listener.note(f"not recorded: {shown(note)}")


def ends_process(outcomes: Mapping[TestId, Outcome]) -> list[TestId]:
    """Tests that would end the recording."""
    return [test for test, outcome in outcomes.items() if outcome in _ENDS_PROCESS]


def touched_outside(state: Path) -> Mapping[TestId, tuple[str, ...]]:
    """Tests that use what no fork copies, such as files and ports, by the last recording; empty if there is none."""
    try:
        return read_recording(StateDirectory(state).recording).outside
    except StorageError:
        return {}
