"""Counting orders and tests."""

from strategies import case, names

from unknot.model.run import OrderRequest
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import MemoOracle, MemoryStore
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle

A, B, C = names(3)


def test_orders_and_executed_tests_are_counted_as_they_come_in() -> None:
    counted = CountingOracle(SimulatedOracle(case(3).truth))
    answers = counted.run_orders([OrderRequest((A, B, C)), OrderRequest((B,))])

    next(answers)
    assert (counted.orders, counted.tests) == (1, 3)
    next(answers)
    assert (counted.orders, counted.tests) == (2, 4)


def test_below_a_memo_it_counts_what_was_run_and_above_what_was_requested() -> None:
    below = CountingOracle(SimulatedOracle(case(3).truth))
    above = CountingOracle(MemoOracle(below, MemoryStore()))

    for _ in range(3):
        list(above.run_orders([OrderRequest((A, B))]))

    assert (below.orders, below.tests) == (1, 2)
    assert (above.orders, above.tests) == (3, 2)


def test_the_price_is_the_inner_oracles() -> None:
    assert CountingOracle(SimulatedOracle(case(1).truth, clean_state=7.0)).price == Price(7.0)
