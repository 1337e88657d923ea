"""Counts orders and tests, and predicts their wall time without a clock."""

from collections.abc import Iterator, Sequence

from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Oracle, Price


class PredictedOracle:
    """Passes all runs on, and predicts for each price how long they take.

    The orders of one batch start in the sequence in which they are answered, each on the first free worker; each takes
    one clean state and the seconds of its tests; no prefixes are shared. The next batch starts when the last order of
    this one has ended, because its orders depend on these runs.
    """

    def __init__(self, inner: Oracle, prices: Sequence[Price] = ()) -> None:
        self._inner = inner
        self._after: dict[Price, list[float]] = {price: [0.0] for price in prices or (inner.price,)}

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        free = {price: [after[-1]] * price.workers for price, after in self._after.items()}
        for run in self._inner.run_orders(requests):
            tests = sum(result.seconds for result in run.results)
            for price, after in self._after.items():
                workers = free[price]
                first = workers.index(min(workers))
                workers[first] += price.clean_state + tests
                after.append(max(after[-1], workers[first]))
            yield run

    def seconds(self, orders: int, price: Price | None = None) -> float:
        """From the start until the first `orders` orders were run, or all if they are fewer. Without a price, at that
        of the inner oracle."""
        after = self._after[price or self.price]
        return after[min(orders, len(after) - 1)]


class CountingOracle:
    """Counts the orders that were run and the tests executed. Put it directly above the runner to count what was really
    run, or above a memo to count what a detector requested."""

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
