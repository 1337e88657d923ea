"""The recording of the suite and its coverage: those in the state directory, or new ones if there are none."""

from collections.abc import Collection
from pathlib import Path

from unknot.app.configuration import require_pytest
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.recording.coverage import check_coverage_installed, record_coverage
from unknot.app.recording.trace import TraceOptions, Tracing
from unknot.app.session.session import open_session, settings_from
from unknot.model.dependencies import Dependencies
from unknot.model.errors import RunnerError, StorageError
from unknot.model.recording import Recording
from unknot.model.suite import TestId
from unknot.store.recording_file import read_recording
from unknot.store.state_directory import StateDirectory


def recording_of_suite(
    options: RunnerOptions, files: ProjectFiles, listener: ProgressListener, tests: Collection[TestId] = ()
) -> Recording:
    """Records the suite, and keeps the recording, if there is none that can be read and has these tests: in a fresh
    clone there is only the lock file, and dependencies of new tests are found without a recording of the whole suite.
    Raises RunnerError if the suite cannot be recorded, and what running it raises."""
    kept = _kept(StateDirectory(files.state_dir), listener)
    if kept is None or not {*tests} <= {*kept.tests}:
        return _recorded(options, files, listener)
    return kept


def coverage_of_suite(
    options: RunnerOptions, files: ProjectFiles, dependencies: Dependencies, listener: ProgressListener
) -> Path:
    """The data file with what each test covers. Records it if there is none. Raises UsageError if that cannot be done
    here, and what running the suite raises."""
    state = StateDirectory(files.state_dir)
    if not state.coverage.exists():
        require_pytest(options.configuration, "recording coverage", options.runner)
        check_coverage_installed()
        state.prepare()
        with open_session(settings_from(options, listener), options, listener) as session:
            settings = session.settings
        listener.status("recording what each test covers")
        record_coverage(settings, dependencies, files.state_dir, listener)
    return state.coverage


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
            "the suite could not be recorded",
            hint="The note above says why. `unknot detect` needs no recording.",
            slug="recording-aborted",
        )
    return found
