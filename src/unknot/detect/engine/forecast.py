"""What a detection will cost, before the search begins. A wrong forecast costs nothing but trust."""

from dataclasses import dataclass

from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.outlook import SearchFacts, Stage, Work, predicted_work

_BRITTLE, _VICTIMS = 0.12, 0.05
_MOST_BRITTLE, _MOST_VICTIMS = 20, 10
"""The shares of a suite with many dependencies, and so many at most."""

_SLACK = 1.2
_SLACK_WITH_RECORDING = 2.0
"""Other work of the machine, and repetitions for flaky tests; a recording may have missed much."""


@dataclass(frozen=True)
class Forecast:
    """Seconds: of one run of the suite, until the first claims can be there, and of a detection if no test depends on
    another (`least`) and if `dependents` do (`most`). Most simulated suites of bench/knotted are in between; a suite
    with more dependents takes longer."""

    run: float
    first_claims: float
    least: float
    most: float
    dependents: int


def forecast(costs: CostModel, *, is_recorded: bool) -> Forecast:
    """For a search of all tests in any order from scratch. Cost: nothing is run."""
    size, price = costs.tests, costs.price
    mean_test = costs.run_seconds / max(1, size)
    least = (costs.run_seconds + price.clean_state) * 2 / min(2, price.workers)
    first_claims = least
    stage = Stage.WHOLE_ORDERS
    if not costs.is_clean_state_expensive:
        stage = Stage.NEEDS
        first_claims += Work(size, size).seconds(mean_test, price)
        least += costs.seconds_in_groups(costs.group_size)
    brittle = min(round(size * _BRITTLE), _MOST_BRITTLE)
    victims = min(round(size * _VICTIMS), _MOST_VICTIMS)
    facts = SearchFacts(size, stage, brittle, victims, victims, is_recorded, costs.affords_all_pairs)
    search = sum(predicted_work(facts, each).seconds(mean_test, price) for each in Stage if each >= stage)
    most = (first_claims + search) * (_SLACK_WITH_RECORDING if is_recorded else _SLACK)
    return Forecast(costs.run_seconds, first_claims, least, max(least, most), brittle + victims)
