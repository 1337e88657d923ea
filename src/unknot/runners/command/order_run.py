"""Runs one order once, from a clean state that is there already."""

import time
from pathlib import Path

from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.command.launcher import CannotStart
from unknot.runners.command.output import Output
from unknot.runners.command.parse_results import TIMED_OUT, ResultsParser
from unknot.runners.command.placeholders import TESTS_FILE, filled, placeholders
from unknot.runners.command.spec import CommandSpec
from unknot.runners.command.workspace import CommandWorkspace
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt
from unknot.runners.dispatch.deadlines import Deadlines
from unknot.runners.sandbox.workspace import cannot_write

_LEAST_LOOK = 0.5
"""Seconds between two looks at results that grow: each reads them from their beginning."""


class _CommandRun:
    def __init__(self, command: CommandSpec, workspace: CommandWorkspace, deadlines: Deadlines) -> None:
        self._command = command
        self._workspace = workspace
        self._deadlines = deadlines
        self._parser = ResultsParser(command)
        in_output = not command.results.file and not self._parser.reads_status
        home = workspace.files.home
        self._output = Output(home / "run", is_results=in_output, together=self._parser.reads_status)
        self._tests_file = home / "tests"
        self._writes_tests = TESTS_FILE in placeholders(command.run)

    def _here(self, order: Order) -> Order:
        """Ids as the command gives them: one may hold the path of the project, which is the working copy here."""
        return tuple(TestId(self._workspace.files.id_here(test)) for test in order)

    def _start(self, order: Order, values: dict[str, str], *, sweeps: bool) -> None:
        values["tests_file"] = str(self._tests_file)
        words = filled(self._command.run, values, order, self._command.separator)
        try:
            if self._command.results.file:
                self._forget(self._results)
            if self._writes_tests:
                self._tests_file.write_text("".join(f"{test}\n" for test in order), "utf-8", "surrogateescape")
        except OSError as problem:
            raise cannot_write(self._workspace.files.home, problem) from problem
        self._workspace.start(words, self._output, sweeps=sweeps)

    def _forget(self, results: Path) -> None:
        """What an earlier command has written must not be taken for this one's. A test may have made a link of the way
        there: what lies behind it is not ours."""
        if any(results.parent.resolve().is_relative_to(place) for place in self._workspace.ours):
            results.unlink(missing_ok=True)

    @property
    def _results(self) -> Path:
        if not self._command.results.file:
            return self._output.stdout
        return self._workspace.files.directory / filled([self._command.results.file], self._workspace.values)[0]


class TogetherRun(_CommandRun):
    """All tests of the order by one command."""

    def run(self, order: Order, *, watches_instance: bool) -> OrderAttempt:  # noqa: ARG002 - it cannot
        began = time.monotonic()
        here = self._here(order)
        self._start(here, self._workspace.values, sweeps=True)
        try:
            status = self._wait(order, began)
        except BaseException:
            self._workspace.launcher.sweep()
            raise
        seconds = time.monotonic() - began
        attempt = self._parser.of_results(here, self._results, status, seconds, self._output)
        if attempt.end is AttemptEnd.WHOLE:
            # Where it is not reported how long each test took, any of them may have taken all of it.
            is_reported = len({result.seconds for result in attempt.results}) > 1
            for test, result in zip(order, attempt.results, strict=True):
                self._deadlines.saw(test, result.seconds if is_reported else seconds)
        return attempt

    def _wait(self, order: Order, began: float) -> int | None:
        """Until it ends or its time is over. Where results can be read as they grow, each test has its own time."""
        reported = 0
        limit = began + self._deadlines.of_order(order)
        if self._parser.streams:
            limit = began + self._deadlines.around + self._deadlines.of_test(order[0])
        while True:
            now = time.monotonic()
            look = max(_LEAST_LOOK, (limit - now) / 4) if self._parser.streams else limit - now
            status = self._workspace.wait(self._output, min(limit, now + look))
            if status is not None:
                return status
            if self._parser.streams and (grown := min(len(order), self._parser.count(self._results))) > reported:
                reported = grown
                left = self._deadlines.of_test(order[reported]) if reported < len(order) else self._deadlines.around
                limit = time.monotonic() + left
            if time.monotonic() >= limit:
                self._workspace.launcher.sweep()
                return TIMED_OUT


class OneByOneRun(_CommandRun):
    """A command for each test, one after another. What one leaves running, the next may find."""

    def run(self, order: Order, *, watches_instance: bool) -> OrderAttempt:
        results: list[Result] = []
        is_swept = False
        try:
            for number, test in enumerate(order, 1):
                try:
                    attempt = self.run_test(test, sweeps=number == len(order))
                except CannotStart as problem:
                    if number == 1:
                        raise
                    # It could be started before: so an earlier test has taken something away that it needs.
                    return OrderAttempt(AttemptEnd.CRASHED, tuple(results), number - 1, problem.message)
                if watches_instance and self._workspace.has_lost_instance():
                    return self._workspace.loss(tuple(results), number - 1)
                if attempt.end is not AttemptEnd.WHOLE:
                    return _at(attempt, tuple(results), number - 1)
                results.extend(attempt.results)
            is_swept = True
        finally:
            if not is_swept:
                self._workspace.launcher.sweep()
        return OrderAttempt(AttemptEnd.WHOLE, tuple(results))

    def run_test(self, test: TestId, *, sweeps: bool) -> OrderAttempt:
        """One test, in whatever state things are. What it leaves running goes on, unless `sweeps` is set."""
        began = time.monotonic()
        here = self._here((test,))
        self._start(here, {**self._workspace.values, "test": here[0]}, sweeps=sweeps)
        status = self._workspace.wait(self._output, began + self._deadlines.of_test(test))
        seconds = time.monotonic() - began
        if status is TIMED_OUT:
            self._workspace.launcher.sweep()
        else:
            self._deadlines.saw(test, seconds)
        if self._parser.reads_status:
            return self._parser.of_status(status, seconds, self._output)
        return self._parser.of_results(here, self._results, status, seconds, self._output)


def _at(attempt: OrderAttempt, before: tuple[Result, ...], position: int) -> OrderAttempt:
    return OrderAttempt(attempt.end, before, position, attempt.story, attempt.may_be_foreign, attempt.is_silent)
