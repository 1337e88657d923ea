"""One detector on one graph, at every price."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from bench.detectors.families import Subject
from bench.detectors.subjects import Extent
from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle, PredictedOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

FACTORS = (0.01, 1.0, 10.0)
"""A clean state, in tests of average length."""
WORKERS = (1, 2, 8)

OUT_OF_BUDGET = "OOB"

_MOST_TESTS = {
    "dependence-aware": 72,
    "exhaustive": 72,
    "isolate": 72,
    "mem-fast": 50,
    "pradet": 202,
    "reverse": 72,
    "tedd": 202,
    "tuscan": 72,
}
"""Larger suites are not even begun: these ask so many orders, or think so long, that the others would have to wait."""


_MOST_TESTS_FOR_ALL_PRICES = 102
"""Larger suites are measured on one worker only, or a whole run would take an hour."""


@dataclass(frozen=True)
class Row:
    """`factor` and `workers` make the price; `status` is complete, incomplete (by the detector's own word) or OOB, and
    then the figures say only how far it came. `orders` and `tests` are all that was run, with proofs and checks, as a
    user pays for them; `own_orders` and `own_tests` are those of the algorithm, as its authors count; `seconds` is the
    predicted wall time of all orders. `right` says that the needs and conflicts found are the hidden ones, without the
    edges that follow from others. `longest` is the longest closure."""

    family: str
    probability: float | None
    size: int
    number: int
    edges: int
    detector: str
    factor: float
    workers: int
    orders: int
    tests: int
    own_orders: int
    own_tests: int
    seconds: float
    needs: int
    conflicts: int
    status: str
    right: bool
    longest: int


@dataclass(frozen=True)
class Hidden:
    suite: Suite
    truth: HiddenTruth
    reference: Reference
    reduced: DependencyGraph
    """Single needs only."""

    def is_found_by(self, found: Dependencies) -> bool:
        index, tests = self.suite.index, self.suite.tests
        needs = {(index[need.dependent], frozenset(need.any_of)) for need in found.needs}
        true = {(dependent, frozenset([tests[prerequisite]])) for dependent, prerequisite in self.reduced.edges()}
        true |= {
            (index[dependent], clause)
            for dependent, clauses in self.truth.needs.items()
            for clause in clauses
            if len(clause) > 1
        }
        conflicts = {HiddenConflict(c.victim, frozenset(c.polluters), frozenset(c.cleaners)) for c in found.conflicts}
        return needs == true and conflicts == set(self.truth.conflicts)

    @property
    def mean_seconds(self) -> float:
        return sum(self.reference.seconds.values()) / len(self.suite)


def hide(subject: Subject) -> Hidden:
    suite = Suite(tuple(TestId(f"test_{number}") for number in range(subject.size)))
    seconds = dict(zip(suite.tests, subject.seconds or [1.0] * subject.size, strict=True))
    needs: dict[TestId, list[frozenset[TestId]]] = {}
    for dependent, prerequisite in subject.edges:
        needs.setdefault(suite.tests[dependent], []).append(frozenset({suite.tests[prerequisite]}))
    for dependent, any_of in subject.alternatives:
        needs.setdefault(suite.tests[dependent], []).append(frozenset(suite.order(any_of)))
    conflicts = tuple(
        HiddenConflict(suite.tests[victim], frozenset(suite.order(polluters)), frozenset(suite.order(cleaners)))
        for victim, polluters, cleaners in subject.conflicts
    )
    truth = HiddenTruth({test: tuple(clauses) for test, clauses in needs.items()}, conflicts, seconds=seconds)
    reference = Reference(dict.fromkeys(suite.tests, Outcome.PASSED), seconds)
    return Hidden(suite, truth, reference, DependencyGraph(subject.size, subject.edges).reduction())


def measure(subject: Subject, detector: str, extent: Extent) -> list[Row]:
    """A row for each price. A detector that never looks at the price asks the same at all of them: one run will do."""
    hidden = hide(subject)
    several = WORKERS if subject.size <= _MOST_TESTS_FOR_ALL_PRICES else WORKERS[:1]
    prices = {Price(factor * hidden.mean_seconds, workers): factor for factor in FACTORS for workers in several}
    if subject.size > _MOST_TESTS.get(detector, subject.size):
        nothing = Dependencies(hidden.suite, {}, {}, complete=False)
        never = _Attempt(nothing, OUT_OF_BUDGET, 0, 0, {}, saw_price=False)
        return [_row(subject, hidden, detector, factor, price, never) for price, factor in prices.items()]
    attempt: _Attempt | None = None
    rows = []
    for price, factor in prices.items():
        if attempt is None or attempt.saw_price:
            attempt = _attempt(hidden, detector, price, tuple(prices), extent)
        rows.append(_row(subject, hidden, detector, factor, price, attempt))
    return rows


@dataclass(frozen=True)
class _Attempt:
    dependencies: Dependencies
    status: str
    orders: int
    tests: int
    seconds: dict[Price, float]
    saw_price: bool


def _attempt(hidden: Hidden, detector: str, price: Price, prices: Sequence[Price], extent: Extent) -> _Attempt:
    simulated = SimulatedOracle(hidden.truth, clean_state=price.clean_state, workers=price.workers)
    predicted = PredictedOracle(simulated, prices)
    counted = CountingOracle(predicted)
    watched = _Watched(BudgetOracle(counted, Budget(extent.orders, extent.tests), lambda: 0.0))
    alarm = Alarm()
    dependencies = Dependencies(hidden.suite, {}, {}, complete=False)
    # A detector ends by itself when it is interrupted; but it may be interrupted while it ends.
    with suppress(KeyboardInterrupt), alarm.after(extent.seconds):
        dependencies = ALGORITHMS[detector](hidden.suite, watched, Options(reorders=False, reference=hidden.reference))
    status = "complete" if dependencies.complete else "incomplete"
    if not dependencies.complete and (alarm.rang or watched.stopped):
        status = OUT_OF_BUDGET
    seconds = {each: predicted.seconds(counted.orders, each) for each in prices}
    return _Attempt(dependencies, status, counted.orders, counted.tests, seconds, watched.saw_price)


def _row(subject: Subject, hidden: Hidden, detector: str, factor: float, price: Price, attempt: _Attempt) -> Row:
    dependencies = attempt.dependencies
    index = hidden.suite.index
    pairs = ((index[need.dependent], index[other]) for need in dependencies.needs for other in need.any_of)
    found = DependencyGraph(subject.size, pairs)
    return Row(
        family=subject.family,
        probability=subject.probability,
        size=subject.size,
        number=subject.number,
        edges=sum(1 for _ in hidden.reduced.edges()) + len(subject.alternatives),
        detector=detector,
        factor=factor,
        workers=price.workers,
        orders=attempt.orders,
        tests=attempt.tests,
        own_orders=dependencies.cost.orders,
        own_tests=dependencies.cost.tests,
        seconds=round(attempt.seconds.get(price, 0.0), 6),
        needs=len(dependencies.needs),
        conflicts=len(dependencies.conflicts),
        status=attempt.status,
        right=hidden.is_found_by(dependencies),
        longest=1 + max((row.bit_count() for row in found.closure().rows), default=0) if found.is_acyclic() else 0,
    )


class _Watched:
    """Notes whether the price was read, and whether the budget ended the search."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.saw_price = False
        self.stopped = False

    @property
    def price(self) -> Price:
        self.saw_price = True
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.stopped = True
        yield from self._inner.run_orders(requests)
        self.stopped = False


class Alarm:
    """Stops a detector as Ctrl-C does when it has used up its CPU seconds: it may think for long without asking."""

    def __init__(self) -> None:
        self.rang = False

    @contextmanager
    def after(self, seconds: float) -> Iterator[None]:
        before = signal.signal(signal.SIGPROF, self._ring)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, before)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        self.rang = True
        raise KeyboardInterrupt
