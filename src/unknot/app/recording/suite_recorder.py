"""Records what flows between the tests of a suite, in one or two runs in a working copy of its own."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from unknot.app.recording.whole_suite import notes_on_left_out, record_in
from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.suite import TestId
from unknot.recorder.events import Events
from unknot.recorder.flows import recording
from unknot.recorder.renaming import renamed
from unknot.recorder.second_request import second_request
from unknot.runners.pytest.whole_run import OutOfTime, run_recorded
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.sandbox.sandbox import make_home
from unknot.runners.sandbox.tree import remove, remove_if_possible
from unknot.runners.settings import Settings

TEMPORARY = "<tmp>"
"""Stands for the directories in which pytest and `tempfile` create new ones."""

_MOST_LEFT_OUT = 5

_GRACE = 2.0


class SuiteRecorder:
    """The first look shows what flows; the second, for which the suite runs once more, the lines of code, reads before
    a write, and which flows are only caches. Tests that take the process down are left out, a few at most, and named in
    the notes. Use it as a context manager: everything it started ends with it. `stop`, which may be called by another
    thread, ends a look at once."""

    def __init__(
        self,
        settings: Settings,
        *,
        stop_list: Sequence[str] = (),
        leave_out: Sequence[TestId] = (),
        seconds: float = float("inf"),
    ) -> None:
        self._settings = settings
        self._stop_list = stop_list
        self._out = list(leave_out)
        self._deadline = time.monotonic() + seconds
        self._home = make_home()
        self._stopped = threading.Event()
        self._first: tuple[PytestWorkspace, Events, dict[TestId, Outcome], float] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        remove_if_possible(self._home)

    def stop(self) -> None:
        self._stopped.set()

    def first_look(self) -> Recording:
        """Raises RunnerError if the suite cannot be recorded at all, not within its time, or if it is stopped."""
        if self._stopped.is_set():
            raise OutOfTime("the recording was stopped before it began", hint="", slug="recording-timeout")
        found, self._out = record_in(self._home, self._settings, self._out, _MOST_LEFT_OUT, self._look_first)
        return found

    def _look_first(self, place: PytestWorkspace, out: Sequence[TestId]) -> Recording:
        started = time.monotonic()
        events, outcomes = self._run(place, None, out, self._deadline - started)
        self._first = place, events, outcomes, time.monotonic() - started
        return self._named(place, recording(events, None, outcomes), out)

    def second_look(self, *, only_reads: bool = False, status: Callable[[str], None] = lambda text: None) -> Recording:
        """After the first; with a time limit of its own (see `second_request`), which `status` gets. If it fails, or
        nothing flows, the recording is that of the first look. With `only_reads` it shows only reads before a write,
        and can be repeated for the rest."""
        assert self._first is not None
        place, events, outcomes, seconds = self._first
        found = recording(events, None, outcomes)
        wanted = second_request(events, found, only_reads=only_reads)
        if wanted is None:
            return self._named(place, found, self._out)
        limit = wanted["limit"]
        purpose = "who reads before a write" if only_reads else "the lines that write and to recognise caches"
        status(f"recording again, for {purpose}: at most {limit:.0f} s")
        # pytest has to start and collect again. After that the second run ends by itself when its time is over.
        most = min(_GRACE * (seconds + limit), self._deadline - time.monotonic())
        # In the same place again, so that all paths stay the same.
        remove(str(place.home))
        again = PytestWorkspace(place.home.parent, place.number, self._settings)
        try:
            second, _ = self._run(again, wanted, self._out, most)
            found = recording(events, second, outcomes)
        except RunnerError as problem:
            why = "no time was left" if isinstance(problem, OutOfTime) else "the second run did not come to its end"
            note = f"the lines of writes, and which values are only caches: {why}"
            found = replace(found, notes=(*found.notes, note))
        return self._named(place, found, self._out)

    def _run(
        self, place: PytestWorkspace, wanted: dict[str, object] | None, out: Sequence[TestId], seconds: float
    ) -> tuple[Events, dict[TestId, Outcome]]:
        return run_recorded(place, self._stop_list, wanted, out, seconds, self._stopped.is_set)

    def _named(self, place: PytestWorkspace, found: Recording, out: Sequence[TestId]) -> Recording:
        """With what was left out in the notes, and with the names that the user knows."""
        complete = replace(found, notes=(*found.notes, *notes_on_left_out(out)))
        return renamed(complete, partial(_with_original_paths, place))


def record(
    settings: Settings,
    *,
    stop_list: Sequence[str] = (),
    looks: int = 2,
    status: Callable[[str], None] = lambda text: None,
) -> Recording:
    """One or two looks at the suite. Raises RunnerError as `SuiteRecorder.first_look` does."""
    with SuiteRecorder(settings, stop_list=stop_list) as recorder:
        found = recorder.first_look()
        return recorder.second_look(status=status) if looks > 1 else found


def _with_original_paths(place: PytestWorkspace, text: str) -> str:
    """Paths in the project as the user knows them, and paths in temporary directories the same in every run."""
    for directory in (place.scratch, place.temporary):
        text = text.replace(str(directory), TEMPORARY)
    return place.original_id(text)
