"""Matches the results that were reported with the order that was run."""

from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import Reading, ReportedTest

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
