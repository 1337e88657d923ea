"""Records what state flows between tests, with one or two runs of the suite in its own order: when a detection does
that, and what the recording is used for."""

import importlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from unknot.app.progress import ProgressListener
from unknot.app.recording.concerned import record_concerned
from unknot.app.recording.suite_recorder import SuiteRecorder
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import FlowKind, Recording
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import Suite, TestId
from unknot.recorder.reasons import with_reasons
from unknot.report.wording import counted
from unknot.runners.pytest.collection import is_same_suite
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.recording_file import dumps
from unknot.store.state_directory import StateDirectory

_COMPILED = ("unknot.recorder.native._heap", "unknot.recorder.native._watch", "unknot.recorder.native._step")

_Claim = TypeVar("_Claim", Need, Conflict)

_LACKS_MEMORY = Reason(ReasonKind.MEMORY_NOT_RECORDED)


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """`trace`: record completely before the search; None beside the search; False never. `trust_trace`: search only
    among recorded pairs. `trace_stop`: globs of locations that do not count, one per line."""

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
    """Records the suite at most once; `news_explained` records, beside that, the tests of claims that are new, each
    time that it is called. By default a first look begins before the suite is listed, beside everything else; the
    search waits for it when it can use what flows; and there is a second look, beside the search too, as soon as there
    is something to find or to explain. A suite that cannot be recorded is reported, and the detection goes on without.
    With a limit for the search, the recording may take half as long in addition. Use it as a context manager:
    everything it started ends with it. `is_kept` says whether the recording is written to the state directory."""

    def __init__(
        self,
        options: TraceOptions,
        settings: Settings,
        state: Path,
        listener: ProgressListener,
        max_seconds: float | None = None,
    ) -> None:
        self.is_kept = True
        self._options = options
        self._settings = settings
        self._state = state
        self._listener = listener
        self._seconds = float("inf") if max_seconds is None else max_seconds / 2
        self._resources = ExitStack()
        self._recorder: SuiteRecorder | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._first_look: Future[Recording] | None = None
        self._second_look: Future[Recording] | None = None
        self.recording: Recording | None = None
        self._is_first_look = False
        """Whether the recording lacks what only a second look shows."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.__exit__(kind, error, trace)

    def start(self, leave_out: Sequence[TestId] = ()) -> None:
        """Begins the first look, in a thread, unless the user does not want it or it was begun before."""
        if self._options.trace is False or self.is_under_way:
            return
        recorder = self._new_recorder(leave_out)
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="recorder")
        # In reverse: the recorder is stopped first, so that its thread ends.
        self._resources.callback(self._threads.shutdown)
        self._resources.callback(recorder.stop)
        self._first_look = self._threads.submit(recorder.first_look)

    @property
    def is_under_way(self) -> bool:
        """Whether there is a first look, or will be soon."""
        return self._first_look is not None or self._is_first_look

    def settle(self, settings: Settings) -> None:
        """The suite turned out to be run in this way. A look that was begun in another way is begun again."""
        if settings == self._settings:
            return
        self._settings = settings
        if self._first_look is not None:
            self._resources.close()
            self._first_look = None
            self.start()

    def first_look(self) -> Recording | None:
        """Waits for the look that was begun."""
        if self.recording is None and self._first_look is not None:
            self._listener.status("waiting for the recording of what flows from test to test")
            look, self._first_look = self._first_look, None
            self._keep(look.result)
            self._is_first_look = self.recording is not None
        return self.recording

    def first_outcomes(self, suite: Suite) -> Mapping[TestId, Outcome] | None:
        """What came out of each test in the first look, which this waits for; None if it has not all of them."""
        found = self.first_look()
        if found is None or not is_same_suite(suite, Suite(found.tests)):
            return None
        return {test: found.outcomes[there] for test, there in zip(suite.tests, found.tests, strict=True)}

    def begin_second_look(self) -> None:
        """Waits for the first look, and begins a complete second one beside everything else; `second_look` waits for
        it."""
        self.first_look()
        if self._is_first_look and self._second_look is None:
            assert self._threads is not None
            assert self._recorder is not None
            self._second_look = self._threads.submit(self._recorder.second_look)

    def second_look(self, *, only_reads: bool = False) -> Recording | None:
        """Waits for the first look, and records what only a second one shows: all of it, or only reads before a write,
        which takes much less time. If a second look was begun, waits for that."""
        self.first_look()
        if self._is_first_look:
            assert self._recorder is not None
            begun, self._second_look = self._second_look, None
            self._is_first_look = only_reads and begun is None
            if begun is None:
                status = self._listener.status
                self._keep(partial(self._recorder.second_look, only_reads=only_reads, status=status))
            else:
                self._listener.status("waiting for the second recording, which shows the lines that write, and caches")
                self._keep(begun.result)
        return self.recording

    def both_looks(self, leave_out: Sequence[TestId] = ()) -> Recording | None:
        """Records now, as completely as possible."""
        if self._options.trace is False:
            return None
        self._listener.status("recording what flows from test to test")
        self.start(leave_out)
        first, self._first_look = self._first_look, None
        recorder = self._recorder
        assert first is not None
        assert recorder is not None

        def look() -> Recording:
            first.result()
            return recorder.second_look(status=self._listener.status)

        self._keep(look)
        return self.recording

    def explained(self, dependencies: Dependencies, *, is_new: bool) -> Dependencies:
        """The same dependencies with their reasons. Nothing is recorded if all of them were recorded before, or without
        news: what could be explained was explained before."""
        if _unexplained(dependencies, is_new=is_new) and not self._listener.is_interrupted():
            self._look_for_reasons(dependencies)
        if self.recording is None:
            return dependencies
        for test, outcome in self.recording.outcomes.items():
            usual = dependencies.outcomes.get(test, outcome)
            if outcome is not usual and test not in dependencies.flaky:
                self._listener.note(f"{shown(test)} {outcome.value} while it was recorded, {usual.value} otherwise")
        return with_reasons(dependencies, self.recording)

    def news_explained(self, dependencies: Dependencies, *, is_new: bool) -> Dependencies:
        """The same; but only the tests of claims without a reason are recorded for it, and the reasons that are known
        stay. Costs little where an earlier result has most claims."""
        unexplained = _unexplained(dependencies, is_new=is_new)
        if not unexplained or self._options.trace is False or self._listener.is_interrupted():
            return dependencies
        found = record_concerned(
            unexplained,
            dependencies.suite,
            self._settings,
            self._listener,
            self._options.globs,
            seconds=self._seconds,
        )
        if found is None:
            return dependencies
        explained = with_reasons(dependencies, found)
        return replace(
            dependencies,
            needs=_only_these(unexplained, dependencies.needs, explained.needs),
            conflicts=_only_these(unexplained, dependencies.conflicts, explained.conflicts),
        )

    def _look_for_reasons(self, dependencies: Dependencies) -> None:
        if self.second_look() is None:
            self.both_looks([test for test, outcome in dependencies.outcomes.items() if outcome.ends_process])

    def _new_recorder(self, leave_out: Sequence[TestId]) -> SuiteRecorder:
        if missing := _missing_parts():
            self._listener.note(
                f"memory is not recorded, only files, databases, ports and processes: {missing[0]} is missing, as there"
                " was no C compiler when unknot was installed. `pip install --force-reinstall --no-cache-dir unknot`"
                " with a compiler, or from a wheel, adds it"
            )
        self._recorder = self._resources.enter_context(
            SuiteRecorder(
                self._settings,
                stop_list=self._options.globs,
                leave_out=leave_out,
                seconds=self._seconds,
            )
        )
        return self._recorder

    def _keep(self, look: Callable[[], Recording]) -> None:
        """Writes what the look shows to the state directory; reports it if it cannot be had."""
        try:
            found = look()
        except RunnerError as problem:
            self._listener.note(shown_lines(problem.message))
            return
        except OSError as problem:
            self._listener.note(f"the suite cannot be recorded: {shown(str(problem))}")
            return
        if self.is_kept:
            write_atomically(StateDirectory(self._state).recording, dumps(found))
        if self.recording is None:
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


def _unexplained(dependencies: Dependencies, *, is_new: bool) -> list[Need | Conflict]:
    """Claims for which a recording may find a reason: those without one, if there is news, and those whose memory could
    not be recorded before and can be now."""
    claims: tuple[Need | Conflict, ...] = (*dependencies.needs, *dependencies.conflicts)
    records_memory = not _missing_parts()
    return [claim for claim in claims if (is_new and not claim.why) or (records_memory and _LACKS_MEMORY in claim.why)]


def _only_these(
    chosen: Collection[Need | Conflict], before: Iterable[_Claim], after: Iterable[_Claim]
) -> tuple[_Claim, ...]:
    return tuple(new if old in chosen else old for old, new in zip(before, after, strict=True))


def _missing_parts() -> list[str]:
    return [name for name in _COMPILED if not _can_be_imported(name)]


def _can_be_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
