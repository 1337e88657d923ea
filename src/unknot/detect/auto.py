"""Auto: the detector that should cost least, by forecast; another one when the forecast turns out wrong.

Idea
    Where a clean state is cheap, few tests are brittle and each needs one other, appending brittle tests to short
    sequences (MEM-FAST) runs the fewest tests; everywhere else whole orders (sieve) do. Which it is depends on the
    price and on the share of brittle tests: yesterday's if it is known, else that of some tests run backwards. The
    short way is given a bounded part of what whole orders would cost; if it is not done by then, the suite is denser
    than thought, and sieve takes over. Nothing is asked twice: what was run counts for both.
Assumptions
    Those of the chosen detector. Where trouble is looked for in any order, that is always sieve: nothing else finds it.
    So it is where the suite was recorded: nothing else makes as much of that.
Guarantee
    Sieve's. What the short way found is accepted only if every need also shows with everyone else present, so that an
    either-or need is not told as a plain one; otherwise sieve has the word.
Cost
    Measured over the benchmark: see bench/detectors. `Cost.choice` says what was chosen, and why.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from unknot.detect.engine.effort import Effort
from unknot.detect.engine.forecast import Forecast
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

_GUESS = 0.05
"""The share of brittle tests before anything is known."""

_SHARE_FOR_THE_SHORT_WAY = 0.3
"""Of what whole orders would cost beyond running every test alone."""


def auto(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    watched = _Watched(oracle)
    counted = CountingOracle(watched)
    memo = MemoOracle(counted, MemoryStore())
    if options.reorders or options.thorough or len(suite) < 2:
        return _renamed(sieve(suite, memo, options, on_progress), "sieve: any order counts")
    if options.recorded:
        return _renamed(sieve(suite, memo, options, on_progress), "sieve: it knows what is suspected")
    try:
        reference = options.reference or _reference(suite, memo)
        if any(outcome is not Outcome.PASSED for outcome in reference.outcomes.values()):
            whole = _renamed(
                sieve(suite, memo, options, on_progress), "sieve: not all tests pass in the reference order"
            )
            return _plus(whole, 0 if options.reference else 1, 0 if options.reference else len(suite))
        forecast = _forecast(suite, memo, reference, options)
    except (BudgetExhausted, KeyboardInterrupt):
        stopped = _renamed(sieve(suite, _closed(memo), options, on_progress), "stopped before the choice")
        return _plus(stopped, counted.orders, counted.tests)
    looked = counted.orders, counted.tests
    short_way = f"{forecast.short_sequences:.3g} s" if math.isfinite(forecast.short_sequences) else "no end in sight"
    why = f"{forecast.brittle:.0%} brittle: {short_way} against {forecast.whole_orders:.3g} s"
    if forecast.short_sequences >= forecast.whole_orders:
        return _plus(_renamed(sieve(suite, memo, options, on_progress), f"sieve, not mem-fast: {why}"), *looked)
    short = _short_way(suite, memo, options, on_progress, forecast)
    if short.complete and _holds_with_everyone_else(suite, memo, short):
        return _plus(_renamed(short, f"mem-fast, not sieve: {why}"), *looked)
    if watched.interrupted:
        return _plus(_renamed(short, f"mem-fast, not sieve: {why}"), *looked)
    whole = _plus(sieve(suite, memo, options, on_progress), short.cost.orders, short.cost.tests)
    return _plus(_renamed(whole, f"mem-fast, then sieve, as the suite is denser than thought: {why}"), *looked)


class _Watched:
    """Notes that the user pressed Ctrl-C: a detector ends by itself then, and does not say why."""

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


def _closed(oracle: Oracle) -> Oracle:
    """Answers nothing any more."""
    return BudgetOracle(oracle, Budget(orders=0), lambda: 0.0)


def _plus(dependencies: Dependencies, orders: int, tests: int) -> Dependencies:
    """What was run before, and only recalled since, counts too."""
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
    effort = Effort(oracle.price, len(suite), sum(reference.seconds.values()), options.thorough)
    if options.brittle is not None:
        return Forecast(effort, options.brittle)
    everyone = range(len(suite) - 1, -1, -1)
    looked_at = list(everyone) if effort.is_clean_state_dear else few_backwards(len(suite))
    if not looked_at or not effort.favours_whole_orders(1.0):
        return Forecast(effort, _GUESS)
    # Sieve would ask the same.
    (run,) = oracle.run_orders([OrderRequest(suite.order(looked_at))])
    brittle = sum(result.outcome is not Outcome.PASSED for result in run.results) / len(looked_at)
    return Forecast(effort, brittle if brittle or effort.is_clean_state_dear else _GUESS)


def _short_way(
    suite: Suite, oracle: Oracle, options: Options, on_progress: ProgressCallback, forecast: Forecast
) -> Dependencies:
    most = forecast.isolation + _SHARE_FOR_THE_SHORT_WAY * (forecast.whole_orders - forecast.isolation)
    price, effort = forecast.effort.price, forecast.effort
    each = price.clean_state + 2 * effort.suite_seconds / effort.tests
    orders = len(suite) + max(1, int((most - forecast.isolation) * price.workers / each))
    limited = BudgetOracle(oracle, Budget(orders=orders), lambda: 0.0)
    return mem_fast(suite, limited, options, on_progress)


def _holds_with_everyone_else(suite: Suite, oracle: Oracle, dependencies: Dependencies) -> bool:
    """Whether each dependent fails when only its prerequisite, and who needs that, is missing."""
    needers: dict[TestId, set[TestId]] = {}
    for test in suite.tests:
        for needed in dependencies.closure(test)[:-1]:
            needers.setdefault(needed, set()).add(test)
    direct: dict[TestId, set[TestId]] = {}
    for need in dependencies.needs:
        direct.setdefault(need.any_of[0], set()).add(need.dependent)
    asked: dict[OrderRequest, set[TestId]] = {}
    for needed, dependents in sorted(direct.items(), key=lambda entry: suite.index[entry[0]]):
        lost = {needed} | needers[needed] - dependents
        last = max(suite.index[dependent] for dependent in dependents)
        asked[OrderRequest(tuple(test for test in suite.tests[: last + 1] if test not in lost))] = dependents
    try:
        runs = list(oracle.run_orders(list(asked)))
    except (BudgetExhausted, KeyboardInterrupt):
        return False
    return all(_all_fail(run, asked[run.request]) for run in runs)


def _all_fail(run: Run, dependents: Iterable[TestId]) -> bool:
    return all(run.outcome(test) is not Outcome.PASSED for test in dependents)
