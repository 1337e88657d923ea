"""What a detector would cost, before it is run: from the price of a clean state, the tests' seconds, the workers, and
the share of tests that are brittle. A wrong forecast costs seconds, never a wrong result."""

import math
from dataclasses import dataclass

from unknot.detect.engine.effort import Effort

_ORDERS_FOR_A_BRITTLE_TEST = 0.9
_ORDERS_TO_HALVE = 1.5
_SHARE_OF_TESTS = 0.75
"""What whole orders took on the benchmark's graphs: orders for each brittle test, for each halving of the suite, and
how much of the suite is in an order."""

_SHARE_AFTER_ISOLATION = 0.4

_GAIN_OF_A_WORKER = 0.5
"""Orders asked at the same time know nothing of each other's answers, and more of them are needed."""

_MOST_BRITTLE = 0.25
"""From this share on, tests that need two others are likely, and appending tests to short sequences does not end."""


@dataclass(frozen=True)
class Forecast:
    """Seconds of wall time. `brittle` is the share of tests that fail alone, known or guessed."""

    effort: Effort
    brittle: float

    @property
    def isolation(self) -> float:
        """Every test alone."""
        price = self.effort.price
        return (self.effort.tests * price.clean_state + self.effort.suite_seconds) / price.workers

    @property
    def short_sequences(self) -> float:
        """MEM-FAST: every test alone, then each brittle one after each that may serve it, half of them on average."""
        if self.brittle > _MOST_BRITTLE:
            return math.inf
        tries = self.brittle * self.effort.tests * self.effort.tests / 4
        return self.isolation + tries * (self.effort.price.clean_state + 2 * self._test) / self.effort.price.workers

    @property
    def whole_orders(self) -> float:
        """Sieve."""
        price, tests = self.effort.price, self.effort.tests
        brittle = self.brittle * tests
        orders = _ORDERS_TO_HALVE * math.log2(max(2, tests)) + _ORDERS_FOR_A_BRITTLE_TEST * brittle if brittle else 0.0
        at_once = 1 + (price.workers - 1) * _GAIN_OF_A_WORKER
        if self.effort.is_clean_state_dear:
            # That it was run backwards, which told how many are brittle, is spent whatever is chosen.
            return (2 + orders) * (price.clean_state + _SHARE_OF_TESTS * self.effort.suite_seconds) / at_once
        each = price.clean_state + _SHARE_AFTER_ISOLATION * self.effort.suite_seconds
        return self.isolation + orders * each / at_once

    @property
    def _test(self) -> float:
        return self.effort.suite_seconds / max(1, self.effort.tests)
