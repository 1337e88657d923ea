"""How sure one can be that a test does the same each time, when it once did not.

Idea
    Wald's sequential probability ratio test. The order is run again and again; each run in which the test does what
    it mostly does speaks for a steady test, each other run for a flaky one, and as soon as one side is ahead by enough
    the request is decided. An order is a verdict on all its tests, so repeating the reference order decides on the
    whole suite at once. A test that does otherwise may take others with it: whatever stands after it is not looked at
    in that run.
Assumptions
    Runs of one order are independent of each other. The run that led here does not count: it was picked by its
    outcome.
Guarantee
    A test that differs in at most `rare` of the runs (1 %) is called flaky, and one that differs in at least `often`
    of them (10 %) steady, with probabilities of at most `false_alarm` and `miss` (1 % each; 0.6 % and 0.94 % when
    worked out exactly). Whoever differs and is undecided when `most_runs` are over counts as flaky: in doubt, nothing
    is claimed.
Cost
    49 runs for a test that never differs, 38 on average for one that differs in a tenth of the runs, 8 for one that
    differs every other time; never more than `most_runs`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from unknot.detect.engine.findings import Steadiness
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, TestId

FIRST_FRESH = 3
"""Attempts below this one may be what raised the request."""

_LEAST_BETWEEN_LOOKS = 50


@dataclass(frozen=True)
class Rates:
    """A steady test differs in at most `rare` of the runs of one order, a flaky one in at least `often`."""

    rare: float = 0.01
    often: float = 0.1
    false_alarm: float = 0.01
    miss: float = 0.01
    most_runs: int = 200

    def evidence(self, runs: int, differed: int) -> float:
        """The logarithm of how much likelier this is for a flaky test than for a steady one."""
        for_it, against = math.log(self.often / self.rare), math.log((1 - self.often) / (1 - self.rare))
        return differed * for_it + (runs - differed) * against

    def sure(self, runs: int, differed: int) -> float:
        """How probable it is that the test is flaky, if before the runs it was as likely as not."""
        return 1 / (1 + math.exp(-self.evidence(runs, differed)))

    @cached_property
    def flaky_from(self) -> float:
        return math.log((1 - self.miss) / self.false_alarm)

    @cached_property
    def steady_until(self) -> float:
        return math.log(self.miss / (1 - self.false_alarm))

    @cached_property
    def least_runs(self) -> int:
        """So many runs without a difference show that a test is steady."""
        return math.ceil(self.steady_until / self.evidence(1, 0))


STATED = Rates()


def judge(outcomes: Sequence[Outcome], rates: Rates = STATED, *, is_over: bool = False) -> Steadiness | None:
    """What the outcomes of a test, in the sequence in which they came, say of it; None if they do not suffice and more
    can be had. The first border that was crossed decides, whatever came later.

    >>> judge([Outcome.PASSED] * 48), judge([Outcome.PASSED] * 49).is_flaky
    (None, False)
    >>> said = judge([Outcome.PASSED, Outcome.FAILED] * 4)
    >>> said.is_flaky, said.differed, said.runs, round(said.sure, 4)
    (True, 3, 6, 0.9987)
    """
    seen: Counter[Outcome] = Counter()
    for runs, outcome in enumerate(outcomes, start=1):
        seen[outcome] += 1
        usual, agreed = seen.most_common(1)[0]
        differed = runs - agreed
        evidence = rates.evidence(runs, differed)
        if evidence >= rates.flaky_from or evidence <= rates.steady_until:
            return Steadiness(usual, evidence > 0, differed, runs, rates.sure(runs, differed))
    if not seen or not (is_over or runs >= rates.most_runs):
        return None
    return Steadiness(usual, differed > 0, differed, runs, rates.sure(runs, differed))


def differed_first(session: SearchSession) -> dict[int, Order]:
    """Who did otherwise in one run than in another that had gone the same way until then, each with such an order. What
    others did after it may be its doing; what they did after a test that is known to be flaky, that test's. Asks
    nothing: whenever orders begin alike, their beginning was repeated. Cost: linear in the tests of all runs."""
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


def settle(session: SearchSession) -> None:
    """Decides on whoever differed so far. The first time somebody does, the whole suite is examined: where one test is
    flaky others are, and they are better known before more is concluded."""
    if not differed_first(session):
        return
    examine(session)
    doubtful = differed_first(session)
    left = {
        test: steadiness(session, order) for test, order in doubtful.items() if test not in session.findings.settled
    }
    if left:
        session.start_step("repeating orders in which a test did otherwise", len(left))
    for test, said in side_by_side(left, session.run_orders).items():
        session.findings.settled.add(test)
        note(session, test, said)


def settle_now_and_then(session: SearchSession) -> None:
    """For long searches: looks for whoever differed each time a quarter more orders were asked."""
    if session.orders >= session.findings.next_look:
        settle(session)
        session.findings.next_look = session.orders + max(_LEAST_BETWEEN_LOOKS, session.orders // 4)


def examine(session: SearchSession, rates: Rates = STATED) -> None:
    """Repeats the reference order until it is decided of every test whether it is flaky. Whoever did something else
    the first time than it does as a rule was not at its best: the rule is what is wanted of it."""
    findings = session.findings
    if findings.is_examined:
        return
    findings.is_examined = True
    order = session.suite.tests
    session.start_step("repeating the reference order to tell who is flaky", rates.least_runs)
    runs: list[Run] = []
    batch = rates.least_runs
    while batch:
        runs += session.runs([OrderRequest(order, FIRST_FRESH + len(runs) + number) for number in range(batch)])
        outcomes = outcomes_by_test(session, runs)
        # Who never differed needs no more runs, though a few were lost to it by others before it.
        undecided = any(judge(seen, rates) is None and len(set(seen)) > 1 for seen in outcomes.values())
        batch = min(session.price.workers, rates.most_runs - len(runs)) if undecided else 0
    for test, seen in outcomes.items():
        note(session, test, judge(seen, rates, is_over=True))
    _want_the_usual(session, {test: Counter(seen).most_common(1)[0][0] for test, seen in outcomes.items() if seen})


def _want_the_usual(session: SearchSession, usual: Mapping[int, Outcome]) -> None:
    findings = session.findings
    changed = {
        test: outcome
        for test, outcome in usual.items()
        if outcome is not Outcome.NOT_RUN and outcome is not findings.wanted[test] and test not in findings.rescued
    }
    findings.usual.update(changed)
    for test, outcome in changed.items():
        findings.wanted[test] = outcome
    # Also without a change: which runs say something depends on who is flaky.
    session.learn_again()


def outcomes_by_test(session: SearchSession, runs: Sequence[Run]) -> dict[int, list[Outcome]]:
    """What every test did in runs of one order in which nobody before it had done otherwise than usual."""
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


def steadiness(session: SearchSession, order: Order, rates: Rates = STATED) -> Search[Steadiness]:
    """Whether the last test of the order does the same there each time, and what."""
    outcomes: list[Outcome] = []
    said = None
    asked = FIRST_FRESH
    while said is None:
        runs = yield [OrderRequest(order, asked + number) for number in range(max(1, session.price.workers))]
        asked += len(runs)
        outcomes += [run.last for run in runs]
        said = judge(outcomes, rates)
    return said


def note(session: SearchSession, test: int, said: Steadiness | None) -> None:
    if said is not None and said.is_flaky and test not in session.findings.flaky:
        session.findings.flaky.add(test)
        session.findings.certainty[test] = said
