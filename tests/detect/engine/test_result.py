"""The durations in a result."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from strategies import case

from unknot.detect.sieve.sieve import sieve
from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle

SET_UP = 5.0
SLOW = 3.0


class WithSetUp:
    """The first test waits for the fixtures of the session; in the reference order, the third test is slow once."""

    def __init__(self, inner: SimulatedOracle) -> None:
        self._inner = inner
        self._is_reference = True

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            seconds = [1.0] * len(run.order)
            seconds[0] += SET_UP
            if self._is_reference:
                seconds[2] += SLOW
                self._is_reference = False
            results = zip(run.results, seconds, strict=True)
            yield replace(run, results=tuple(replace(result, seconds=taken) for result, taken in results))


def test_neither_a_sessions_set_up_nor_a_hiccup_counts() -> None:
    told = case(5, {3: [[0]], 4: [[0], [1]]})

    dependencies = sieve(told.suite, WithSetUp(SimulatedOracle(told.truth)))

    assert {dependencies.seconds[test] for test in told.suite.tests} == {1.0}


def test_a_test_that_is_always_first_keeps_what_the_reference_order_says() -> None:
    told = case(1, {})
    oracle = WithSetUp(SimulatedOracle(told.truth))
    oracle._is_reference = False

    dependencies = sieve(told.suite, oracle)

    assert list(dependencies.seconds.values()) == [1.0 + SET_UP]
