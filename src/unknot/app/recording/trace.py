"""Records what state flows between tests, with one or two runs of the suite in its own order: when a detection does
that, and what the recording is used for."""

import importlib
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.app.recording.whole_suite import notes_on_left_out, record_whole_suite
from unknot.model.dependencies import Dependencies
from unknot.model.errors import RunnerError, StorageError
from unknot.model.outcome import Outcome
from unknot.model.recording import FlowKind, Recording
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import TestId
from unknot.recorder.flows import recording
from unknot.recorder.reasons import with_reasons
from unknot.recorder.renaming import renamed
from unknot.recorder.second_request import second_request
from unknot.report.wording import counted
from unknot.runners.pytest.whole_run import OutOfTime, run_recorded
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.recording_file import dumps, read_recording
from unknot.store.state_directory import StateDirectory

TEMPORARY = "<tmp>"
"""Stands for the directories in which pytest and `tempfile` create new ones."""

_MOST_LEFT_OUT = 5
_GRACE = 2
"""A second run that takes so many times longer than it may is killed: it hangs."""

_COMPILED = ("unknot.recorder.native._heap", "unknot.recorder.native._watch", "unknot.recorder.native._step")


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """`trace`: record before the search; None where every order needs a fresh process, and elsewhere after the search,
    for the reasons; False never. `trust_trace`: search only among recorded pairs. `trace_stop`: globs of locations that
    do not count, one per line."""

    trace: bool | None = None
    trust_trace: bool = False
    trace_stop: str = ""

    @property
    def is_wanted(self) -> bool:
        return bool(self.trace or self.trust_trace)

    @property
    def globs(self) -> list[str]:
        return [glob for line in self.trace_stop.splitlines() if (glob := line.strip())]


class Tracing:
    """Records at most once: before the search if the user wants that, or after it if there is something to explain.
    A suite that cannot be recorded is reported, and the detection goes on without. With a limit for the search, the
    recording may take half as long in addition."""

    def __init__(
        self,
        options: TraceOptions,
        settings: Settings,
        state: Path,
        listener: ProgressListener,
        max_seconds: float | None = None,
    ) -> None:
        self._options = options
        self._settings = settings
        self._state = state
        self._listener = listener
        self._seconds = float("inf") if max_seconds is None else max_seconds / 2
        self.recording: Recording | None = None

    def before(self, *, pays: bool) -> Recording | None:
        """Before the search, if the user wants it or if it `pays`: where every order needs a process of its own, the
        orders that it saves are worth more than its two runs."""
        if (self._options.is_wanted or pays) and self._options.trace is not False:
            self._record({})
        return self.recording

    def explained(self, dependencies: Dependencies, *, is_new: bool) -> Dependencies:
        """The same dependencies with their reasons. Without new runs nothing is recorded: what could be explained
        was explained before."""
        wanted = self._options.trace is not False and not self._listener.is_interrupted()
        unexplained = any(not need.why for need in dependencies.needs) or any(
            not each.why for each in dependencies.conflicts
        )
        if self.recording is None and wanted and is_new and unexplained:
            self._record(dependencies.outcomes)
        if self.recording is None:
            return dependencies
        for test, outcome in self.recording.outcomes.items():
            usual = dependencies.outcomes.get(test, outcome)
            if outcome is not usual and test not in dependencies.flaky:
                self._listener.note(f"{shown(test)} {outcome.value} while it was recorded, {usual.value} otherwise")
        return with_reasons(dependencies, self.recording)

    def _record(self, outcomes: Mapping[TestId, Outcome]) -> None:
        if missing := [name for name in _COMPILED if not _can_be_imported(name)]:
            self._listener.note(
                f"{missing[0]} is missing, as there was no C compiler when unknot was installed:"
                " only files, databases, ports and processes are recorded"
            )
        self._listener.status("recording what flows from test to test")
        leave_out = [test for test, outcome in outcomes.items() if outcome.ends_process]
        try:
            found = record(
                self._settings,
                stop=self._options.globs,
                leave_out=leave_out,
                seconds=self._seconds,
                status=self._listener.status,
            )
        except RunnerError as problem:
            self._listener.note(shown_lines(problem.message))
            return
        write_atomically(StateDirectory(self._state).recording, dumps(found))
        self._report(found)
        self.recording = found

    def _report(self, found: Recording) -> None:
        """Sums up what was recorded, and what could not be."""
        flows = [flow for flow in found.flows if flow.kind is FlowKind.READ_AFTER_WRITE]
        caches = sum(flow.harmless for flow in flows)
        pairs = {(flow.writer, flow.reader) for flow in flows if not flow.harmless}
        through_caches = f", and {counted(caches, 'flow')} through caches" if caches else ""
        self._listener.note(f"recorded: {counted(len(pairs), 'test pair')} sharing state{through_caches}")
        for note in found.notes:
            self._listener.note(f"not recorded: {shown(note)}")


def _can_be_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def record(
    settings: Settings,
    *,
    stop: Sequence[str] = (),
    leave_out: Sequence[TestId] = (),
    passes: int = 2,
    seconds: float = float("inf"),
    status: Callable[[str], None] = lambda text: None,
) -> Recording:
    """Runs the suite in a working copy: once for what flows, and, if anything does, once more for the lines of code,
    for reads before a write, and to recognise caches. The second run has a time limit (see `second_request`), and
    `status` is told about it. Tests that take the process down are left out, a few at most, and named in the notes.
    Raises RunnerError if the suite cannot be recorded at all, or not within these seconds; if only the second run
    fails, the first one is the result."""
    deadline = time.monotonic() + seconds

    def run(place: PytestWorkspace, out: Sequence[TestId]) -> Recording:
        found = _recorded(settings, stop, out, place, passes, deadline, status)
        return renamed(found, partial(_with_original_paths, place))

    found, out = record_whole_suite(settings, leave_out, _MOST_LEFT_OUT, run)
    return replace(found, notes=(*found.notes, *notes_on_left_out(out)))


def _recorded(
    settings: Settings,
    stop: Sequence[str],
    out: Sequence[TestId],
    place: PytestWorkspace,
    passes: int,
    deadline: float,
    status: Callable[[str], None],
) -> Recording:
    started = time.monotonic()
    first, outcomes = run_recorded(place, stop, None, out, deadline - started)
    found = recording(first, None, outcomes)
    wanted = second_request(first, found) if passes > 1 else None
    if wanted is None:
        return found
    limit = wanted["limit"]
    status(f"recording again, for the lines that write and to recognise caches: at most {limit:.0f} s")
    # pytest has to start and collect again. After that the second run ends by itself when its time is over.
    now = time.monotonic()
    most = _GRACE * (now - started + limit)
    # In the same place again, so that all paths stay the same.
    shutil.rmtree(place.home)
    again = PytestWorkspace(place.home.parent, place.number, settings)
    try:
        second, _ = run_recorded(again, stop, wanted, out, min(most, deadline - now))
    except RunnerError as problem:
        why = "no time was left" if isinstance(problem, OutOfTime) else "the second run did not come to its end"
        note = f"the lines of writes, and which values are only caches: {why}"
        return replace(found, notes=(*found.notes, note))
    return recording(first, second, outcomes)


def _with_original_paths(place: PytestWorkspace, text: str) -> str:
    """Paths in the project as the user knows them, and paths in temporary directories the same in every run."""
    for directory in (place.scratch, place.temporary):
        text = text.replace(str(directory), TEMPORARY)
    return place.original_id(text)


def touched_outside(state: Path) -> Mapping[TestId, tuple[str, ...]]:
    """Tests that use what no fork copies, such as files and ports, by the last recording; empty if there is none."""
    try:
        return read_recording(StateDirectory(state).recording).outside
    except StorageError:
        return {}
