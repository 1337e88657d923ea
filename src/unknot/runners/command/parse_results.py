"""Parses what a command wrote and how it ended into the results of its tests."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.command.output import Output, in_words
from unknot.runners.command.results.formats import read_results
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import Reading, ReportedTest
from unknot.runners.command.spec import CommandSpec
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt, died, is_sent_by_others

_SHOWN_OF_STORY = 300


@dataclass(frozen=True, slots=True)
class MatchedResults:
    """`results` are those of the order's first tests, as far as they can be trusted; all of them if there is no
    `problem`, or none but that the document has no end.

    `broke_off` says that the run may have ended in the test after `results`: those before it are reported, and none of
    those behind. It is no proof: what a runner had reported may have died with it, unwritten. A document that reports
    nothing says so only of an order of one test: many reporters write all at the end. Where `broke_off` is false and
    results are missing, the results are not this order's, or a test was left out: no test has crashed."""

    results: tuple[Result, ...]
    problem: str = ""
    broke_off: bool = False


def matched(order: Order, reading: Reading, *, checks_order: bool) -> MatchedResults:
    """The results of `order`, whose tests differ from each other, as `reading` has them.

    - A test that is not in the order, or is reported twice, also with the same outcome: nothing counts. The results may
      be another order's, or of two runs. So a runner that retries failed tests and reports each try, or reports
      several cases under one id, must be configured not to, or needs distinct ids.
    - `checks_order`: tests reported in another sequence than the order's: nothing counts. That counts for skipped tests
      too: a test may skip itself because of what ran before it. For reporters that sort, or list skipped tests last,
      `checks_order` must be off, and then the command must be known to keep the order.
    - A test of the order that is not reported, though the document is whole: results up to there. It is not taken for
      skipped: why a runner is silent about a test is not known.
    - A document that is not whole: the results reported; but without `checks_order`, if tests are missing, it is not
      known where it ended, and nothing counts.

    Cost: linear.
    """
    problem = _foreign_or_double(order, reading.tests) or (
        _other_sequence(order, reading.tests) if checks_order else ""
    )
    if problem:
        return MatchedResults((), _joined(problem, reading.problem))
    reported = {one.test: one for one in reading.tests}
    trusted = 0
    while trusted < len(order) and order[trusted] in reported:
        trusted += 1
    results = tuple(_result(reported[test]) for test in order[:trusted])
    if trusted == len(order):
        return MatchedResults(results, "" if reading.complete else reading.problem)
    missing = f"nothing is reported of the test {shown(order[trusted])}, number {trusted + 1} of the order"
    if trusted < len(reported):
        missing += f", but {shown(reading.tests[-1].test)} is reported"
    problem = _joined(reading.problem, missing)
    if not reading.complete and not checks_order:
        return MatchedResults((), problem, len(order) == 1)
    return MatchedResults(results, problem, trusted == len(reported) and (trusted > 0 or len(order) == 1))


def _foreign_or_double(order: Order, reported: tuple[ReportedTest, ...]) -> str:
    known = set(order)
    seen: dict[str, int] = {}
    for place, one in enumerate(reported, 1):
        if one.test not in known:
            story = f": {' '.join(one.story[:_SHOWN_OF_STORY].split())}" if one.outcome.is_bad and one.story else ""
            return f"number {place} of the results is {shown(one.test)}, which is not in the order{story}"
        if one.test in seen:
            return (
                f"the test {shown(one.test)} is reported twice: number {seen[one.test]} of the results says"
                f" {reported[seen[one.test] - 1].outcome}, number {place} {one.outcome}"
            )
        seen[one.test] = place
    return ""


def _other_sequence(order: Order, reported: tuple[ReportedTest, ...]) -> str:
    wanted: dict[str, int] = {test: place for place, test in enumerate(order, 1)}
    places = [wanted[one.test] for one in reported]
    for number in range(1, len(places)):
        if places[number] < places[number - 1]:
            early, late = reported[number - 1].test, reported[number].test
            return (
                f"the tests were reported in another sequence than the order's: {shown(early)} is number"
                f" {number} of the results and {places[number - 1]} of the order,"
                f" {shown(late)} {number + 1} and {places[number]}"
            )
    return ""


def _result(one: ReportedTest) -> Result:
    return Result(one.outcome, one.seconds, "" if one.outcome is Outcome.PASSED else one.story)


def _joined(*problems: str) -> str:
    return "; ".join(filter(None, problems))


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
