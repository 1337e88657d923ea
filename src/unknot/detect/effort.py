"""How much to ask, by predicted cost. A wrong prediction costs seconds, never a wrong result."""

from dataclasses import dataclass

from unknot.oracle.protocol import Price

_GROUP_SIZES = (1, 2, 4, 8, 16)

_FREE_SECONDS = 3.0
_FREE_SECONDS_FOR_PAIRS = 20.0
"""So much is always granted: on a small suite nobody minds seconds, and certainty is worth them."""

_DEAR = 10.0
"""A clean state that costs as much as this many tests is dear: then whole orders beat tests alone."""


@dataclass(frozen=True)
class Effort:
    """Predictions for a suite whose reference order took `suite_seconds` of tests, on an oracle with this price."""

    price: Price
    tests: int
    suite_seconds: float
    thorough: bool = False

    @property
    def _allowance(self) -> float:
        return max(_FREE_SECONDS, self.suite_seconds)

    @property
    def is_clean_state_dear(self) -> bool:
        """Whether every test alone costs more than log2 n halves of the suite, and more than is granted."""
        if self.thorough:
            return False
        digits = max(1, (self.tests - 1).bit_length())
        halving = digits * (self.suite_seconds / 2 + self.price.clean_state)
        alone = self.suite_seconds + self.tests * self.price.clean_state
        return alone / self.price.workers > self._allowance * 4 and alone > halving and self.price.clean_state > 0.1

    @property
    def group_size(self) -> int:
        """How many tests share one clean state when each is to be run nearly alone; 1 is alone.

        Groups run forwards and backwards, so that only size 1 runs every test once.
        """
        if self.thorough:
            return 1
        for size in _GROUP_SIZES:
            rounds = 1 if size == 1 else 2
            cost = rounds * (self.suite_seconds + self.tests / size * self.price.clean_state)
            if cost / self.price.workers <= self._allowance:
                return size
        return _GROUP_SIZES[-1]

    @property
    def affords_all_pairs(self) -> bool:
        """Whether every test right after every other can be tried."""
        cost = self.tests * (self.suite_seconds + self.price.clean_state)
        granted = max(_FREE_SECONDS_FOR_PAIRS, 2 * self.suite_seconds)
        return self.thorough or cost / self.price.workers <= granted

    @property
    def shuffles(self) -> int:
        """Orders at random in which a polluter may meet its victim without the cleaner that hides it."""
        return 2
