"""What a detection would have asked if nothing had been recorded, told from what it found.

Idea
    The needs and conflicts found are a suite of their own: the same detector looks for them again, with no recording,
    in a simulation that costs what the real thing costs.
Assumptions
    Nothing else is there than was found, and nobody is flaky. So it is an estimate: chance makes real detections ask
    more.
Cost
    No test is run. Bounded by the size of the suite, by how much was found in it, and by the tests simulated; beyond,
    nothing is said. Measured: 2 s for 200 tests with 160 needs, 5 s for 1,000 tests with 250.
"""

from dataclasses import dataclass, replace

from unknot.detect.engine.options import Detector, Options
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

_MOST_TESTS, _MOST_FINDINGS = 1_000, 250
_MOST_RUNS = 1_000_000
"""So many tests may be simulated where nobody breaks anybody; every conflict makes each of them slower."""


@dataclass(frozen=True)
class Asked:
    """Everything, proofs and the reference order included."""

    orders: int
    tests: int


def asked_without(dependencies: Dependencies, detector: Detector, options: Options, price: Price) -> Asked | None:
    """What the detector, told the same but for the recording, would ask to find these dependencies; None if that would
    take too long to simulate."""
    return asked_for(
        dependencies, detector, replace(options, recorded=None, candidates=None, trusts_recording=False), price
    )


def asked_for(dependencies: Dependencies, detector: Detector, options: Options, price: Price) -> Asked | None:
    """What the detector, told this, would ask to find these dependencies; None if that would take too long to
    simulate."""
    if len(dependencies.suite) > _MOST_TESTS or len(dependencies.needs) + len(dependencies.conflicts) > _MOST_FINDINGS:
        return None
    most = _MOST_RUNS // (1 + len(dependencies.conflicts))
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
    return Asked(counted.orders, counted.tests) if counted.tests < most else None


def _as_truth(dependencies: Dependencies) -> HiddenTruth:
    """A test that fails in the reference order, and is not known to be broken by others, always fails."""
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
