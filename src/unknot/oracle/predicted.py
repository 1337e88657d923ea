"""How long the orders asked would take on so many workers: a prediction of wall time without a clock."""

from collections.abc import Iterator, Sequence

from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Oracle, Price


class PredictedOracle:
    """Answers as the inner oracle does, and predicts for each price how long that takes.

    The orders of one batch start in the sequence in which they are answered, each on the worker that is free first;
    each takes one clean state and the seconds of its tests; no prefixes are shared. The next batch starts when the last
    order of this one has ended, because nobody asks on without the answers.
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
        """From the start until the first so many orders were answered; without a price, at the inner oracle's."""
        return self._after[price or self.price][orders]
