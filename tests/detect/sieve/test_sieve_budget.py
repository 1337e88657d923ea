"""Stop sieve at any moment, and what it says is true."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, budgets, case, hidden_graphs, laws, polluted_suites

from unknot.model.run import OrderRequest, Run
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.report.export.result_json import result_document
from unknot.store.lock_reader import from_json

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    cost_of,
    dependencies_in,
    edges,
    expensive,
    true_reduction,
)

SUITES = st.one_of(hidden_graphs("random", 7), polluted_suites(7, together=1))


class Interrupted:
    """The user presses Ctrl-C while one order too many is under way."""

    def __init__(self, inner: Oracle, after: int) -> None:
        self._inner = inner
        self._left = after

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            if self._left == 0:
                raise KeyboardInterrupt
            self._left -= 1
            yield run


def limited(oracle: Oracle, orders: int) -> BudgetOracle:
    return BudgetOracle(oracle, Budget(orders=orders), lambda: 0.0)


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_stopped_after_any_number_of_orders_the_result_is_true_and_says_that_it_is_not_complete(
    oracle: MakeOracle,
) -> None:
    @laws(12)
    @given(SUITES)
    def law(told: Case) -> None:
        _, total, _ = cost_of(told, oracle(told))
        for orders in range(total):
            dependencies = dependencies_in(told, limited(oracle(told), orders))

            assert_nothing_false(told, dependencies)
            assert not dependencies.complete
            assert dependencies.cost.orders <= orders
            assert from_json(result_document(dependencies)) == dependencies

    law()


@pytest.mark.parametrize("oracle", [cheap, expensive])
@laws(15)
@given(told=SUITES)
def test_a_budget_of_just_enough_orders_changes_nothing(oracle: MakeOracle, told: Case) -> None:
    whole, total, tests = cost_of(told, oracle(told))

    assert dependencies_in(told, limited(oracle(told), total)) == whole
    assert whole.cost.orders <= total
    assert whole.cost.tests <= tests


@pytest.mark.parametrize("oracle", [cheap, expensive])
@laws(12)
@given(told=hidden_graphs("random", 8))
def test_a_need_not_yet_found_is_counted_among_the_untried(oracle: MakeOracle, told: Case) -> None:
    _, total, _ = cost_of(told, oracle(told))
    for orders in range(total):
        dependencies = dependencies_in(told, limited(oracle(told), orders))

        missing = true_reduction(told) - edges(dependencies)
        assert dependencies.untried >= len(missing), (orders, total, as_readable(dependencies), missing)


@laws(60)
@given(SUITES, budgets(), st.sampled_from([cheap, expensive]))
def test_whatever_the_limit_nothing_false_is_said(told: Case, budget: Budget, oracle: MakeOracle) -> None:
    ticks = iter(range(1_000_000))

    dependencies = dependencies_in(told, BudgetOracle(oracle(told), budget, lambda: float(next(ticks))))

    assert_nothing_false(told, dependencies)


@laws(20)
@given(SUITES, st.integers(0, 30))
def test_ctrl_c_is_a_stop_like_any_other(told: Case, after: int) -> None:
    _, total, _ = cost_of(told, cheap(told))

    dependencies = dependencies_in(told, Interrupted(cheap(told), after))

    assert dependencies.complete == (after >= total)
    assert_nothing_false(told, dependencies)


def test_without_a_single_order_nothing_is_known() -> None:
    told = case(5, {3: [[1]]})

    dependencies = dependencies_in(told, limited(cheap(told), 0))

    assert (dependencies.needs, dependencies.conflicts, dependencies.flaky, dependencies.complete) == (
        (),
        (),
        (),
        False,
    )
    assert dependencies.untried == 5 * 4
