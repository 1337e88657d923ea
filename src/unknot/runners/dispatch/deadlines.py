"""How long to wait for a test, and for what happens between tests."""

from unknot.model.suite import TestId

BETWEEN_TESTS = 60.0
"""Seconds that a process may take to fork, to tear down its session and to leave."""

_LEAST = 20.0
_FACTOR = 20.0
_UNKNOWN = 0.01


class TestDeadlines:
    """A test may take `timeout` seconds, but one that was seen before no more than many times as long as ever seen: if
    it hangs only in another order, that should not cost the full timeout each time."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._slowest: dict[TestId, float] = {}

    def saw(self, test: TestId, seconds: float) -> None:
        self._slowest[test] = max(self._slowest.get(test, 0.0), seconds)

    def expected(self, test: TestId) -> float:
        """As long as it ever took; a little if it was never run."""
        return self._slowest.get(test, _UNKNOWN)

    def limit(self, test: TestId) -> float:
        seen = self._slowest.get(test)
        return self._timeout if seen is None else min(self._timeout, _LEAST + _FACTOR * seen)
