"""A plan in which the tests that failed the last time come first."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.plan.check import check_plan
from unknot.plan.failed_first import with_failed_first
from unknot.plan.makers.greedy import make_plan

from .plan_cases import conflict, dependencies_of, ids, need, orders_of, passing_dependencies, plan_of


@settings(deadline=None)
@given(passing_dependencies(), st.integers(1, 3), st.data())
def test_the_plan_stays_safe_and_runs_the_same_tests_in_the_same_lanes(
    dependencies: Dependencies, count: int, data: st.DataObject
) -> None:
    plan = make_plan(dependencies, count)
    failed = data.draw(st.sets(st.sampled_from(dependencies.suite.tests)))
    changed = with_failed_first(plan, dependencies, failed)
    assert check_plan(changed, dependencies) == ()
    assert [Counter(lane.tests) for lane in changed.lanes] == [Counter(lane.tests) for lane in plan.lanes]


def test_a_failed_test_runs_first_with_what_it_needs() -> None:
    dependencies = dependencies_of("a b c d", needs=[need("d", "b")])
    changed = with_failed_first(plan_of(["a c"], ["a", "a b c d"]), dependencies, ids("d"))
    assert orders_of(changed) == [ids("a c"), ids("b d a c"), ids("a")]


def test_a_failed_test_stays_where_it_is_if_it_would_break_others_at_the_front() -> None:
    dependencies = dependencies_of("a b c", conflicts=[conflict("b", "c")])
    plan = plan_of(["a b c"])
    assert with_failed_first(plan, dependencies, ids("c")) == plan


def test_a_test_that_ends_its_process_stays_the_last_one() -> None:
    dependencies = dependencies_of("a b c", outcomes={"c": Outcome.CRASHED})
    plan = plan_of(["a", "b c"])
    assert with_failed_first(plan, dependencies, ids("c")) == plan
