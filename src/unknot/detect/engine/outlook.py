"""How much of a search is left, predicted from what is known so far. A wrong prediction only misleads a progress bar.

The work of a search is predicted for each stage from the numbers of brittle tests, victims and pairs that share state.
The factors were fitted to simulated and planted suites of 40 to 100 tests (bench/knotted) and to the example shop.
There the predicted whole holds within a factor of two once the brittle tests are known, with few exceptions in the
first quarter of the search; before that nothing is predicted.
"""

from dataclasses import dataclass
from enum import IntEnum

from unknot.oracle.protocol import Price

_VICTIMS_PER_BRITTLE_TEST = 1 / 2
"""Before tests have met in many orders, so many victims are expected beside those that have shown."""

_OVERRUN = 0.15
"""A stage that takes longer than predicted is expected to take this share of what it took so far."""


class Stage(IntEnum):
    """How far a search has got. Other detectors than sieve stay at the first stage."""

    FIRST_RUNS = 0
    WHOLE_ORDERS = 1
    NEEDS = 2
    CONFLICTS = 3
    FINISHED = 4


@dataclass(frozen=True)
class Work:
    """Orders and the tests in them."""

    orders: float = 0.0
    tests: float = 0.0

    def __add__(self, other: "Work") -> "Work":
        return Work(self.orders + other.orders, self.tests + other.tests)

    def __sub__(self, other: "Work") -> "Work":
        return Work(self.orders - other.orders, self.tests - other.tests)

    def times(self, factor: float) -> "Work":
        return Work(self.orders * factor, self.tests * factor)

    def seconds(self, mean_test: float, price: Price) -> float:
        return (self.tests * mean_test + self.orders * price.clean_state) / price.workers


@dataclass(frozen=True)
class SearchFacts:
    """What a prediction is made from. `brittle` are tests that fail alone or, where whole orders are run, backwards;
    `victims` other tests that failed in some order; `pairs` the tests that may break each victim, summed up: at least
    one each. `tries_all_pairs`: every test runs directly after every other."""

    tests: int
    stage: Stage
    brittle: int = 0
    victims: int = 0
    pairs: int = 0
    is_recorded: bool = False
    tries_all_pairs: bool = False


def work_left(facts: SearchFacts, done_in_stage: Work, mean_test: float, price: Price) -> float | None:
    """Seconds of work until the end of the search, given what was done since its stage began; None if that cannot be
    known. Guarantee: never negative, and 0 once the search has finished."""
    if facts.stage is Stage.FIRST_RUNS:
        return None
    if facts.stage is Stage.FINISHED:
        return 0.0
    predicted = predicted_work(facts, facts.stage).seconds(mean_test, price)
    done = done_in_stage.seconds(mean_test, price)
    later = (predicted_work(facts, stage) for stage in Stage if stage > facts.stage)
    return max(predicted - done, done * _OVERRUN) + sum(work.seconds(mean_test, price) for work in later)


def predicted_work(facts: SearchFacts, stage: Stage) -> Work:
    """All work of the stage."""
    if stage is Stage.WHOLE_ORDERS:
        orders = 2 * facts.tests.bit_length() + 1.7 * facts.brittle
        return Work(orders, orders * facts.tests / 3)
    if stage is Stage.NEEDS and facts.stage is not Stage.WHOLE_ORDERS:
        each = Work(18, 1.1 * facts.tests) if facts.is_recorded else Work(25, 3.8 * facts.tests)
        return each.times(facts.brittle)
    return _conflicts(facts) if stage is Stage.CONFLICTS else Work()


def _conflicts(facts: SearchFacts) -> Work:
    size = facts.tests
    victims: float = facts.victims
    if facts.stage < Stage.CONFLICTS:
        victims += facts.brittle * _VICTIMS_PER_BRITTLE_TEST
    if facts.tries_all_pairs:
        return Work(3 * size, 2 * size * size) + Work(size + 15, 4.5 * size).times(victims)
    if not victims and not facts.brittle:
        return Work(size / 4, 2 * size)
    if not facts.is_recorded:
        return Work(size / 2, 11 * size) + Work(40, 5.3 * size).times(victims)
    pairs = max(victims, facts.pairs)
    return Work(size / 2 + 4, 5 * size) + Work(15, 1.6 * size).times(victims) + Work(3, 6).times(pairs)
