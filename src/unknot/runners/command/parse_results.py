"""Parses what a command wrote and how it ended into the results of its tests."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.command.output import Output, in_words
from unknot.runners.command.results.formats import read_results
from unknot.runners.command.results.match_results import MatchedResults, matched
from unknot.runners.command.results.reported import Reading
from unknot.runners.command.spec import CommandSpec
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt, died, is_sent_by_others

_SKIPPED = 77
"""What a test's exit status is by an old convention of make if it could not be tried here."""

TIMED_OUT = None
"""In place of an exit status: the command was killed because its time was over."""


class ResultsParser:
    """Parses the results of one command. `streams` says that results are written as tests end, so that
    where they break off is where the command came to."""

    def __init__(self, command: CommandSpec) -> None:
        self._spec = command.results
        self._statuses = command.statuses
        self.reads_status = self._spec.format == "exit-status"
        self.streams = self._spec.format in ("tap", "lines") and self._spec.checks_order

    def count(self, results: Path) -> int:
        """How many tests have results so far. Cost: reads all of them again."""
        return len(read_results(self._spec, results).tests)

    def of_status(self, status: int | None, seconds: float, output: Output) -> OrderAttempt:
        """For a command that runs one test and says what came of it by its exit status alone."""
        if status is TIMED_OUT or self._broke(status):
            return _broken(status, (), 0, output.story())
        outcome = {0: Outcome.PASSED, _SKIPPED: Outcome.SKIPPED}.get(status, Outcome.FAILED)
        story = "" if outcome is Outcome.PASSED else f"the command {in_words(status)}\n{output.story()}".strip()
        return OrderAttempt(AttemptEnd.WHOLE, (Result(outcome, seconds, story),))

    def of_results(
        self, order: Order, results: Path, status: int | None, seconds: float, output: Output
    ) -> OrderAttempt:
        """For a command that has run these tests and written what came of each. A command that had to be killed after
        it had reported the end of all tests counts: its tests are not to blame that it does not end."""
        reading = read_results(self._spec, results)
        found = matched(order, reading, checks_order=self._spec.checks_order)
        if len(found.results) == len(order) and not found.problem:
            if status is not TIMED_OUT and self._statuses and status not in self._statuses:
                story = f"the command {in_words(status)}, which is none of `statuses`"
                return OrderAttempt(AttemptEnd.GARBLED, story=_with_output(story, output))
            return OrderAttempt(AttemptEnd.WHOLE, _with_seconds(found.results, seconds))
        if status is not TIMED_OUT and not self._is_break(order, reading, found):
            return OrderAttempt(AttemptEnd.GARBLED, story=_with_output(found.problem, output))
        position = len(found.results) if self.streams and found.broke_off else None
        if len(order) == 1:
            position = 0
        results_before = found.results[:position] if position is not None else ()
        attempt = _broken(status, results_before, position, f"{found.problem}\n{output.story()}".strip())
        is_silent = not reading.tests and status is not TIMED_OUT and not is_sent_by_others(status)
        return dataclasses.replace(attempt, is_silent=is_silent)

    def _broke(self, status: int) -> bool:
        if self._statuses:
            return status not in self._statuses and status != _SKIPPED
        return died(status)

    def _is_break(self, order: Order, reading: Reading, found: MatchedResults) -> bool:
        """Whether this may be the doing of the test that comes next. A whole document in which tests are missing is
        not: then the command has left them out."""
        if len(found.results) == len(order) or (reading.tests and not found.broke_off and self._spec.checks_order):
            return False
        return not reading.complete or self._spec.format == "lines"


def _broken(status: int | None, results: tuple[Result, ...], position: int | None, story: str) -> OrderAttempt:
    if status is TIMED_OUT:
        return OrderAttempt(
            AttemptEnd.TIMED_OUT, results, position, f"the command took too long and was killed\n{story}".strip()
        )
    story = f"the command {in_words(status)} before this test had a result\n{story}".strip()
    # One that ended by itself may have run all tests, and something else has lost its results.
    may_be_foreign = is_sent_by_others(status) or not died(status)
    return OrderAttempt(AttemptEnd.CRASHED, results, position, story, may_be_foreign)


def _with_output(problem: str, output: Output) -> str:
    return "\n".join(filter(None, (problem, output.story())))


def _with_seconds(results: Sequence[Result], seconds: float) -> tuple[Result, ...]:
    """Results that do not say how long tests took share the time of the whole among them."""
    if any(result.seconds > 0 for result in results):
        return tuple(results)
    return tuple(dataclasses.replace(result, seconds=seconds / len(results)) for result in results)
