"""The result that a plan is made from when nothing was proved: the flows of a recording."""

from dataclasses import replace

from unknot.app.configuration import require_pytest
from unknot.app.known_result import known_result
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.recording.kept import recording_of_suite
from unknot.model.dependencies import Dependencies
from unknot.model.recording import FlowKind
from unknot.plan.constraints.recorded import assumed_dependencies
from unknot.report.wording import counted
from unknot.store.durations import read_durations, with_assumed_durations, with_durations
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
    recording = recording_of_suite(options, files, listener)
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
