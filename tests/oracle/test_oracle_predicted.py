"""Predicted wall time of orders."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, laws

from unknot.model.run import OrderRequest
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import PredictedOracle
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle

SUITE = case(5, seconds=1.0)


def asked(batches: Sequence[Sequence[int]], price: Price, suite: Case = SUITE) -> PredictedOracle:
    """Orders of these lengths, batch by batch."""
    oracle = PredictedOracle(SimulatedOracle(suite.truth, clean_state=price.clean_state, workers=price.workers))
    for batch in batches:
        list(
            oracle.run_orders([OrderRequest(suite.suite.tests[:length], number) for number, length in enumerate(batch)])
        )
    return oracle


def test_on_one_worker_every_clean_state_and_every_test_counts() -> None:
    oracle = asked([[3, 1], [2]], Price(0.5))

    assert [oracle.seconds(orders) for orders in range(4)] == [0.0, 3.5, 5.0, 7.5]


def test_orders_of_a_batch_go_to_the_worker_that_is_free_first() -> None:
    # The long one keeps the first worker busy, the second does the three short ones meanwhile.
    assert asked([[5, 1, 1, 1]], Price(1.0, workers=2)).seconds(4) == 6.0
    # A long order that comes last waits for no other, but has only the remaining time.
    assert asked([[1, 1, 1, 5]], Price(1.0, workers=2)).seconds(4) == 8.0


def test_a_batch_starts_when_all_of_the_one_before_has_ended() -> None:
    assert asked([[5, 1], [1, 1]], Price(0.0, workers=2)).seconds(4) == 6.0
    assert asked([[5, 1, 1, 1]], Price(0.0, workers=2)).seconds(4) == 5.0


def test_more_workers_than_orders_wait_for_the_longest() -> None:
    assert asked([[1, 4, 2]], Price(2.0, workers=8)).seconds(3) == 6.0


def test_several_prices_are_predicted_from_the_same_answers() -> None:
    prices = [Price(0.0), Price(10.0), Price(10.0, workers=2)]
    oracle = PredictedOracle(SimulatedOracle(SUITE.truth, clean_state=7.0), prices)

    list(oracle.run_orders([OrderRequest(SUITE.suite.tests), OrderRequest(SUITE.suite.tests[:2])]))

    assert [oracle.seconds(2, price) for price in prices] == [7.0, 27.0, 15.0]
    assert oracle.price == Price(7.0)


def test_what_a_budget_cuts_off_takes_no_time() -> None:
    predicted = PredictedOracle(SimulatedOracle(SUITE.truth, clean_state=1.0))
    oracle = BudgetOracle(predicted, Budget(orders=1), lambda: 0.0)

    answers = oracle.run_orders([OrderRequest(SUITE.suite.tests[:1]), OrderRequest(SUITE.suite.tests)])
    next(answers)

    assert predicted.seconds(1) == predicted.seconds(2) == 2.0


@laws()
@given(
    st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=6), min_size=1, max_size=4),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.25, 8.0]),
)
def test_never_below_what_the_workers_can_do_and_never_above_one_worker(
    batches: list[list[int]], workers: int, clean_state: float
) -> None:
    orders = sum(map(len, batches))
    alone = asked(batches, Price(clean_state)).seconds(orders)

    together = asked(batches, Price(clean_state, workers)).seconds(orders)

    assert alone == sum(clean_state + length for batch in batches for length in batch)
    assert alone / workers <= together <= alone
    assert together >= sum(clean_state + max(batch) for batch in batches)
