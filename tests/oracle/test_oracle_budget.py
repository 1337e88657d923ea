"""A limit on orders, tests and seconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import case, laws, names

from unknot.model.errors import BudgetExhausted
from unknot.model.run import OrderRequest, Run
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle

TESTS = names(6)
ALONE = [OrderRequest((test,)) for test in TESTS]


class Clock:
    """Goes on by `step` whenever it is looked at."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 100.0
        self._step = step

    def __call__(self) -> float:
        self.now += self._step
        return self.now


def simulated() -> CountingOracle:
    return CountingOracle(SimulatedOracle(case(6).truth))


def answers(oracle: Oracle, batches: list[list[OrderRequest]]) -> tuple[list[Run], bool]:
    """What came before the signal, and whether it came."""
    runs: list[Run] = []
    try:
        for batch in batches:
            for run in oracle.run_orders(batch):
                runs.append(run)  # noqa: PERF402 — what came before the signal is kept
    except BudgetExhausted:
        return runs, True
    return runs, False


@laws()
@given(st.integers(0, 12), st.lists(st.integers(0, 6), max_size=4))
def test_orders_are_cut_exactly_and_in_the_sequence_given(limit: int, sizes: list[int]) -> None:
    inner = simulated()
    batches = [ALONE[:size] for size in sizes]
    asked = [request for batch in batches for request in batch]

    runs, stopped = answers(BudgetOracle(inner, Budget(orders=limit), Clock()), batches)

    assert [run.request for run in runs] == asked[:limit]
    assert inner.orders == len(runs)
    assert stopped or len(asked) <= limit


@laws()
@given(st.integers(0, 6))
def test_a_batch_that_fits_exactly_is_answered_without_the_signal(limit: int) -> None:
    runs, stopped = answers(BudgetOracle(simulated(), Budget(orders=limit), Clock()), [ALONE[:limit]] if limit else [])

    assert (len(runs), stopped) == (limit, False)


def test_after_the_last_order_the_next_run_raises_the_signal() -> None:
    budget = BudgetOracle(simulated(), Budget(orders=2), Clock())
    assert len(list(budget.run_orders(ALONE[:2]))) == 2

    with pytest.raises(BudgetExhausted):
        list(budget.run_orders(ALONE[2:3]))


def test_tests_are_counted_as_executed_and_one_batch_may_go_over() -> None:
    inner = simulated()
    budget = BudgetOracle(inner, Budget(tests=5), Clock())

    runs, stopped = answers(budget, [[OrderRequest(TESTS[:4])], [OrderRequest(TESTS[:3])], ALONE])

    assert (len(runs), stopped) == (2, True)
    assert inner.tests == 7


def test_seconds_are_read_from_the_clock_that_was_given() -> None:
    runs, stopped = answers(BudgetOracle(simulated(), Budget(seconds=2.5), Clock(step=1.0)), [ALONE])

    assert stopped
    assert 0 < len(runs) < len(ALONE)


def test_without_any_time_nothing_is_run() -> None:
    inner = simulated()

    runs, stopped = answers(BudgetOracle(inner, Budget(seconds=0.0), Clock()), [ALONE])

    assert (runs, stopped, inner.orders) == ([], True, 0)


def test_time_spent_before_the_first_order_counts() -> None:
    clock = Clock()
    budget = BudgetOracle(simulated(), Budget(seconds=10.0), clock)
    clock.now += 10.0

    with pytest.raises(BudgetExhausted):
        list(budget.run_orders(ALONE))


def test_without_a_limit_everything_is_answered() -> None:
    runs, stopped = answers(BudgetOracle(simulated(), Budget(), Clock(step=1e9)), [ALONE] * 20)

    assert (len(runs), stopped) == (20 * len(ALONE), False)


def test_the_price_is_the_inner_oracles() -> None:
    inner = SimulatedOracle(case(1).truth, clean_state=3.0, workers=2, shares_prefixes=True)

    assert BudgetOracle(inner, Budget(), Clock()).price == Price(3.0, 2, shares_prefixes=True)
