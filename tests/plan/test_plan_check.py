"""Each kind of violation, and what is none."""

import pytest

from unknot.model.outcome import Outcome
from unknot.plan.check import Violation, ViolationKind, check_plan

from .plan_cases import conflict, dependencies_of, ids, need, plan_of


def test_a_plan_that_runs_every_test_once_is_safe() -> None:
    assert check_plan(plan_of(["b"], ["a"]), dependencies_of("a b")) == ()


def test_a_test_in_no_lane_is_missing() -> None:
    [found] = check_plan(plan_of(["a"]), dependencies_of("a b"))
    assert found == Violation(ViolationKind.MISSING_TEST, None, None, ids("b")[0], "b is in no lane")


def test_a_test_that_the_suite_does_not_have_is_unknown() -> None:
    [found] = check_plan(plan_of(["a z"]), dependencies_of("a"))
    assert (found.kind, found.test) == (ViolationKind.UNKNOWN_TEST, "z")


def test_a_test_may_run_in_two_orders_but_not_twice_in_one() -> None:
    dependencies = dependencies_of("a b")
    assert check_plan(plan_of(["a b"], ["a"]), dependencies) == ()
    [found] = check_plan(plan_of(["b a"], ["b b"]), dependencies)
    assert (found.kind, found.lane, found.order, found.test) == (ViolationKind.REPEATED_TEST, 1, 0, "b")


@pytest.mark.parametrize("order", ["a p", "a"])
def test_a_need_must_be_met_earlier_in_the_same_order(order: str) -> None:
    [found] = check_plan(plan_of(["x p"], ["x", order]), dependencies_of("x p a", needs=[need("a", "p")]))
    assert (found.kind, found.lane, found.order, found.test) == (ViolationKind.UNMET_NEED, 1, 1, "a")
    assert found.message == "a needs p before it in the same order"


def test_any_alternative_meets_a_clause_but_each_clause_must_be_met() -> None:
    dependencies = dependencies_of("x p q r a", needs=[need("a", "p q"), need("a", "r")])
    assert check_plan(plan_of(["x p q r a"], ["q r a"]), dependencies) == ()
    [found] = check_plan(plan_of(["x p q r"], ["p q a"]), dependencies)
    assert found.message == "a needs r before it in the same order"


@pytest.mark.parametrize(
    ("order", "is_safe"),
    [
        ("p q v", False),
        ("q x p v", False),
        ("p c q v", False),
        ("p q v c", False),
        ("c p q v", False),
        ("p v", True),
        ("p v q", True),
        ("p q c v", True),
        ("v p q", True),
    ],
)
def test_a_conflict_strikes_after_all_polluters_without_a_cleaner_between(order: str, is_safe: bool) -> None:
    dependencies = dependencies_of("x p q c v", conflicts=[conflict("v", "p q", "c")])
    found = check_plan(plan_of(["x p q c v", order]), dependencies)
    assert [one.kind for one in found] == ([] if is_safe else [ViolationKind.CONFLICT])


def test_a_conflict_may_strike_a_test_that_fails_anyway() -> None:
    dependencies = dependencies_of("x p v", conflicts=[conflict("v", "p")], outcomes={"v": Outcome.FAILED})
    assert check_plan(plan_of(["x"], ["p v"]), dependencies) == ()


def test_the_beginning_of_the_reference_order_is_safe_whatever_the_dependencies_say() -> None:
    dependencies = dependencies_of("p v z", conflicts=[conflict("v", "p")])
    assert check_plan(plan_of(["p v"], ["z"]), dependencies) == ()
    [found] = check_plan(plan_of(["z p v"]), dependencies)
    assert found.kind is ViolationKind.CONFLICT


def test_a_crashed_test_may_be_left_out_of_the_reference_order() -> None:
    dependencies = dependencies_of("a x b", outcomes={"x": Outcome.CRASHED}, untried=1)
    assert check_plan(plan_of(["a b", "a x"]), dependencies) == ()


@pytest.mark.parametrize("order", ["b a", "a c", "b"])
def test_while_pairs_are_untried_another_order_is_a_violation(order: str) -> None:
    found = check_plan(plan_of(["a b c", order]), dependencies_of("a b c", untried=1))
    assert {one.kind for one in found} == {ViolationKind.UNTRIED_ORDER}
    assert {(one.lane, one.order) for one in found} == {(0, 1)}
