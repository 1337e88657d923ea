"""Tests that fail in the suite's own order because what they need comes later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, hidden_graphs, laws

from unknot.detect.engine.options import Options
from unknot.model.suite import Order, TestId
from unknot.plan.check import check_plan
from unknot.plan.fixed_order import with_fixed_order
from unknot.plan.makers.registry import best_plan

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    conflicts_in,
    dependencies_in,
    edges,
    expensive,
    needs_in,
    true_reduction,
)


@st.composite
def shuffled_graphs(draw: st.DrawFn, most: int = 16) -> Case:
    """Single needs in a suite whose order does not respect them."""
    told = draw(hidden_graphs("random", most))
    place = draw(st.permutations(range(told.size)))
    needs = {
        place[dependent]: [[place[option] for option in clause] for clause in clauses]
        for dependent, clauses in told.needs.items()
    }
    return case(told.size, needs)


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_whatever_the_order_of_the_suite_the_same_needs_are_found(oracle: MakeOracle) -> None:
    @laws(60)
    @given(shuffled_graphs())
    def law(told: Case) -> None:
        dependencies = dependencies_in(told, oracle(told))

        if dependencies.complete:
            assert edges(dependencies) == true_reduction(told), as_readable(dependencies)
            assert dependencies.misplaced == dependencies.failing
        assert not dependencies.conflicts
        assert_nothing_false(told, dependencies)

    law()


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_nine_tests_that_need_the_last_one_are_found_and_complete(oracle: MakeOracle) -> None:
    told = case(72, {place: [[71]] for place in range(4, 72, 8)})

    dependencies = dependencies_in(told, oracle(told))

    assert needs_in(dependencies) == [(place, [71]) for place in range(4, 72, 8)]
    assert dependencies.misplaced == told.suite.order(range(4, 72, 8))
    assert dependencies.complete


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_beside_conflicts_of_other_tests_both_are_found(oracle: MakeOracle) -> None:
    told = case(14, {5: [[10]]}, [(7, [12], []), (9, [2], [])])

    dependencies = dependencies_in(told, oracle(told))

    assert needs_in(dependencies) == [(5, [10])], as_readable(dependencies)
    assert conflicts_in(dependencies) == [(7, [12]), (9, [2])], as_readable(dependencies)
    assert dependencies.complete


def test_a_test_that_passes_only_between_two_later_ones_leaves_the_result_incomplete() -> None:
    told = case(14, {5: [[10]]}, [(5, [12], [])])

    assert not dependencies_in(told).complete


def test_a_test_that_passes_in_no_order_that_was_found_leaves_the_result_incomplete() -> None:
    """It needs the last test, which breaks all that come after it but the one that needs it."""
    told = case(6, {1: [[5]], 2: [[4], [1]]}, [(place, [5], []) for place in (0, 3, 4)])

    dependencies = dependencies_in(told)

    missing = set(dependencies.failing) - set(dependencies.misplaced)
    assert not missing or not dependencies.complete, as_readable(dependencies)
    assert_nothing_false(told, dependencies)


def test_a_search_that_keeps_the_order_claims_nothing_about_them() -> None:
    told = case(14, {5: [[10]]})

    dependencies = dependencies_in(told, options=Options(reorders=False))

    assert dependencies.failing == told.suite.order([5])
    assert (dependencies.needs, dependencies.conflicts) == ((), ())


def _failing_in(told: Case, order: Order) -> set[TestId]:
    return {test for test, outcome in zip(order, told.outcomes(order), strict=True) if outcome.is_bad}


@laws(60)
@given(shuffled_graphs(), st.integers(1, 3))
def test_a_plan_in_the_fixed_order_passes_and_one_in_suite_order_is_no_worse_than_that(
    told: Case, workers: int
) -> None:
    dependencies = dependencies_in(told)
    if not dependencies.complete:
        return
    for known, may_fail in ((dependencies, set(dependencies.failing)), (with_fixed_order(dependencies), set[TestId]())):
        plan = best_plan(known, workers, clean_state=0.01, can_share=False)

        assert not check_plan(plan, known)
        assert {test for lane in plan.lanes for order in lane.orders for test in _failing_in(told, order)} <= may_fail
    assert not with_fixed_order(dependencies).misplaced


def test_the_fixed_order_moves_only_what_has_to_wait() -> None:
    told = case(6, {1: [[4]], 2: [[1]]})
    dependencies = dependencies_in(told)

    assert with_fixed_order(dependencies).suite.tests == told.suite.order([0, 3, 4, 1, 2, 5])
