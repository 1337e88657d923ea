"""How long an order and its tests may take."""

from unknot.model.suite import Order, TestId
from unknot.runners.dispatch.deadlines import BETWEEN_TESTS, TestDeadlines

_LEAST = 20.0
_FACTOR = 20.0


class Deadlines:
    """`timeout` seconds for each test; less for those that were seen before. Around the tests, a runner has as long
    again for its own start and its end, but a minute at most."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._patience = TestDeadlines(timeout)
        self._slowest: dict[TestId, float] = {}
        self.around = min(BETWEEN_TESTS, timeout)

    def saw(self, test: TestId, seconds: float) -> None:
        """A test that ended by itself; `seconds` is what it took at most."""
        self._patience.saw(test, seconds)
        self._slowest[test] = max(self._slowest.get(test, 0.0), seconds)

    def of_test(self, test: TestId) -> float:
        return self._patience.limit(test)

    def of_order(self, order: Order) -> float:
        """For a runner that says nothing before its end."""
        known = [self._slowest[test] for test in order if test in self._slowest]
        unknown = self._timeout * (len(order) - len(known))
        seen = min(self._timeout * len(known), _LEAST + _FACTOR * sum(known)) if known else 0.0
        return self.around + unknown + seen
