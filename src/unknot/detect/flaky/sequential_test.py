"""Decides whether a test is flaky when its outcome once differed.

Idea
    Wald's sequential probability ratio test. The order is repeated; each run with the usual outcome counts for a stable
    test, each other run for a flaky one, and as soon as one side is ahead by enough the verdict is given.
Assumptions
    Runs of one order are independent of each other. The run that raised the question does not count: it was selected
    by its outcome.
Guarantee
    A test that differs in at most `rare` of the runs (1 %) is called flaky with a probability of at most `false_alarm`,
    and one that differs in at least `often` of them (10 %) is called stable with a probability of at most `miss` (1 %
    each; 0.6 % and 0.94 % when computed exactly). A test that differs and is undecided after `max_runs` counts as
    flaky: in doubt, nothing is claimed.
Cost
    49 runs for a test that never differs, 38 on average for one that differs in a tenth of the runs, 8 for one that
    differs every other time; never more than `max_runs`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from unknot.detect.engine.findings import FlakinessVerdict
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId

FIRST_ATTEMPT = 3
"""Earlier attempts may be those that raised the question."""

_MIN_ORDERS_BETWEEN_CHECKS = 50

_SELDOM = 0.2

_CHANCE = 0.02

_MAX_REFERENCE_RUNS = 12
"""So often the reference order is repeated if a flaky test failed in it."""


@dataclass(frozen=True)
class Rates:
    """A stable test differs in at most `rare` of the runs of one order, a flaky one in at least `often`."""

    rare: float = 0.01
    often: float = 0.1
    false_alarm: float = 0.01
    miss: float = 0.01
    max_runs: int = 200

    def evidence(self, runs: int, differed: int) -> float:
        """The logarithm of how much more likely this is for a flaky test than for a stable one."""
        for_it, against = math.log(self.often / self.rare), math.log((1 - self.often) / (1 - self.rare))
        return differed * for_it + (runs - differed) * against

    def probability(self, runs: int, differed: int) -> float:
        """The probability that the test is flaky, if before the runs either was equally likely."""
        return 1 / (1 + math.exp(-self.evidence(runs, differed)))

    @cached_property
    def flaky_threshold(self) -> float:
        return math.log((1 - self.miss) / self.false_alarm)

    @cached_property
    def stable_threshold(self) -> float:
        return math.log(self.miss / (1 - self.false_alarm))


DEFAULT_RATES = Rates()


def may_be_chance(failures: int, passes: int, explanations: int) -> bool:
    """Whether a test that fails at random may well have failed in just the runs in which it should, by one of so many
    possible explanations. Takes the rate of failures at which that is most likely.

    >>> may_be_chance(3, 8, 40), may_be_chance(4, 12, 40)
    (True, False)
    """
    rate = failures / max(1, failures + passes)
    return rate**failures * (1 - rate) ** passes * explanations > _CHANCE


def flakiness_verdict(
    outcomes: Sequence[Outcome], rates: Rates = DEFAULT_RATES, *, is_over: bool = False
) -> FlakinessVerdict | None:
    """The verdict that these outcomes of a test, in sequence, give; None if they do not suffice and more runs are
    possible. The first threshold that is crossed decides, whatever comes later.

    >>> flakiness_verdict([Outcome.PASSED] * 48), flakiness_verdict([Outcome.PASSED] * 49).is_flaky
    (None, False)
    >>> verdict = flakiness_verdict([Outcome.PASSED, Outcome.FAILED] * 4)
    >>> verdict.is_flaky, verdict.differed, verdict.runs, round(verdict.probability, 4)
    (True, 3, 6, 0.9987)"""
    seen: Counter[Outcome] = Counter()
    for runs, outcome in enumerate(outcomes, start=1):
        seen[outcome] += 1
        usual, agreed = seen.most_common(1)[0]
        differed = runs - agreed
        evidence = rates.evidence(runs, differed)
        if evidence >= rates.flaky_threshold or evidence <= rates.stable_threshold:
            return FlakinessVerdict(usual, evidence > 0, differed, runs, rates.probability(runs, differed))
    if not seen or not (is_over or runs >= rates.max_runs):
        return None
    return FlakinessVerdict(usual, differed > 0, differed, runs, rates.probability(runs, differed))


def inconsistent_tests(session: SearchSession) -> dict[int, Order]:
    """Tests with different outcomes in two runs that were equal up to there, each with such an order. Tests after an
    inconsistent or flaky one do not count: that test may be the cause. Runs nothing: whenever orders have a common
    prefix, that prefix was repeated. Cost: linear in the tests of all runs."""
    found: dict[int, Order] = {}
    waiting: list[tuple[int, list[Run]]] = [(0, list(session.known.values()))]
    while waiting:
        place, alike = waiting.pop()
        by_next: dict[TestId, dict[Outcome, list[Run]]] = {}
        for run in alike:
            if place < len(run.order):
                by_next.setdefault(run.order[place], {}).setdefault(run.results[place].outcome, []).append(run)
        for name, by_outcome in by_next.items():
            test = session.suite.index[name]
            if len(by_outcome) > 1 and test not in session.findings.flaky:
                order = next(iter(by_outcome.values()))[0].order[: place + 1]
                found[test] = min(found.get(test, order), order, key=len)
            waiting += [(place + 1, group) for group in by_outcome.values() if len(group) > 1]
    return {test: found[test] for test in sorted(found)}


def decide_flakiness(session: SearchSession) -> None:
    """Decides on every test that was inconsistent so far and was not decided on before: first with nothing but what it
    needs before it, which is short; if it is stable there, in the order in which it differed. The usual outcome of a
    flaky test becomes the expected one."""
    left = {
        test: _decide(session, test, order)
        for test, order in inconsistent_tests(session).items()
        if test not in session.findings.decided
    }
    if not left:
        return
    session.start_step("repeating tests whose outcome differed", len(left))
    usual: dict[int, Outcome] = {}
    for test, verdict in run_searches(left, session.run_orders).items():
        session.findings.decided.add(test)
        mark_if_flaky(session, test, verdict)
        if verdict.is_flaky:
            # What depends on it shows only if it passes, so that is expected unless it hardly ever does.
            differed = verdict.differed / verdict.runs
            passes = 1 - differed if verdict.usual is Outcome.PASSED else differed
            usual[test] = Outcome.PASSED if passes >= _SELDOM else verdict.usual
    _expect_the_usual(session, usual)
    _expect_what_follows(session, usual)


def _expect_what_follows(session: SearchSession, flaky: Mapping[int, Outcome]) -> None:
    """If a flaky test had an unusual outcome in the reference order, tests after it may have had one because of it: the
    outcomes of a run in which all flaky tests have their usual outcome become the expected ones."""
    first = session.known.get(OrderRequest(session.suite.tests))
    if first is None or all(outcome is flaky.get(test, outcome) for test, outcome in session.outcomes(first)):
        return
    expected = session.findings.expected
    session.start_step("repeating the reference order, in which a flaky test failed")
    for attempt in range(FIRST_ATTEMPT, FIRST_ATTEMPT + _MAX_REFERENCE_RUNS):
        (run,) = session.runs([OrderRequest(session.suite.tests, attempt)])
        outcomes = dict(session.outcomes(run))
        if all(outcomes[test] is expected[test] for test in session.findings.flaky):
            _expect_the_usual(session, outcomes)
            return


def _decide(session: SearchSession, test: int, order: Order) -> Search[FlakinessVerdict]:
    with_needs = session.suite.order(session.findings.closure(test))
    if len(with_needs) < len(order):
        verdict = yield from repeat_until_decided(session, with_needs)
        if verdict.is_flaky:
            return verdict
    return (yield from repeat_until_decided(session, order))


def decide_flakiness_periodically(session: SearchSession) -> None:
    """For long searches: checks for inconsistent tests each time a quarter more orders were run."""
    if session.orders >= session.findings.next_flakiness_check:
        decide_flakiness(session)
        session.findings.next_flakiness_check = session.orders + max(_MIN_ORDERS_BETWEEN_CHECKS, session.orders // 4)


def _expect_the_usual(session: SearchSession, usual: Mapping[int, Outcome]) -> None:
    findings = session.findings
    changed = {
        test: outcome
        for test, outcome in usual.items()
        if outcome is not Outcome.NOT_RUN
        and outcome is not findings.expected[test]
        and test not in findings.reference_victims
    }
    findings.usual.update(changed)
    for test, outcome in changed.items():
        findings.expected[test] = outcome
    # Even without a change: which runs count depends on which tests are flaky.
    session.rebuild_pairs()


def repeat_until_decided(
    session: SearchSession, order: Order, rates: Rates = DEFAULT_RATES
) -> Search[FlakinessVerdict]:
    """Whether the last test of the order has the same outcome each time, and which."""
    outcomes: list[Outcome] = []
    verdict = None
    attempt = FIRST_ATTEMPT
    while verdict is None:
        runs = yield [OrderRequest(order, attempt + number) for number in range(max(1, session.price.workers))]
        attempt += len(runs)
        outcomes += [run.last for run in runs]
        verdict = flakiness_verdict(outcomes, rates)
    return verdict


def mark_if_flaky(session: SearchSession, test: int, verdict: FlakinessVerdict | None) -> None:
    if verdict is not None and verdict.is_flaky and test not in session.findings.flaky:
        session.findings.flaky.add(test)
        session.findings.flakiness[test] = verdict
