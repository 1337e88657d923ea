"""When a detection records the suite, and what becomes of the recording."""

import argparse
import importlib
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console

from unknot.app.recording.trace import ends_process, record, recording_path, tell, tell_differences
from unknot.detect.engine.options import Detector, Options
from unknot.detect.sieve.unrecorded import asked_for, asked_without
from unknot.model.dependencies import Dependencies
from unknot.model.errors import RunnerError
from unknot.model.recording import Recording
from unknot.model.sanitise import shown_lines
from unknot.oracle.protocol import Price
from unknot.recorder.reasons import with_reasons
from unknot.report.wording import counted
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.recording_file import dumps

_COMPILED = ("unknot.recorder.native._heap", "unknot.recorder.native._watch", "unknot.recorder.native._step")


def add_tracing(parser: argparse.ArgumentParser) -> None:
    tracing = parser.add_argument_group("why")
    tracing.add_argument(
        "--trace",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="watch the suite run once in its own order before anything is asked: who leaves what behind, and who finds"
        " it. Suspects are asked about first, and every dependency gets its reason (default: where every order needs a"
        " fresh process; elsewhere after dependencies were found, for their reasons; not with an [instance])",
    )
    tracing.add_argument(
        "--trust-trace",
        action="store_true",
        help="ask about nothing but what was seen to flow: quick, but what cannot be seen is missed",
    )
    tracing.add_argument(
        "--trace-stop",
        default="",
        metavar="GLOBS",
        help="locations that do not count, one glob a line, for example `shop.cache.*`",
    )


class Tracing:
    """Records at most once, before the search if the user wants that, or after it if there is something to explain.
    A suite that cannot be recorded is told of, and the detection goes on without."""

    def __init__(self, options: argparse.Namespace, settings: Settings, console: Console) -> None:
        self._options = options
        self._settings = settings
        self._console = console
        self.recording: Recording | None = None

    def before(self, *, pays: bool) -> Recording | None:
        """Before the search, if the user wants it or if it `pays`: where every order needs a process of its own, the
        orders that it saves are worth more than its two runs."""
        wanted = self._options.trace or self._options.trust_trace or pays
        if wanted and self._options.trace is not False:
            self._record(None)
        return self.recording

    def explained(self, dependencies: Dependencies, *, asked: bool) -> Dependencies:
        """The same dependencies with their reasons. Nothing is recorded if nothing was asked: what could be explained
        was explained then."""
        wanted = self._options.trace is not False and not self._options.interruption.happened
        unexplained = any(not need.why for need in dependencies.needs) or any(
            not each.why for each in dependencies.conflicts
        )
        if self.recording is None and wanted and asked and unexplained:
            self._record(dependencies)
        if self.recording is None:
            return dependencies
        steady = {test: outcome for test, outcome in dependencies.outcomes.items() if test not in dependencies.flaky}
        tell_differences(self.recording, steady, self._console)
        return with_reasons(dependencies, self.recording)

    def _record(self, dependencies: Dependencies | None) -> None:
        if missing := [name for name in _COMPILED if not _can_be_imported(name)]:
            self._say(
                f"{missing[0]} is missing, as there was no C compiler when unknot was installed:"
                " only files, databases, ports and processes are recorded"
            )
        outcomes = dependencies.outcomes if dependencies is not None else {}
        if not self._options.quiet:
            self._say("watching what flows from test to test")
        try:
            found = record(self._settings, stop=self._stop(), leave_out=ends_process(outcomes), seconds=self._seconds())
        except RunnerError as problem:
            self._say(problem.message)
            return
        write_atomically(recording_path(self._options.state_dir), dumps(found))
        tell(found, self._console)
        self.recording = found

    def _seconds(self) -> float:
        """With a limit for the search, the recording may take half as long besides."""
        limit = self._options.max_seconds
        return float("inf") if limit is None else limit / 2

    def _stop(self) -> Sequence[str]:
        return [glob for line in self._options.trace_stop.splitlines() if (glob := line.strip())]

    def _say(self, text: str) -> None:
        self._console.print(shown_lines(text), markup=False)


def _can_be_imported(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def saved_orders(dependencies: Dependencies, detector: Detector, options: Options, price: Price, guide: str) -> str:
    """How many orders its guide, a recording or suspects, has saved, by two simulations of the same search on what was
    found: the orders really asked are another number, as the journal remembers some and flakiness repeats others. Empty
    if that cannot be said: there was no guide, the search was stopped, or the suite is too large to simulate."""
    if options.recorded is None or not dependencies.complete:
        return ""
    without = asked_without(dependencies, detector, options, price)
    asked = asked_for(dependencies, detector, options, price)
    if without is None or asked is None:
        return ""
    return f"with {guide} about {counted(asked.orders, 'order')}, without about {without.orders:,}"


def with_choice(dependencies: Dependencies, said: str) -> Dependencies:
    """The same, with something more said about how the search was done."""
    choice = "; ".join(filter(None, (dependencies.cost.choice, said)))
    return replace(dependencies, cost=replace(dependencies.cost, choice=choice))
