"""How much to run, by predicted cost. A wrong prediction costs seconds, never a wrong result."""

from dataclasses import dataclass

from unknot.oracle.protocol import Price

_GROUP_SIZES = (1, 2, 4, 8, 16, 32)

_FREE_SECONDS = 2.0
_FREE_SECONDS_FOR_PAIRS = 20.0
"""Always allowed: on a small suite, certainty is worth a few seconds."""

_FREE_SECONDS_FOR_GROUPS = 1.0
_SHARE_FOR_GROUPS = 0.6
"""Running every test nearly alone may take so long, or this share of one run of the suite."""

_OVERHEAD_SECONDS = 0.0004
_WORTH_OF_CERTAINTY = 1.2
"""Smaller groups show more, and may cost this much more."""

_GROUP_STRAIN = 2.5
"""A process that runs several tests copies more memory after a fork, and fills more caches again, than one that runs
one test."""

_EXPENSIVE_SECONDS = 0.1
"""A clean state below this is cheap for every suite."""

_PATIENCE_SECONDS = 15.0
"""Limit for the clean states of running every test alone, which shows what whole orders cannot (alternatives)."""

_CERTAINTY_SECONDS = 60.0
"""Limit for searching the needs of each brittle test one by one, which shows all alternatives; and for random
orders."""

_PAIRS_FOR_A_TEST = 0.5
"""So many recorded pairs for each test of the suite are tried directly, which takes about as long as one run of it."""

_SHARE_FOR_HARMLESS = 0.05
"""Recorded pairs without a sign that they matter may take this share of one run of the suite."""

MAX_RANDOM_ORDERS = 10

_WORTH_OF_ISOLATION = 0.6
"""In many suites most tests are brittle, and running each alone says little about what it needs."""

_ORDERS_FOR_A_BRITTLE_TEST = 14


@dataclass(frozen=True)
class CostModel:
    """Predictions for a suite whose reference order took `suite_seconds` of tests, on an oracle with this price."""

    price: Price
    tests: int
    suite_seconds: float
    thorough: bool = False

    @property
    def run_seconds(self) -> float:
        """One order of all tests, with what pytest itself takes for each."""
        return self.suite_seconds + self.tests * _OVERHEAD_SECONDS

    @property
    def _allowance(self) -> float:
        return max(_FREE_SECONDS_FOR_GROUPS, self.run_seconds * _SHARE_FOR_GROUPS)

    @property
    def is_clean_state_expensive(self) -> bool:
        """Whether a clean state for every test costs more than certainty is worth, so that whole orders are run
        instead."""
        if self.thorough or self.price.clean_state <= _EXPENSIVE_SECONDS:
            return False
        clean_states = self.tests * self.price.clean_state / self.price.workers
        alone = clean_states + self.run_seconds / self.price.workers
        backwards_and_in_two_lanes = 3 * self.price.clean_state + 2 * self.run_seconds
        return clean_states > _PATIENCE_SECONDS and alone > backwards_and_in_two_lanes * _WORTH_OF_ISOLATION

    def favours_whole_orders(self, brittle: float) -> bool:
        """Whether, with this share of brittle tests, searching the needs of each would cost more than certainty is
        worth. Whole orders show something about all tests at once, but less about alternatives."""
        if self.thorough or not brittle:
            return False
        orders = self.tests * (1 + brittle * _ORDERS_FOR_A_BRITTLE_TEST)
        seconds = orders * self.price.clean_state + orders * self.run_seconds / 2
        return seconds / self.price.workers > _CERTAINTY_SECONDS

    @property
    def affords_selections(self) -> bool:
        """Whether some orders of half of the tests are run without a reason, because they are cheap or cost hardly more
        than their clean states. There a polluter may meet its victim without the cleaner that hides it."""
        if self.thorough or 2 * self.run_seconds <= _FREE_SECONDS:
            return True
        return self.is_clean_state_expensive and self.price.clean_state * self.tests >= 2 * self.run_seconds

    @property
    def random_orders(self) -> int:
        """How many random orders of the whole suite to run if it has shown dependencies. Ten miss a polluter that one
        cleaner hides once in sixty times."""
        seconds = self.run_seconds + self.price.clean_state
        affordable = int(_CERTAINTY_SECONDS * self.price.workers / seconds) if seconds else MAX_RANDOM_ORDERS
        return max(1, min(MAX_RANDOM_ORDERS, affordable))

    @property
    def group_size(self) -> int:
        """How many tests share one clean state when each is to run nearly alone; 1 means alone."""
        if self.thorough:
            return 1
        least = min(self.seconds_in_groups(size) for size in _GROUP_SIZES)
        granted = max(self._allowance, least * _WORTH_OF_CERTAINTY)
        return next(size for size in _GROUP_SIZES if self.seconds_in_groups(size) <= granted)

    def seconds_in_groups(self, size: int) -> float:
        strain = 1.0 if size == 1 else _GROUP_STRAIN
        cost = self.run_seconds + self.tests / size * self.price.clean_state * strain
        return cost / self.price.workers

    def recorded_pairs(self, *, is_suspicious: bool) -> int:
        """How many recorded pairs to try directly after each other: half as many as there are tests, or as many as a
        few seconds allow; few if nothing says that they are more than caches."""
        if self.thorough:
            return self.tests**2
        each = 2 * self.run_seconds / max(1, self.tests) + self.price.clean_state
        seconds = _FREE_SECONDS if is_suspicious else self.run_seconds * _SHARE_FOR_HARMLESS
        free = int(seconds * self.price.workers / each) if each else self.tests**2
        return max(free, int(self.tests * _PAIRS_FOR_A_TEST)) if is_suspicious else free

    @property
    def affords_all_pairs(self) -> bool:
        """Whether every test right after every other can be tried."""
        cost = self.tests * (self.run_seconds + self.price.clean_state)
        granted = max(_FREE_SECONDS_FOR_PAIRS, 2 * self.run_seconds)
        return self.thorough or cost / self.price.workers <= granted
