"""What was asked so far."""

from collections.abc import Iterator, Sequence

from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Oracle, Price


class CountingOracle:
    """Counts the orders answered and the tests executed. Stack it right above the runner to count what was really
    run, or above a memo to count what a detector asked."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.orders = 0
        self.tests = 0

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            self.orders += 1
            self.tests += run.executed
            yield run
