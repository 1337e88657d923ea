"""When a detection records the suite, and what the recording is used for."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.app.recording.trace import ends_process, note_differences, record, report_recording
from unknot.detect.engine.options import Detector, Options
from unknot.detect.sieve.recording import cost_without_recording, estimated_cost
from unknot.model.dependencies import Dependencies
from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.sanitise import shown_lines
from unknot.model.suite import TestId
from unknot.oracle.protocol import Price
from unknot.recorder.reasons import with_reasons
from unknot.report.wording import counted
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.recording_file import dumps
from unknot.store.state_directory import StateDirectory

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
        stable = {test: outcome for test, outcome in dependencies.outcomes.items() if test not in dependencies.flaky}
        note_differences(self.recording, stable, self._listener)
        return with_reasons(dependencies, self.recording)

    def _record(self, outcomes: Mapping[TestId, Outcome]) -> None:
        if missing := [name for name in _COMPILED if not _can_be_imported(name)]:
            self._listener.note(
                f"{missing[0]} is missing, as there was no C compiler when unknot was installed:"
                " only files, databases, ports and processes are recorded"
            )
        self._listener.status("recording what flows from test to test")
        try:
            found = record(
                self._settings,
                stop=self._options.globs,
                leave_out=ends_process(outcomes),
                seconds=self._seconds,
            )
        except RunnerError as problem:
            self._listener.note(shown_lines(problem.message))
            return
        write_atomically(StateDirectory(self._state).recording, dumps(found))
        report_recording(found, self._listener)
        self.recording = found


def _can_be_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def saved_orders(dependencies: Dependencies, detector: Detector, options: Options, price: Price, guide: str) -> str:
    """How many orders the guide, a recording or hints, has saved, by two simulations of the same search on what was
    found. The orders that were run are another number: the journal has some of them, and flaky tests repeat others.
    Empty if it is not known: there was no guide, the search was stopped, or the suite is too large to simulate."""
    if options.recorded is None or not dependencies.complete:
        return ""
    without = cost_without_recording(dependencies, detector, options, price)
    guided = estimated_cost(dependencies, detector, options, price)
    if without is None or guided is None:
        return ""
    return f"with {guide} about {counted(guided.orders, 'order')}, without about {without.orders:,}"


def with_choice(dependencies: Dependencies, remark: str) -> Dependencies:
    """The same, with one more remark on how the search was done."""
    choice = "; ".join(filter(None, (dependencies.cost.choice, remark)))
    return replace(dependencies, cost=replace(dependencies.cost, choice=choice))
