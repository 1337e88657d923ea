"""A limit on orders, tests and seconds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from unknot.model.errors import BudgetExhausted
from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Oracle, Price


@dataclass(frozen=True)
class Budget:
    """`None` means no limit."""

    orders: int | None = None
    tests: int | None = None
    seconds: float | None = None


class BudgetOracle:
    """Raises BudgetExhausted instead of running more once a limit is reached.

    The limit on orders is exact: the requests that still fit are run, in the sequence given, before the signal is
    raised. Tests and seconds are known only afterwards, so one batch may exceed them. The clock is an argument.
    """

    def __init__(self, inner: Oracle, budget: Budget, clock: Callable[[], float]) -> None:
        self._inner = inner
        self._budget = budget
        self._clock = clock
        self._started = clock()
        self._orders = 0
        self._tests = 0

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self._stop_if_spent()
        affordable = len(requests)
        if self._budget.orders is not None:
            affordable = min(affordable, self._budget.orders - self._orders)
        for run in self._inner.run_orders(requests[:affordable]):
            self._orders += 1
            self._tests += run.executed
            yield run
            self._stop_if_out_of_time()
        if affordable < len(requests):
            raise BudgetExhausted

    def _stop_if_spent(self) -> None:
        if self._budget.orders is not None and self._orders >= self._budget.orders:
            raise BudgetExhausted
        if self._budget.tests is not None and self._tests >= self._budget.tests:
            raise BudgetExhausted
        self._stop_if_out_of_time()

    def _stop_if_out_of_time(self) -> None:
        if self._budget.seconds is not None and self._clock() - self._started >= self._budget.seconds:
            raise BudgetExhausted
