"""An order with its outcomes."""

import pytest
from strategies import names

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Suite

A, B, C = names(3)
PASSED, FAILED = Result(Outcome.PASSED), Result(Outcome.FAILED)


def test_a_run_has_the_outcome_of_each_test_and_of_the_last() -> None:
    run = Run(OrderRequest((B, A)), (PASSED, FAILED), executed=2)

    assert run.order == (B, A)
    assert run.outcome(B) is Outcome.PASSED
    assert run.last is run.outcome(A) is Outcome.FAILED


@pytest.mark.parametrize("results", [(), (PASSED,), (PASSED, PASSED, PASSED)])
def test_a_run_must_have_one_result_for_each_test(results: tuple[Result, ...]) -> None:
    with pytest.raises(ValueError, match=f"{len(results)} results for an order of 2 tests"):
        Run(OrderRequest((A, B)), results, executed=2)


def test_the_outcome_of_a_test_that_was_not_in_the_order_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"not in tuple"):
        Run(OrderRequest((A,)), (PASSED,), executed=1).outcome(C)


def test_another_attempt_is_another_request() -> None:
    assert OrderRequest((A, B)) == OrderRequest((A, B), attempt=0)
    assert OrderRequest((A, B)) != OrderRequest((A, B), attempt=1)
    assert OrderRequest((A, B)) != OrderRequest((B, A))
    assert len({OrderRequest((A,)), OrderRequest((A,)), OrderRequest((A,), 1)}) == 2


def test_a_suite_knows_positions_and_orders() -> None:
    suite = Suite((A, B, C))

    assert len(suite) == 3
    assert [suite.index[test] for test in (C, A)] == [2, 0]
    assert suite.order([2, 0]) == (C, A)
