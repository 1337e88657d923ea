"""What a detection would cost on a dependency graph that is known."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from unknot.app.progress import ProgressListener
from unknot.detect.algorithms import ALGORITHMS, DEFAULT
from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import PredictedOracle
from unknot.oracle.simulated import SimulatedOracle
from unknot.store.graph_file import HiddenSuite, read_hidden_suite

_COMPARED = Budget(orders=20_000, tests=2_000_000)
"""For each algorithm of a comparison, unless limits are given: some of them would run for years."""


@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """`clean_state` are the seconds to reach a clean state. `compare` simulates all algorithms."""

    graph: Path
    algorithm: str = DEFAULT
    compare: bool = False
    orders: Literal["any", "reference"] = "reference"
    seed: int = 0
    clean_state: float = 1.0
    workers: int = 1
    max_orders: int | None = None
    max_tests: int | None = None


def simulate(options: SimulateOptions, listener: ProgressListener) -> tuple[HiddenSuite, list[Dependencies]]:
    """The suite of the graph, and what each algorithm found again, with its predicted cost. Runs no test."""
    hidden = read_hidden_suite(options.graph)
    for note in hidden.notes:
        listener.note(note)
    found = []
    for name in tuple(ALGORITHMS) if options.compare else (options.algorithm,):
        found.append(_detect(name, hidden, options))
        if listener.is_interrupted():
            break
    return hidden, found


def _detect(name: str, hidden: HiddenSuite, options: SimulateOptions) -> Dependencies:
    simulated = SimulatedOracle(hidden.truth, clean_state=options.clean_state, workers=options.workers)
    predicted = PredictedOracle(simulated)
    budget = Budget(options.max_orders, options.max_tests)
    if options.compare and budget == Budget():
        budget = _COMPARED
    chosen = Options(reorders=options.orders == "any", seed=options.seed, reference=hidden.reference)
    dependencies = ALGORITHMS[name](hidden.suite, BudgetOracle(predicted, budget, lambda: 0.0), chosen)
    return replace(dependencies, cost=replace(dependencies.cost, seconds=predicted.seconds(dependencies.cost.orders)))
