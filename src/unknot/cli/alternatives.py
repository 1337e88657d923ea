"""What other algorithms would have asked to find the same, for a report: told by simulations.

The needs and conflicts found are a suite of their own, in which each algorithm looks for them from nothing. Counted is
all that `unknot detect --algorithm NAME` would ask, the reference order and proofs included, as in the cost of a
detection. It is an estimate: nothing else is there than was found, nobody is flaky, and nothing was known before.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.model.run import Question, Run
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.predicted import PredictedOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle
from unknot.report.report import Alternative
from unknot.store.graph_file import HiddenSuite, hidden_suite

_DEAR = ("pradet", "tedd", "exhaustive", "dependence-aware", "tuscan")
"""They come last, so that they get what the others have left."""

_MOST_STEPS = 600_000
"""Simulated tests, for all algorithms together: one to two seconds. With a limit that is no clock's, a report says the
same on every day."""

_STEPS_OF_AN_ORDER = 8
_CONFLICTS_OF_A_STEP = 4
"""An order costs as much as so many of its tests; and so many conflicts make a test take twice as long."""

_MOST_SECONDS = 2.0
"""Of computing, for all of them together, if the steps take longer than they should."""

_MOST_TESTS = 1_000
_MOST_TESTS_OF_OURS = 500
"""Beyond, what an algorithm thinks between two orders takes seconds; ours think most."""

_OURS = ("auto", "sieve")


def alternatives(
    dependencies: Dependencies, price: Price, *, reorders: bool = True, clock: Callable[[], float] = time.process_time
) -> tuple[Alternative, ...]:
    """One for each algorithm but the one that was used, by name as the detectors are listed. None for a result that is
    not complete, for one without claims, and for very large suites. One that does not come to its end within bounds is
    told only if it has asked more than the detection did by then, in orders and in tests. Cost: two seconds at most,
    and what one algorithm thinks between two orders."""
    if not dependencies.complete or not dependencies.has_any or len(dependencies.suite) > _MOST_TESTS:
        return ()
    hidden = hidden_suite(dependencies)
    started = clock()
    steps = float(_MOST_STEPS)
    found: dict[str, Alternative] = {}
    names = _compared(dependencies, reorders=reorders)
    for number, name in enumerate(sorted(names, key=_DEAR.__contains__)):
        left = _MOST_SECONDS - (clock() - started)
        if left <= 0:
            break
        limits = _Limits(steps / (len(names) - number), left, clock)
        said, spent = _simulated(name, dependencies, hidden, price, limits, Options(reorders=reorders))
        steps -= spent
        if said is not None:
            found[name] = said
    return tuple(found[name] for name in ALGORITHMS if name in found)


def _compared(dependencies: Dependencies, *, reorders: bool) -> list[str]:
    """Where any order counts, auto is sieve under another name."""
    out = {dependencies.cost.algorithm, *(("auto",) if reorders else ())}
    if len(dependencies.suite) > _MOST_TESTS_OF_OURS:
        out.update(_OURS)
    return [name for name in ALGORITHMS if name not in out]


@dataclass(frozen=True)
class _Limits:
    steps: float
    seconds: float
    clock: Callable[[], float]


def _simulated(
    name: str, dependencies: Dependencies, hidden: HiddenSuite, price: Price, limits: _Limits, options: Options
) -> tuple[Alternative | None, float]:
    """What is to be told, and the steps that it took."""
    simulated = SimulatedOracle(
        hidden.truth,
        clean_state=price.clean_state,
        workers=price.workers,
        shares_prefixes=price.shares_prefixes,
    )
    tally = _Tally(simulated, 1 + len(dependencies.conflicts) / _CONFLICTS_OF_A_STEP)
    predicted = PredictedOracle(tally)
    started = limits.clock()

    def share() -> float:
        return max(tally.steps / limits.steps, (limits.clock() - started) / limits.seconds)

    # A share of what is allowed takes the place of the time: it is looked at after every order.
    told = ALGORITHMS[name](hidden.suite, BudgetOracle(predicted, Budget(seconds=1.0), share), options)
    is_stopped = tally.steps >= limits.steps
    if not is_stopped and limits.clock() - started >= limits.seconds:
        return None, tally.steps
    is_dearer = tally.orders > dependencies.cost.orders and tally.tests > dependencies.cost.tests
    if is_stopped and not is_dearer:
        return None, tally.steps
    # One that cannot know whether there is more does not do the same, even if it happens to find all.
    complete = not is_stopped and told.complete and _claims(dependencies) <= _claims(told)
    return Alternative(name, tally.orders, tally.tests, predicted.seconds(tally.orders), complete), tally.steps


def _claims(dependencies: Dependencies) -> set[tuple[str, str, frozenset[str]]]:
    needs = {("need", need.dependent, frozenset[str](need.any_of)) for need in dependencies.needs}
    return needs | {("conflict", known.victim, frozenset[str](known.polluters)) for known in dependencies.conflicts}


class _Tally(CountingOracle):
    """Counts besides how much work it is to simulate what is asked."""

    def __init__(self, inner: Oracle, weight: float) -> None:
        super().__init__(inner)
        self._weight = weight
        self.steps = 0.0

    def ask(self, questions: Sequence[Question]) -> Iterator[Run]:
        for run in super().ask(questions):
            self.steps += _STEPS_OF_AN_ORDER + self._weight * len(run.order)
            yield run
