"""Parts of a suite: what belongs to them, and what is known of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.suite import Order
from unknot.plan.check import check_plan
from unknot.plan.constraints.subset import close_tests, restrict
from unknot.plan.makers.greedy import make_plan

from ..plan_cases import (
    any_dependencies,
    conflict,
    dependencies_of,
    ids,
    need,
    orders_of,
    passes,
    passing_dependencies,
    truth_of,
)


def some_of(dependencies: Dependencies, data: st.DataObject) -> Order:
    return tuple(data.draw(st.lists(st.sampled_from(dependencies.suite.tests), unique=True)))


@settings(deadline=None, max_examples=100)
@given(passing_dependencies(), st.data())
def test_a_closed_part_passes_in_its_own_order(dependencies: Dependencies, data: st.DataObject) -> None:
    chosen = some_of(dependencies, data)
    part = close_tests(dependencies, chosen)
    assert set(chosen) <= set(part)
    assert passes(truth_of(dependencies), part)
    assert list(part) == sorted(part, key=dependencies.suite.index.__getitem__)


@settings(deadline=None, max_examples=100)
@given(passing_dependencies(), st.data())
def test_closing_a_closed_part_adds_nothing(dependencies: Dependencies, data: st.DataObject) -> None:
    part = close_tests(dependencies, some_of(dependencies, data))
    assert close_tests(dependencies, part) == part


@settings(deadline=None, max_examples=100)
@given(passing_dependencies(), st.data())
def test_restricting_is_refused_exactly_when_the_part_fails_in_its_own_order(
    dependencies: Dependencies, data: st.DataObject
) -> None:
    tests = sorted(some_of(dependencies, data), key=dependencies.suite.index.__getitem__)
    try:
        restrict(dependencies, tests)
        is_accepted = True
    except UsageError:
        is_accepted = False
    assert is_accepted == passes(truth_of(dependencies), tuple(tests))


@settings(deadline=None, max_examples=60)
@given(passing_dependencies(), st.data(), st.integers(1, 3))
def test_a_plan_for_a_part_passes_in_the_whole_suites_truth(
    dependencies: Dependencies, data: st.DataObject, workers: int
) -> None:
    part = restrict(dependencies, close_tests(dependencies, some_of(dependencies, data)))
    plan = make_plan(part, workers)
    assert check_plan(plan, part) == ()
    assert all(passes(truth_of(dependencies), order) for order in orders_of(plan))


@settings(deadline=None, max_examples=60)
@given(any_dependencies(), st.data())
def test_even_contradictory_dependencies_have_closed_parts(dependencies: Dependencies, data: st.DataObject) -> None:
    part = close_tests(dependencies, some_of(dependencies, data))
    assert restrict(dependencies, part).suite.tests == part


@settings(deadline=None, max_examples=60)
@given(passing_dependencies(), st.data())
def test_only_tests_among_those_given_are_added(dependencies: Dependencies, data: st.DataObject) -> None:
    chosen, among = some_of(dependencies, data), some_of(dependencies, data)
    assert set(chosen) <= set(close_tests(dependencies, chosen, among)) <= {*chosen, *among}


def test_the_whole_suite_restricted_is_the_same() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")], conflicts=[conflict("c", "a", "b")])
    assert restrict(dependencies, ids("c b a")) == dependencies


def test_what_is_missing_is_named() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")])
    with pytest.raises(UsageError, match="c needs a or b, which is not among the tests to run"):
        restrict(dependencies, ids("c"))
    dependencies = dependencies_of("a b c", conflicts=[conflict("c", "a", "b")])
    with pytest.raises(UsageError, match="c breaks after a without b in between"):
        restrict(dependencies, ids("a c"))


def test_an_alternative_that_is_there_is_enough() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")])
    assert close_tests(dependencies, ids("b c")) == ids("b c")
    assert restrict(dependencies, ids("b c")).needs[0].any_of == ids("b")


def test_of_alternatives_the_cheapest_comes_along() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")], seconds={"a": 9.0, "b": 1.0})
    assert close_tests(dependencies, ids("c")) == ids("b c")
    assert close_tests(dependencies, ids("c"), among=ids("a c")) == ids("a c")


def test_a_test_that_ends_its_process_meets_no_need() -> None:
    dependencies = dependencies_of(
        "a b c", needs=[need("c", "a b")], seconds={"a": 0.1}, outcomes={"a": Outcome.CRASHED}
    )
    assert close_tests(dependencies, ids("c")) == ids("b c")


def test_where_no_cleaner_is_known_all_that_stands_before_comes_along() -> None:
    dependencies = dependencies_of("x a y v z", conflicts=[conflict("v", "a")])
    assert close_tests(dependencies, ids("a v")) == ids("x a y v")
    assert close_tests(dependencies, ids("v z")) == ids("v z")
