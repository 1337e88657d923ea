"""How long a test, an order, and what happens between tests may take."""

from unknot.model.suite import Order, TestId

BETWEEN_TESTS = 60.0
"""Seconds that a process may take to fork, to tear down its session and to leave."""

_LEAST = 20.0
_FACTOR = 20.0
_UNKNOWN = 0.01


class Deadlines:
    """A test may take `timeout` seconds, but one that ran before no more than many times its longest run: if it hangs
    only in another order, that should not cost the full timeout each time. Around the tests of an order, a command has
    as long again for its own start and its end, but a minute at most."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._slowest: dict[TestId, float] = {}
        self.around = min(BETWEEN_TESTS, timeout)

    def saw(self, test: TestId, seconds: float) -> None:
        """A test that ended by itself; `seconds` is what it took at most."""
        self._slowest[test] = max(self._slowest.get(test, 0.0), seconds)

    def expected(self, test: TestId) -> float:
        """Its longest run; a little if it never ran."""
        return self._slowest.get(test, _UNKNOWN)

    def of_test(self, test: TestId) -> float:
        seen = self._slowest.get(test)
        return self._timeout if seen is None else min(self._timeout, _LEAST + _FACTOR * seen)

    def of_order(self, order: Order) -> float:
        """For a command that reports nothing before its end."""
        known = [self._slowest[test] for test in order if test in self._slowest]
        unknown = self._timeout * (len(order) - len(known))
        seen = min(self._timeout * len(known), _LEAST + _FACTOR * sum(known)) if known else 0.0
        return self.around + unknown + seen
