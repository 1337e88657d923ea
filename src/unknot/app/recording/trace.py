"""What `detect --trace` does: the suite once or twice in its own order, watched."""

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console

from unknot.app.recording.whole_suite import recorded_whole, told_left_out
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.recording import FlowKind, Recording
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.recorder.flows import recording
from unknot.recorder.renaming import renamed
from unknot.recorder.second_request import second_request
from unknot.report.wording import counted
from unknot.runners.pytest.trace_run import run_recorded
from unknot.runners.pytest.whole_run import OutOfTime
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.settings import Settings
from unknot.store.recording_file import FILE, read_recording

TEMPORARY = "<tmp>"
"""Stands for the directories that pytest and `tempfile` make new ones in."""

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
    """Runs the suite in a working copy, once to see what flows, and once more for the lines, for who reads before
    something is written, and for what is only a cache: not if nothing flows. Tests that take the process down are left
    out, a few at most, and named in the notes. Raises RunnerError if the suite cannot be recorded at all, or not within
    these seconds; if that is so of the second run only, the first one is the result."""
    deadline = time.monotonic() + seconds

    def run(place: PytestWorkspace, out: Sequence[TestId]) -> Recording:
        return renamed(_recorded(settings, stop, out, place, looks, deadline), partial(_users_words, place))

    found, out = recorded_whole(settings, leave_out, _MOST_LEFT_OUT, run)
    return replace(found, notes=(*found.notes, *told_left_out(out)))


def _recorded(
    settings: Settings, stop: Sequence[str], out: Sequence[TestId], place: PytestWorkspace, looks: int, deadline: float
) -> Recording:
    first, outcomes = run_recorded(place, stop, None, out, deadline - time.monotonic())
    seen = recording(first, None, outcomes)
    wanted = second_request(first, seen) if looks > 1 else None
    if wanted is None:
        return seen
    # In the same place again, so that all paths are the same ones.
    shutil.rmtree(place.home)
    again = PytestWorkspace(place.home.parent, place.number, settings)
    try:
        second, _ = run_recorded(again, stop, wanted, out, deadline - time.monotonic())
    except OutOfTime:
        return replace(
            seen, notes=(*seen.notes, "the lines of writes, and what is only a cache: there was no time left")
        )
    return recording(first, second, outcomes)


def _users_words(place: PytestWorkspace, text: str) -> str:
    """Paths in the project as the user knows them, and those of temporary directories the same each time."""
    for directory in (place.scratch, place.temporary):
        text = text.replace(str(directory), TEMPORARY)
    return place.original_id(text)


def tell_differences(found: Recording, expected: Mapping[TestId, Outcome], console: Console) -> None:
    """Says where the recording has changed something."""
    for test, outcome in found.outcomes.items():
        if test in expected and outcome is not expected[test]:
            usual = expected[test].value
            console.print(f"{shown(test)} is {outcome.value} while it is recorded, {usual} otherwise", markup=False)


def tell(found: Recording, console: Console) -> None:
    """Says in a few lines what was seen."""
    flows = [flow for flow in found.flows if flow.kind is FlowKind.READ_AFTER_WRITE]
    caches = sum(flow.harmless for flow in flows)
    pairs = {(flow.writer, flow.reader) for flow in flows if not flow.harmless}
    console.print(
        f"recorded: {counted(len(pairs), 'pair')} of tests where one finds what the other left"
        + (f", and {counted(caches, 'flow')} through caches" if caches else ""),
        markup=False,
    )
    for note in found.notes:
        console.print(f"not looked into: {shown(note)}", markup=False)


def ends_process(outcomes: Mapping[TestId, Outcome]) -> list[TestId]:
    """Tests that would take the recording with them."""
    return [test for test, outcome in outcomes.items() if outcome in _ENDS_PROCESS]


def touched_outside(state: Path) -> Mapping[TestId, tuple[str, ...]]:
    """Which tests were seen to touch what no fork copies, the last time that the suite was recorded; empty if it never
    was."""
    try:
        return read_recording(recording_path(state)).outside
    except StorageError:
        return {}


def recording_path(state: Path) -> Path:
    return state / FILE
