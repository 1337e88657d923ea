"""Lanes with one order each."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.plan.check import check_plan
from unknot.plan.makers.closures import make_closures
from unknot.plan.makers.registry import join_orders

from ..plan_cases import any_dependencies, conflict, dependencies_of, ids, need, plan_of


def test_what_a_lane_runs_twice_it_runs_once() -> None:
    dependencies = dependencies_of("a b c d", needs=[need("b", "a"), need("c", "a")])
    found = join_orders(replace(plan_of(["a c", "a b"], ["d"]), maker="closures"), dependencies, 0.5)
    assert [lane.orders for lane in found.lanes] == [(ids("a b c"),), (ids("d"),)]
    assert found.predicted_seconds == 3.5
    assert found.maker == "closures"


def test_orders_that_may_be_kept_apart_for_a_reason_stay() -> None:
    plan = plan_of(["a b", "c"])
    assert join_orders(plan, dependencies_of("a b c", conflicts=[conflict("c", "a")]), 0.0) is plan
    assert join_orders(plan, dependencies_of("a b c", outcomes={"b": Outcome.CRASHED}), 0.0) is plan
    assert join_orders(plan, dependencies_of("a b c", needs=[need("a", "c")]), 0.0) is plan
    shared = replace(plan, shares=True)
    assert join_orders(shared, dependencies_of("a b c"), 0.0) is shared


@settings(deadline=None, max_examples=60)
@given(dependencies=any_dependencies(), workers=st.integers(1, 4), clean_state=st.sampled_from((0.0, 0.5)))
def test_joined_lanes_are_as_safe_and_never_slower(
    dependencies: Dependencies, workers: int, clean_state: float
) -> None:
    plan = make_closures(dependencies, workers, clean_state=clean_state)
    found = join_orders(plan, dependencies, clean_state)
    assert check_plan(found, dependencies) == ()
    assert found.predicted_seconds <= plan.predicted_seconds + 1e-9
    if not dependencies.conflicts and found is not plan:
        assert all(len(lane.orders) == 1 for lane in found.lanes)
