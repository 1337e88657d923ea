"""The result that a plan is made from when nothing was proved: the flows of a recording."""

from dataclasses import replace

from unknot.app.configuration import require_pytest
from unknot.app.known_result import known_result
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.recording.trace import TraceOptions, Tracing
from unknot.app.session.session import open_session, settings_from
from unknot.model.dependencies import Dependencies
from unknot.model.errors import RunnerError, StorageError
from unknot.model.recording import FlowKind, Recording
from unknot.plan.constraints.recorded import assumed_dependencies
from unknot.report.wording import counted
from unknot.store.durations import read_durations, with_assumed_durations, with_durations
from unknot.store.recording_file import read_recording
from unknot.store.state_directory import StateDirectory

NOTHING_PROVED = (
    "planned by what one recorded run showed; nothing was proved: `unknot detect` proves which of it is needed"
)


def assumed_result(options: RunnerOptions, files: ProjectFiles, listener: ProgressListener) -> Dependencies:
    """What the recording in the state directory suggests, and what the lock file proves, with a duration for each test.
    The suite is recorded if there is no recording, or it cannot be read. Raises UsageError for a suite that is not
    pytest's, and what running the suite raises."""
    require_pytest(options.configuration, "from-recording", options.runner)
    state = StateDirectory(files.state_dir)
    recording = _kept(state, listener) or _recorded(options, files, listener)
    found = assumed_dependencies(recording, proved_result(files))
    durations = files.durations_file or state.durations
    if files.durations_file is not None or durations.exists():
        found = with_durations(found, read_durations(durations))
    flows = sum(flow.kind is FlowKind.READ_AFTER_WRITE and not flow.harmless for flow in recording.flows)
    listener.note(f"{NOTHING_PROVED} ({counted(flows, 'flow')} between tests recorded)")
    return with_assumed_durations(found)


def proved_result(files: ProjectFiles) -> Dependencies | None:
    """The content of the lock file; None if there is none. Raises StorageError if it cannot be read."""
    return known_result(files) if files.lock.exists() else None


def nothing_proved(assumed: Dependencies) -> Dependencies:
    """What a lock file says of a suite of which only the reference order is known."""
    size = len(assumed.suite)
    return replace(assumed, needs=(), conflicts=(), untried=size * (size - 1), complete=False)


def _kept(state: StateDirectory, listener: ProgressListener) -> Recording | None:
    if not state.recording.exists():
        return None
    try:
        return read_recording(state.recording)
    except StorageError as problem:
        listener.note(f"the suite is recorded again: {problem.message}")
        return None


def _recorded(options: RunnerOptions, files: ProjectFiles, listener: ProgressListener) -> Recording:
    StateDirectory(files.state_dir).prepare()
    with open_session(settings_from(options, listener), options, listener) as session:
        settings = session.settings
    with Tracing(TraceOptions(trace=True), settings, files.state_dir, listener) as tracing:
        found = tracing.both_looks()
    if found is None:
        raise RunnerError(
            "the suite could not be recorded, so there is nothing to plan by",
            hint="Run `unknot detect`, which needs no recording.",
            slug="recording-aborted",
        )
    return found
