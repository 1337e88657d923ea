"""Auto: the detector that should cost least, by forecast; another one if the forecast turns out wrong.

Idea
    If a clean state is cheap, few tests are brittle and each needs one other, appending brittle tests to short
    sequences (MEM-FAST) runs the fewest tests; otherwise whole orders (sieve) do. The choice depends on the price and
    on the share of brittle tests: that of the last detection if it is known, else that of a sample run backwards. The
    short sequences get a limited part of what whole orders would cost; if they are not done by then, the suite is
    denser than expected, and sieve takes over. No order is run twice: every run counts for both.
Assumptions
    Those of the chosen detector. If any order counts, or the suite was recorded, that is always sieve: no other
    detector finds conflicts or uses recordings as well.
Guarantee
    That of sieve. A result of short sequences is accepted only if every need also shows with all other tests present,
    so that alternatives are not reported as single needs; otherwise sieve runs.
Cost
    Measured over the benchmark: see bench/detectors. `Cost.choice` says what was chosen, and why.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.published.mem_fast import mem_fast
from unknot.detect.sieve.sieve import few_backwards, sieve
from unknot.model.dependencies import Dependencies
from unknot.model.errors import BudgetExhausted
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import MemoOracle, MemoryStore
from unknot.oracle.protocol import Oracle, Price

_ORDERS_FOR_A_BRITTLE_TEST = 0.9
_ORDERS_TO_HALVE = 1.5
_SHARE_OF_TESTS = 0.75
"""Whole orders on the benchmark's graphs: orders for each brittle test, for each halving of the suite, and the share of
the suite in an order."""

_SHARE_AFTER_ISOLATION = 0.4

_GAIN_OF_A_WORKER = 0.5
"""Orders of one batch cannot use each other's outcomes, so that more of them are needed."""

_MAX_BRITTLE = 0.25
"""Beyond this share, tests that need two others are likely, and appending to short sequences takes too long."""


@dataclass(frozen=True)
class Forecast:
    """What a detector would cost, in seconds of wall time. `brittle` is the share of tests that fail alone, known or
    guessed. A wrong forecast costs seconds, never a wrong result."""

    costs: CostModel
    brittle: float

    @property
    def isolation(self) -> float:
        """Every test alone."""
        price = self.costs.price
        return (self.costs.tests * price.clean_state + self.costs.suite_seconds) / price.workers

    @property
    def short_sequences(self) -> float:
        """MEM-FAST: every test alone, then each brittle one after each possible setter, half of them on average."""
        if self.brittle > _MAX_BRITTLE:
            return math.inf
        tries = self.brittle * self.costs.tests * self.costs.tests / 4
        return self.isolation + tries * (self.costs.price.clean_state + 2 * self._test) / self.costs.price.workers

    @property
    def whole_orders(self) -> float:
        """Sieve."""
        price, tests = self.costs.price, self.costs.tests
        brittle = self.brittle * tests
        orders = _ORDERS_TO_HALVE * math.log2(max(2, tests)) + _ORDERS_FOR_A_BRITTLE_TEST * brittle if brittle else 0.0
        at_once = 1 + (price.workers - 1) * _GAIN_OF_A_WORKER
        if self.costs.is_clean_state_expensive:
            # The backwards run that gave the share of brittle tests is spent whatever is chosen.
            return (2 + orders) * (price.clean_state + _SHARE_OF_TESTS * self.costs.suite_seconds) / at_once
        each = price.clean_state + _SHARE_AFTER_ISOLATION * self.costs.suite_seconds
        return self.isolation + orders * each / at_once

    @property
    def _test(self) -> float:
        return self.costs.suite_seconds / max(1, self.costs.tests)


_GUESS = 0.05
"""The share of brittle tests before anything is known."""

_SHARE_FOR_SHORT_SEQUENCES = 0.3
"""Of what whole orders would cost beyond running every test alone."""


def auto(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module docstring for its guarantees."""
    interruptible = _InterruptOracle(oracle)
    counted = CountingOracle(interruptible)
    memo = MemoOracle(counted, MemoryStore())
    if options.reorders or options.thorough or len(suite) < 2:
        return _renamed(sieve(suite, memo, options, on_progress), "sieve: any order counts")
    if options.recorded:
        return _renamed(sieve(suite, memo, options, on_progress), "sieve: the suite was recorded")
    try:
        reference = options.reference or _reference(suite, memo)
        if any(outcome is not Outcome.PASSED for outcome in reference.outcomes.values()):
            whole = _renamed(
                sieve(suite, memo, options, on_progress), "sieve: not all tests pass in the reference order"
            )
            return _plus(whole, 0 if options.reference else 1, 0 if options.reference else len(suite))
        forecast = _forecast(suite, memo, reference, options)
    except (BudgetExhausted, KeyboardInterrupt):
        stopped = _renamed(sieve(suite, _exhausted(memo), options, on_progress), "stopped before the choice")
        return _plus(stopped, counted.orders, counted.tests)
    sampled = counted.orders, counted.tests
    short_sequences = f"{forecast.short_sequences:.3g} s" if math.isfinite(forecast.short_sequences) else "too long"
    why = f"{forecast.brittle:.0%} brittle: {short_sequences} against {forecast.whole_orders:.3g} s"
    if forecast.short_sequences >= forecast.whole_orders:
        return _plus(_renamed(sieve(suite, memo, options, on_progress), f"sieve, not mem-fast: {why}"), *sampled)
    short = _short_sequences(suite, memo, options, on_progress, forecast)
    if short.complete and _holds_with_all_others(suite, memo, short):
        return _plus(_renamed(short, f"mem-fast, not sieve: {why}"), *sampled)
    if interruptible.interrupted:
        return _plus(_renamed(short, f"mem-fast, not sieve: {why}"), *sampled)
    whole = _plus(sieve(suite, memo, options, on_progress), short.cost.orders, short.cost.tests)
    return _plus(_renamed(whole, f"mem-fast, then sieve, because the suite is denser than expected: {why}"), *sampled)


class _InterruptOracle:
    """Records that the user pressed Ctrl-C: a detector then ends by itself, without saying why."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.interrupted = False

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        try:
            yield from self._inner.run_orders(requests)
        except KeyboardInterrupt:
            self.interrupted = True
            raise


def _exhausted(oracle: Oracle) -> Oracle:
    """An oracle that runs nothing more."""
    return BudgetOracle(oracle, Budget(orders=0), lambda: 0.0)


def _plus(dependencies: Dependencies, orders: int, tests: int) -> Dependencies:
    """Orders that were run before, and only recalled since, count too."""
    cost = dependencies.cost
    return replace(dependencies, cost=replace(cost, orders=cost.orders + orders, tests=cost.tests + tests))


def _renamed(dependencies: Dependencies, choice: str) -> Dependencies:
    said = f"{choice}; {dependencies.cost.choice}" if dependencies.cost.choice else choice
    return replace(dependencies, cost=replace(dependencies.cost, algorithm="auto", choice=said))


def _reference(suite: Suite, oracle: Oracle) -> Reference:
    (run,) = oracle.run_orders([OrderRequest(suite.tests)])
    results = dict(zip(run.order, run.results, strict=True))
    return Reference(
        {test: result.outcome for test, result in results.items()},
        {test: result.seconds for test, result in results.items()},
    )


def _forecast(suite: Suite, oracle: Oracle, reference: Reference, options: Options) -> Forecast:
    costs = CostModel(oracle.price, len(suite), sum(reference.seconds.values()), options.thorough)
    if options.brittle is not None:
        return Forecast(costs, options.brittle)
    backwards = range(len(suite) - 1, -1, -1)
    sample = list(backwards) if costs.is_clean_state_expensive else few_backwards(len(suite))
    if not sample or not costs.favours_whole_orders(1.0):
        return Forecast(costs, _GUESS)
    # Sieve would run the same order.
    (run,) = oracle.run_orders([OrderRequest(suite.order(sample))])
    brittle = sum(result.outcome is not Outcome.PASSED for result in run.results) / len(sample)
    return Forecast(costs, brittle if brittle or costs.is_clean_state_expensive else _GUESS)


def _short_sequences(
    suite: Suite, oracle: Oracle, options: Options, on_progress: ProgressCallback, forecast: Forecast
) -> Dependencies:
    most = forecast.isolation + _SHARE_FOR_SHORT_SEQUENCES * (forecast.whole_orders - forecast.isolation)
    price, costs = forecast.costs.price, forecast.costs
    each = price.clean_state + 2 * costs.suite_seconds / costs.tests
    orders = len(suite) + max(1, int((most - forecast.isolation) * price.workers / each))
    limited = BudgetOracle(oracle, Budget(orders=orders), lambda: 0.0)
    return mem_fast(suite, limited, options, on_progress)


def _holds_with_all_others(suite: Suite, oracle: Oracle, dependencies: Dependencies) -> bool:
    """Whether each dependent fails if only its prerequisite, and the tests that need that, are missing."""
    dependents_of: dict[TestId, set[TestId]] = {}
    for test in suite.tests:
        for needed in dependencies.closure(test)[:-1]:
            dependents_of.setdefault(needed, set()).add(test)
    direct: dict[TestId, set[TestId]] = {}
    for need in dependencies.needs:
        direct.setdefault(need.any_of[0], set()).add(need.dependent)
    requests: dict[OrderRequest, set[TestId]] = {}
    for needed, dependents in sorted(direct.items(), key=lambda entry: suite.index[entry[0]]):
        lost = {needed} | dependents_of[needed] - dependents
        last = max(suite.index[dependent] for dependent in dependents)
        requests[OrderRequest(tuple(test for test in suite.tests[: last + 1] if test not in lost))] = dependents
    try:
        runs = list(oracle.run_orders(list(requests)))
    except (BudgetExhausted, KeyboardInterrupt):
        return False
    return all(_all_fail(run, requests[run.request]) for run in runs)


def _all_fail(run: Run, dependents: Iterable[TestId]) -> bool:
    return all(run.outcome(test) is not Outcome.PASSED for test in dependents)
