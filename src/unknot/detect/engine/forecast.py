"""What a detection will cost, before the search begins. A wrong forecast costs nothing but trust."""

from dataclasses import dataclass

from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.outlook import SearchFacts, Stage, Work, predicted_work

_MANY_BRITTLE, _MANY_VICTIMS = 0.2, 0.15
"""The shares of a suite with many dependencies."""

_SLACK = 1.5
"""Other work of the machine, recordings, repetitions for flaky tests."""


@dataclass(frozen=True)
class Forecast:
    """Seconds: of one run of the suite, until the first claims can be there, and of a detection if no test depends on
    another (`least`) and if many do (`most`). The simulated and planted suites of bench/knotted are in between."""

    run: float
    first_claims: float
    least: float
    most: float


def forecast(costs: CostModel) -> Forecast:
    """For a search of all tests in any order from scratch. Cost: nothing is run."""
    size, workers = costs.tests, costs.price.workers
    mean_test = costs.run_seconds / max(1, size)
    both_directions = (costs.run_seconds + costs.price.clean_state) * 2 / min(2, workers)
    if costs.is_clean_state_expensive:
        stage, first_look = Stage.WHOLE_ORDERS, 0.0
    else:
        stage, first_look = Stage.NEEDS, costs.seconds_in_groups(costs.group_size)

    def seconds(brittle: float, victims: float) -> float:
        facts = SearchFacts(
            size, stage, round(size * brittle), round(size * victims), tries_all_pairs=costs.affords_all_pairs
        )
        works = (predicted_work(facts, each) for each in Stage if each >= stage)
        return both_directions + first_look + sum((work.seconds(mean_test, costs.price) for work in works), 0.0)

    alone = Work(size, size).seconds(mean_test, costs.price)
    first_claims = both_directions + max(first_look, 0.0 if costs.is_clean_state_expensive else alone)
    return Forecast(
        costs.run_seconds, first_claims, both_directions + first_look, seconds(_MANY_BRITTLE, _MANY_VICTIMS) * _SLACK
    )
