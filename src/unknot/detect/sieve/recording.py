"""Detection with a recording: trusting it, and estimating what it has saved.

Trusting means that only pairs that share state in the recording are tried. What is found is proved as always. Whether
there is more is not known and not claimed: the result is not complete, none of its needs and conflicts is called
complete, and pairs that were not tried count as untried. To find everything, every flow between tests must have been
recorded.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from unknot.detect.engine.options import Detector, Options
from unknot.detect.published.graph import earlier_only
from unknot.hints.position import CandidateSource
from unknot.hints.recording import RecordedFlows
from unknot.model.bits import positions
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

_MAX_TESTS, _MAX_FINDINGS = 1_000, 250
_MAX_RUNS = 1_000_000
"""So many tests may be simulated without conflicts; every conflict makes each of them slower."""


@dataclass(frozen=True)
class EstimatedCost:
    """Of everything, proofs and the reference order included."""

    orders: int
    tests: int


def cost_without_recording(
    dependencies: Dependencies, detector: Detector, options: Options, price: Price
) -> EstimatedCost | None:
    """What the detector would run to find these dependencies without the recording; None if that would take too long to
    simulate."""
    return estimated_cost(
        dependencies, detector, replace(options, recorded=None, candidates=None, trusts_recording=False), price
    )


def estimated_cost(
    dependencies: Dependencies, detector: Detector, options: Options, price: Price
) -> EstimatedCost | None:
    """What the detector would run to find these dependencies with these options; None if that would take too long to
    simulate.

    Idea
        The needs and conflicts found define a simulated suite: the same detector runs on it, at the same costs.
    Assumptions
        There are no other dependencies and no flaky tests. So it is an estimate: flaky tests make real detections run
        more.
    Cost
        No test is run. Limited by the size of the suite, the number of dependencies, and the tests simulated; beyond
        that, there is no estimate. Measured: 2 s for 200 tests with 160 needs, 5 s for 1,000 tests with 250."""
    if len(dependencies.suite) > _MAX_TESTS or len(dependencies.needs) + len(dependencies.conflicts) > _MAX_FINDINGS:
        return None
    most = _MAX_RUNS // (1 + len(dependencies.conflicts))
    simulated = SimulatedOracle(
        _as_truth(dependencies),
        clean_state=price.clean_state,
        workers=price.workers,
        shares_prefixes=price.shares_prefixes,
    )
    counted = CountingOracle(simulated)
    detector(
        dependencies.suite, BudgetOracle(counted, Budget(tests=most), lambda: 0.0), replace(options, reference=None)
    )
    return EstimatedCost(counted.orders, counted.tests) if counted.tests < most else None


def _as_truth(dependencies: Dependencies) -> HiddenTruth:
    """A test that fails in the reference order, and is not a known victim, always fails."""
    needs: dict[TestId, tuple[frozenset[TestId], ...]] = {
        test: tuple(frozenset(need.any_of) for need in found) for test, found in dependencies.needs_of.items()
    }
    victims = dependencies.conflicts_of.keys()
    for test, outcome in dependencies.outcomes.items():
        if outcome is not Outcome.PASSED and test not in victims:
            needs[test] = (frozenset(),)
    conflicts = tuple(
        HiddenConflict(found.victim, frozenset(found.polluters), frozenset(found.cleaners))
        for found in dependencies.conflicts
    )
    return HiddenTruth(needs, conflicts, seconds=dependencies.seconds)


def only_recorded(recorded: RecordedFlows, candidates: CandidateSource) -> CandidateSource:
    """Of the tests that may affect a test, those that share state with it; of earlier ones also those that affect these
    in turn."""
    rows = [recorded.related(test) for test in range(len(recorded.may_need))]
    earlier = DependencyGraph(len(rows))
    earlier.rows = earlier_only(rows)
    rows = [row | reached for row, reached in zip(rows, earlier.closure().rows, strict=True)]
    return lambda test, size: candidates(test, size) & rows[test]


def tests_with_candidates(candidates: CandidateSource, size: int) -> list[int]:
    """The tests that others may affect, and those others, in rising order."""
    found = 0
    for test in range(size):
        if row := candidates(test, size):
            found |= row | 1 << test
    return list(positions(found))


def as_trusted_result(dependencies: Dependencies, tests: Sequence[int]) -> Dependencies:
    """Marks a result as based on a trusted recording, with the number of tests that were tried."""
    choice = f"trusting the recording: {len(tests)} of {len(dependencies.suite)} tests were tried"
    return replace(
        dependencies,
        needs=tuple(replace(need, complete=False) for need in dependencies.needs),
        conflicts=tuple(replace(conflict, complete=False) for conflict in dependencies.conflicts),
        complete=False,
        cost=replace(dependencies.cost, choice=choice),
    )
