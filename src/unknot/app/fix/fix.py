"""Removes dependencies by changes of the tests, tried in a copy of the project; and explains them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from unknot.app.configuration import require_pytest
from unknot.app.find_tests import find_test
from unknot.app.fix.edges import Edge, all_edges, edges_of
from unknot.app.fix.trial import Cut, FixTrial
from unknot.app.fix.workspace import open_workspace
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.recording.kept import recording_of_suite
from unknot.app.report import last_invocation, read_last_recording
from unknot.app.session.session import settings_from
from unknot.fix.source_file import unified_diff_bytes
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError, UnknotError, UsageError
from unknot.model.recording import Recording
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.runners.settings import Settings
from unknot.store.atomic import write_bytes_atomically
from unknot.store.fingerprint import file_digest
from unknot.store.lock import read_lock
from unknot.store.state_directory import StateDirectory
from unknot.store.tried_fixes import TriedFix, remember_fixes

TRIAL_SECONDS = 120.0

_LIST_HINT = "Run `unknot report` for a list of the tests that depend on others."


@dataclass(frozen=True, kw_only=True)
class TrialOptions:
    """No new trial starts after so many seconds."""

    runner: RunnerOptions
    files: ProjectFiles = field(default_factory=ProjectFiles)
    seconds: float = TRIAL_SECONDS


@dataclass(frozen=True)
class Fixes:
    """One `Cut` for each dependency. `changes` are the files of the project before and after, by their paths from
    `root`; `complete` says that every dependency can be removed."""

    root: Path
    cuts: tuple[Cut, ...]
    changes: Mapping[str, tuple[bytes | None, bytes]]
    complete: bool


def find_fixes(test: str | None, options: TrialOptions, listener: ProgressListener) -> Fixes:
    """For all dependencies of the test, or of all tests if none is named. Changes no file of the user's. Raises
    UsageError for a test without dependencies. The suite is recorded if that was not done before."""
    require_pytest(options.runner.configuration, "fix", options.runner.runner)
    dependencies = read_lock(options.files.lock)
    edges = all_edges(dependencies) if test is None else _edges_of_test(test, dependencies)
    concerned = {other for edge in edges for other in (edge.dependent, *edge.others)}
    recording = recording_of_suite(options.runner, options.files, listener, concerned)
    with _trial(options, dependencies, recording, listener) as trial:
        cuts = []
        for cut in trial.cut_all(edges):
            end = cut.note or "removed; both proof orders and the whole suite were run with the change"
            listener.result(f"{shown(cut.edge.description)}: {shown(end)}")
            cuts.append(cut)
        _remember(cuts, trial, options.files.state_dir)
        changes = {path: (trial.workspace.read(path), content) for path, content in trial.changes.items()}
        return Fixes(trial.workspace.root, tuple(cuts), changes, len(trial.done) == len(edges))


def _remember(cuts: Sequence[Cut], trial: FixTrial, state: Path) -> None:
    """For the report."""
    worked = [(cut.edge, cut.suggestion) for cut in cuts if cut.suggestion is not None]
    if worked:
        remember_fixes(
            StateDirectory(state).fixes,
            [
                TriedFix(
                    edge.dependent,
                    edge.others,
                    change.summary,
                    change.path,
                    file_digest(trial.workspace.copy / change.path),
                    unified_diff_bytes(change.path, change.before, change.after).decode("utf-8", "replace"),
                )
                for edge, change in worked
            ],
        )


def write_fixes(fixes: Fixes) -> list[Path]:
    """Changes the files, and returns them. Raises StorageError, and writes nothing, if one was changed meanwhile."""
    for path, (before, _) in fixes.changes.items():
        _check_unchanged(fixes.root / path, before)
    for path, (_, after) in fixes.changes.items():
        write_bytes_atomically(fixes.root / path, after)
    return [fixes.root / path for path in fixes.changes]


def explain_test(
    test: TestId, dependencies: Dependencies, options: TrialOptions, listener: ProgressListener, *, tries: bool
) -> tuple[list[Cut], Recording | None]:
    """The claims about a test with their reasons, and with changes that remove them if `tries`."""
    edges = edges_of(dependencies, test)
    recording = read_last_recording(options.files.state_dir) if edges else None
    if recording is None:
        return [Cut(edge) for edge in edges], None
    known = [Cut(edge, edge.reasons(recording)) for edge in edges]
    if not tries or not any(cut.reasons for cut in known):
        return known, recording
    try:
        with _trial(options, dependencies, recording, listener) as trial:
            return list(trial.cut_all(edges)), recording
    except UnknotError as problem:
        # What is known is worth reporting all the same.
        note = f"nothing could be tried: {problem.message.splitlines()[0]}"
        return [replace(cut, note=note) for cut in known], recording


def _edges_of_test(name: str, dependencies: Dependencies) -> Sequence[Edge]:
    test = find_test(dependencies, name)
    if test not in dependencies.suite.index:
        raise UsageError(f"no such test: {shown(test)}", hint=_LIST_HINT, slug="no-such-test")
    edges = edges_of(dependencies, test)
    if not edges:
        raise UsageError(f"{shown(test)} depends on no other test", hint=_LIST_HINT, slug="test-independent")
    return edges


@contextmanager
def _trial(
    options: TrialOptions, dependencies: Dependencies, recording: Recording, listener: ProgressListener
) -> Iterator[FixTrial]:
    """In a copy of the project, run as the detection ran it."""
    settings = _with_detection_options(settings_from(options.runner, listener), options.files.state_dir)
    with open_workspace(settings, options.runner.runner) as workspace:
        yield FixTrial(workspace, dependencies, recording, options.seconds, lambda text: listener.status(shown(text)))


def _with_detection_options(settings: Settings, state: Path) -> Settings:
    """The options of the detection, which are remembered with the command that starts the tests, unless some are
    given."""
    if settings.options:
        return settings
    words = last_invocation(state)
    return replace(settings, options=words[words.index("pytest") + 1 :] if "pytest" in words else ())


def _check_unchanged(path: Path, before: bytes | None) -> None:
    try:
        now = path.read_bytes()
    except OSError as problem:
        raise StorageError(
            f"cannot read {path}: {problem.strerror}", hint="Nothing was written.", slug="file-unreadable"
        ) from problem
    if now != before:
        raise StorageError(
            f"{path} was changed meanwhile", hint="Nothing was written. Run the command again.", slug="file-changed"
        )
