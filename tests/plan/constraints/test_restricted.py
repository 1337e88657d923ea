"""Parts of a suite: what belongs to them, and what is known of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.errors import UsageError
from unknot.model.knots import Knots
from unknot.model.outcome import Outcome
from unknot.model.suite import Order
from unknot.plan.check import check_plan
from unknot.plan.constraints.restricted import closed, restricted
from unknot.plan.makers.greedy import make_plan

from ..plan_cases import any_knots, conflict, ids, knots_of, need, orders_of, passes, passing_knots, truth_of


def some_of(knots: Knots, data: st.DataObject) -> Order:
    return tuple(data.draw(st.lists(st.sampled_from(knots.suite.tests), unique=True)))


@settings(deadline=None, max_examples=100)
@given(passing_knots(), st.data())
def test_a_closed_part_passes_in_its_own_order(knots: Knots, data: st.DataObject) -> None:
    chosen = some_of(knots, data)
    part = closed(knots, chosen)
    assert set(chosen) <= set(part)
    assert passes(truth_of(knots), part)
    assert list(part) == sorted(part, key=knots.suite.index.__getitem__)


@settings(deadline=None, max_examples=100)
@given(passing_knots(), st.data())
def test_closing_a_closed_part_adds_nothing(knots: Knots, data: st.DataObject) -> None:
    part = closed(knots, some_of(knots, data))
    assert closed(knots, part) == part


@settings(deadline=None, max_examples=100)
@given(passing_knots(), st.data())
def test_restricting_is_refused_exactly_when_the_part_fails_in_its_own_order(knots: Knots, data: st.DataObject) -> None:
    tests = sorted(some_of(knots, data), key=knots.suite.index.__getitem__)
    try:
        restricted(knots, tests)
        is_accepted = True
    except UsageError:
        is_accepted = False
    assert is_accepted == passes(truth_of(knots), tuple(tests))


@settings(deadline=None, max_examples=60)
@given(passing_knots(), st.data(), st.integers(1, 3))
def test_a_plan_for_a_part_passes_in_the_whole_suites_truth(knots: Knots, data: st.DataObject, workers: int) -> None:
    part = restricted(knots, closed(knots, some_of(knots, data)))
    plan = make_plan(part, workers)
    assert check_plan(plan, part) == ()
    assert all(passes(truth_of(knots), order) for order in orders_of(plan))


@settings(deadline=None, max_examples=60)
@given(any_knots(), st.data())
def test_even_contradictory_knots_have_closed_parts(knots: Knots, data: st.DataObject) -> None:
    part = closed(knots, some_of(knots, data))
    assert restricted(knots, part).suite.tests == part


@settings(deadline=None, max_examples=60)
@given(passing_knots(), st.data())
def test_only_tests_among_those_given_are_added(knots: Knots, data: st.DataObject) -> None:
    chosen, among = some_of(knots, data), some_of(knots, data)
    assert set(chosen) <= set(closed(knots, chosen, among)) <= {*chosen, *among}


def test_the_whole_suite_restricted_is_the_same() -> None:
    knots = knots_of("a b c", needs=[need("c", "a b")], conflicts=[conflict("c", "a", "b")])
    assert restricted(knots, ids("c b a")) == knots


def test_what_is_missing_is_named() -> None:
    knots = knots_of("a b c", needs=[need("c", "a b")])
    with pytest.raises(UsageError, match="c needs a or b, which is not among the tests to run"):
        restricted(knots, ids("c"))
    knots = knots_of("a b c", conflicts=[conflict("c", "a", "b")])
    with pytest.raises(UsageError, match="c breaks after a without b in between"):
        restricted(knots, ids("a c"))


def test_an_alternative_that_is_there_is_enough() -> None:
    knots = knots_of("a b c", needs=[need("c", "a b")])
    assert closed(knots, ids("b c")) == ids("b c")
    assert restricted(knots, ids("b c")).needs[0].any_of == ids("b")


def test_of_alternatives_the_cheapest_comes_along() -> None:
    knots = knots_of("a b c", needs=[need("c", "a b")], seconds={"a": 9.0, "b": 1.0})
    assert closed(knots, ids("c")) == ids("b c")
    assert closed(knots, ids("c"), among=ids("a c")) == ids("a c")


def test_a_test_that_ends_its_process_meets_no_need() -> None:
    knots = knots_of("a b c", needs=[need("c", "a b")], seconds={"a": 0.1}, outcomes={"a": Outcome.CRASHED})
    assert closed(knots, ids("c")) == ids("b c")


def test_where_no_cleaner_is_known_all_that_stands_before_comes_along() -> None:
    knots = knots_of("x a y v z", conflicts=[conflict("v", "a")])
    assert closed(knots, ids("a v")) == ids("x a y v")
    assert closed(knots, ids("v z")) == ids("v z")
