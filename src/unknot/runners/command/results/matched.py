"""Holds what was told against what was asked."""

from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import Reading, ReportedTest

_SHOWN_OF_STORY = 300


@dataclass(frozen=True, slots=True)
class MatchedResults:
    """`results` are those of the order's first tests, as far as they can be believed; all of them if there is no
    `problem`, or none but that the document has no end.

    `broke_off` says that the run may have ended in the test after `results`: those before it are told, and none of
    those behind. It is no proof: what a runner had told already may have died with it, unwritten. A document that tells
    nothing says so only of an order of one test: many reporters write all at the end. Where `broke_off` is false and
    results are missing, the results are not this order's, or a test was left out: no test has crashed."""

    results: tuple[Result, ...]
    problem: str = ""
    broke_off: bool = False


def matched(order: Order, reading: Reading, *, checks_order: bool) -> MatchedResults:
    """The results of `order`, whose tests differ from each other, as `reading` tells them.

    - A test told that was not asked, or told twice, also with the same outcome: nothing is believed. The results may
      be another order's, or of two runs. So a runner that runs failed tests again and tells each try, or that tells
      several cases under one id, must be told not to, or be given ids that tell them apart.
    - `checks_order`: tests told in another sequence than asked: nothing is believed. That counts for skipped tests too:
      a test may skip itself because of what ran before it. For reporters that sort, or list skipped tests
      last, `checks_order` must be off, and then the command must be known to keep the order.
    - A test asked and not told, though the document is whole: results up to there. It is not taken for skipped: why a
      runner is silent about a test is not known.
    - A document that is not whole: the results told; but without `checks_order`, if tests are missing, nobody can say
      where it ended, and nothing is believed.

    Cost: linear.
    """
    problem = _foreign_or_double(order, reading.told) or (_other_sequence(order, reading.told) if checks_order else "")
    if problem:
        return MatchedResults((), _joined(problem, reading.problem))
    told = {one.test: one for one in reading.told}
    believed = 0
    while believed < len(order) and order[believed] in told:
        believed += 1
    results = tuple(_result(told[test]) for test in order[:believed])
    if believed == len(order):
        return MatchedResults(results, "" if reading.complete else reading.problem)
    missing = f"nothing is told of the test {shown(order[believed])}, number {believed + 1} of the order"
    if believed < len(told):
        missing += f", but {shown(reading.told[-1].test)} is told"
    problem = _joined(reading.problem, missing)
    if not reading.complete and not checks_order:
        return MatchedResults((), problem, len(order) == 1)
    return MatchedResults(results, problem, believed == len(told) and (believed > 0 or len(order) == 1))


def _foreign_or_double(order: Order, told: tuple[ReportedTest, ...]) -> str:
    asked = set(order)
    seen: dict[str, int] = {}
    for place, one in enumerate(told, 1):
        if one.test not in asked:
            story = f": {' '.join(one.story[:_SHOWN_OF_STORY].split())}" if one.outcome.is_bad and one.story else ""
            return f"number {place} of the results is {shown(one.test)}, which was not asked{story}"
        if one.test in seen:
            return (
                f"the test {shown(one.test)} is told twice: number {seen[one.test]} of the results says"
                f" {told[seen[one.test] - 1].outcome}, number {place} {one.outcome}"
            )
        seen[one.test] = place
    return ""


def _other_sequence(order: Order, told: tuple[ReportedTest, ...]) -> str:
    asked: dict[str, int] = {test: place for place, test in enumerate(order, 1)}
    places = [asked[one.test] for one in told]
    for number in range(1, len(places)):
        if places[number] < places[number - 1]:
            early, late = told[number - 1].test, told[number].test
            return (
                f"the tests were told in another sequence than asked: {shown(early)} is number {number} of the results"
                f" and {places[number - 1]} of the order, {shown(late)} {number + 1} and {places[number]}"
            )
    return ""


def _result(one: ReportedTest) -> Result:
    return Result(one.outcome, one.seconds, "" if one.outcome is Outcome.PASSED else one.story)


def _joined(*problems: str) -> str:
    return "; ".join(filter(None, problems))
