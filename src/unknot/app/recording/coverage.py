"""Records what each test covers: one more run of the suite in its own order, measured."""

import importlib.util
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unknot.app.progress import ProgressListener
from unknot.app.recording.whole_suite import record_whole_suite
from unknot.coverage.coverage_recording import CoverageRecording, ReadFile, dumps, recording_path
from unknot.coverage.data_file import IMPORT, write_data
from unknot.coverage.project_files import CONFIGURATION, digest_now, environment_now, source_now
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.report.wording import counted
from unknot.runners.pytest.whole_run import run_measured
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.state_directory import StateDirectory

_CHANGED_MEANWHILE = "?"


def check_coverage_installed() -> None:
    """Raises UsageError. Better before an hour of detection than after it."""
    if importlib.util.find_spec("coverage") is None:
        raise UsageError(
            "recording coverage needs the coverage package",
            hint="Run `pip install 'unknot[coverage]'`.",
            slug="coverage-missing",
        )


def record_coverage(settings: Settings, dependencies: Dependencies, state: Path, listener: ProgressListener) -> None:
    """Runs the suite once in a working copy and writes `coverage` and what belongs to it into the state directory.

    Tests that end their process in the reference order are left out, as they would end the recording: they have
    no coverage, and are always selected. Raises RunnerError if the run does not finish; then an earlier recording
    stays as it was.
    """
    target = StateDirectory(state).coverage
    left_out = [test for test, outcome in dependencies.outcomes.items() if outcome.ends_process]
    record_whole_suite(
        settings, left_out, 0, lambda place, out: _Recording(dependencies, place, listener).record(target, out)
    )


class _Recording:
    def __init__(self, dependencies: Dependencies, place: PytestWorkspace, listener: ProgressListener) -> None:
        self._dependencies = dependencies
        self._place = place
        self._listener = listener
        self._started = time.time()

    def record(self, target: Path, left_out: Sequence[TestId]) -> None:
        raw = self._place.home / "data"
        answer = run_measured(self._place, raw, left_out)
        outcomes = {
            TestId(self._place.original_id(test)): Outcome(outcome) for test, (outcome, _) in answer["tests"].items()
        }
        parts = {
            self._place.original_id(context): [self._place.original_id(part) for part in found]
            for context, found in answer["parts"].items()
        }
        measured = write_data(raw, target, outcomes, parts, self._relative)
        recording = self._recording(answer, outcomes, parts, measured.files)
        write_atomically(recording_path(target), dumps(recording))
        self._report(outcomes, recording, target)

    def _relative(self, path: str) -> str | None:
        """From the project's root, or None for what does not belong to the project."""
        original = self._place.original(path)
        return original.relative_to(self._place.root).as_posix() if original.is_relative_to(self._place.root) else None

    def _recording(
        self,
        answer: Mapping[str, Any],
        outcomes: Mapping[TestId, Outcome],
        parts: Mapping[str, list[str]],
        measured: frozenset[str],
    ) -> CoverageRecording:
        modules = {name: path for name, file in answer["modules"].items() if (path := self._relative(file))}
        users = _users(outcomes, parts)
        sources = {*measured, *modules.values(), *CONFIGURATION}
        read = {path: owners for file, owners in answer["read"].items() if (path := self._relative(file))}
        return CoverageRecording(
            sources={path: text for path in sorted(sources) if (text := self._source(path)) is not None},
            data={path: self._data_file(path, owners, users) for path, owners in read.items()},
            modules=modules,
            outcomes=outcomes,
            blind=self._blind(answer, users),
            environment=environment_now(),
        )

    def _source(self, path: str) -> str | None:
        text = source_now(self._place.root, path)
        # It was edited meanwhile. Text that does not parse differs from any source.
        return f"{text}\n'{_CHANGED_MEANWHILE}" if text is not None and self._is_newer(path) else text

    def _data_file(self, path: str, owners: list[str], users: Mapping[str, frozenset[TestId]]) -> ReadFile:
        places = [self._place.original_id(owner) for owner in owners]
        modules = (self._relative(place.removeprefix(IMPORT)) for place in places if place.startswith(IMPORT))
        return ReadFile(
            digest=_CHANGED_MEANWHILE if self._is_newer(path) else digest_now(self._place.root, path),
            tests=frozenset[TestId]().union(*(users.get(place, frozenset()) for place in places)),
            modules=frozenset(module for module in modules if module),
            everyone="" in places,
        )

    def _blind(self, answer: Mapping[str, Any], users: Mapping[str, frozenset[TestId]]) -> dict[TestId, str]:
        found: dict[TestId, str] = {}
        for owners, why in (
            (answer["started_processes"], "it starts other processes, which are not measured"),
            (answer["unmeasured"], "it sets its own trace function, so only part of it was measured"),
        ):
            for owner in owners:
                found.update(dict.fromkeys(users.get(self._place.original_id(owner), ()), why))
        return found

    def _is_newer(self, path: str) -> bool:
        place = self._place.root / path
        try:
            return place.is_file() and place.stat().st_mtime > self._started
        except OSError:
            return True

    def _report(self, outcomes: Mapping[TestId, Outcome], recording: CoverageRecording, target: Path) -> None:
        for test, outcome in outcomes.items():
            expected = self._dependencies.outcomes.get(test)
            if outcome.is_bad and expected is not None and not expected.is_bad and test not in self._dependencies.flaky:
                self._listener.note(f"{shown(test)} {outcome.value} while it was measured, {expected.value} otherwise")
        if unmeasured := [test for test in self._dependencies.suite.tests if test not in outcomes]:
            self._listener.note(f"{counted(len(unmeasured), 'test')} could not be measured and will always be selected")
        files = counted(len(recording.sources), "file")
        self._listener.note(f"coverage of {counted(len(outcomes), 'test')} in {files}: {target}")


def _users(outcomes: Mapping[TestId, Outcome], parts: Mapping[str, list[str]]) -> dict[str, frozenset[TestId]]:
    """Which tests a context is a part of."""
    found: dict[str, set[TestId]] = {}
    for test in outcomes:
        contexts: list[str] = [test]
        for context in contexts:
            found.setdefault(context, set()).add(test)
            contexts.extend(part for part in parts.get(context, ()) if part not in contexts)
    return {context: frozenset(tests) for context, tests in found.items()}
