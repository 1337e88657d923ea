"""Decides whether a test is flaky when its outcome once differed.

Idea
    Wald's sequential probability ratio test. The order is repeated; each run with the usual outcome counts for a stable
    test, each other run for a flaky one, and as soon as one side is ahead by enough the verdict is given. An order
    gives outcomes for all its tests, so repeating the reference order decides on the whole suite at once. A test with
    an unusual outcome may affect others: in that run, the tests after it do not count.
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

    @cached_property
    def min_runs(self) -> int:
        """This many runs without a difference show that a test is stable."""
        return math.ceil(self.stable_threshold / self.evidence(1, 0))


DEFAULT_RATES = Rates()


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
    """Decides on every test that was inconsistent so far. The first time there is one, the whole suite is examined:
    where one test is flaky, others often are, and it is better to know them before more is concluded."""
    if not inconsistent_tests(session):
        return
    repeat_reference_order(session)
    doubtful = inconsistent_tests(session)
    left = {
        test: repeat_until_decided(session, order)
        for test, order in doubtful.items()
        if test not in session.findings.decided
    }
    if left:
        session.start_step("repeating orders in which an outcome differed", len(left))
    for test, verdict in run_searches(left, session.run_orders).items():
        session.findings.decided.add(test)
        mark_if_flaky(session, test, verdict)


def decide_flakiness_periodically(session: SearchSession) -> None:
    """For long searches: checks for inconsistent tests each time a quarter more orders were run."""
    if session.orders >= session.findings.next_flakiness_check:
        decide_flakiness(session)
        session.findings.next_flakiness_check = session.orders + max(_MIN_ORDERS_BETWEEN_CHECKS, session.orders // 4)


def repeat_reference_order(session: SearchSession, rates: Rates = DEFAULT_RATES) -> None:
    """Repeats the reference order until it is decided for every test whether it is flaky. If the first outcome of a
    test was not its usual one, the usual one becomes the expected outcome."""
    findings = session.findings
    if findings.is_reference_repeated:
        return
    findings.is_reference_repeated = True
    order = session.suite.tests
    session.start_step("repeating the reference order to find flaky tests", rates.min_runs)
    runs: list[Run] = []
    batch = rates.min_runs
    while batch:
        runs += session.runs([OrderRequest(order, FIRST_ATTEMPT + len(runs) + number) for number in range(batch)])
        outcomes = outcomes_by_test(session, runs)
        # A test that never differed needs no more runs, even if some were lost because of tests before it.
        undecided = any(flakiness_verdict(seen, rates) is None and len(set(seen)) > 1 for seen in outcomes.values())
        batch = min(session.price.workers, rates.max_runs - len(runs)) if undecided else 0
    for test, seen in outcomes.items():
        mark_if_flaky(session, test, flakiness_verdict(seen, rates, is_over=True))
    _expect_the_usual(session, {test: Counter(seen).most_common(1)[0][0] for test, seen in outcomes.items() if seen})


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


def outcomes_by_test(session: SearchSession, runs: Sequence[Run]) -> dict[int, list[Outcome]]:
    """The outcomes of every test over runs of one order in which all tests before it had their usual outcome."""
    by_run = [list(session.outcomes(run)) for run in runs]
    tests = [test for test, _ in by_run[0]]
    columns = zip(*([outcome for _, outcome in run] for run in by_run), strict=True)
    usual = [Counter(column).most_common(1)[0][0] for column in columns]
    found: dict[int, list[Outcome]] = {test: [] for test in tests}
    for run in by_run:
        for (test, outcome), expected in zip(run, usual, strict=True):
            found[test].append(outcome)
            if outcome is not expected:
                break
    return found


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
