"""Lanes that keep one state: every lane is one safe order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order
from unknot.plan.check import check_plan
from unknot.plan.makers.one_state import make_one_state_plan

from ..plan_cases import any_dependencies, conflict, dependencies_of, ids, need, passes, passing_dependencies, truth_of

workers = st.integers(1, 5)


def lanes_of(dependencies: Dependencies, count: int) -> list[Order]:
    plan = make_one_state_plan(dependencies, count)
    assert check_plan(plan, dependencies) == ()
    assert all(len(lane.orders) == 1 for lane in plan.lanes)
    return [lane.orders[0] for lane in plan.lanes]


@settings(deadline=None, max_examples=60)
@given(passing_dependencies(), workers)
def test_every_lane_passes_in_one_state_in_a_suite_that_is_as_the_dependencies_say(
    dependencies: Dependencies, count: int
) -> None:
    lanes = lanes_of(dependencies, count)
    truth = truth_of(dependencies)
    assert all(passes(truth, lane) for lane in lanes)
    assert {test for lane in lanes for test in lane} == set(dependencies.suite.tests)
    assert len(lanes) <= count


@settings(deadline=None, max_examples=60)
@given(any_dependencies(), workers)
def test_even_contradictory_dependencies_get_lanes_that_pass_the_check(dependencies: Dependencies, count: int) -> None:
    lanes_of(dependencies, count)


@settings(deadline=None, max_examples=40)
@given(any_dependencies(), workers)
def test_what_ends_its_process_comes_last_and_the_rest_follows_the_reference_order(
    dependencies: Dependencies, count: int
) -> None:
    ending = (Outcome.CRASHED, Outcome.TIMED_OUT)
    for lane in lanes_of(dependencies, count):
        keys = [(dependencies.outcomes[test] in ending, dependencies.suite.index[test]) for test in lane]
        assert keys == sorted(set(keys)) or lane == dependencies.suite.tests


@settings(deadline=None, max_examples=40)
@given(any_dependencies(), workers)
def test_no_plan_is_longer_than_the_reference_order_and_the_same_dependencies_give_the_same(
    dependencies: Dependencies, count: int
) -> None:
    plan = make_one_state_plan(dependencies, count)
    assert plan.predicted_seconds <= sum(dependencies.seconds.values()) + 1e-9
    assert plan == make_one_state_plan(dependencies, count)


def test_a_short_prerequisite_is_run_on_both_workers() -> None:
    dependencies = dependencies_of("login a b", needs=[need("a", "login"), need("b", "login")], seconds={"login": 0.1})
    assert lanes_of(dependencies, 2) == [ids("login a"), ids("login b")]


def test_a_long_prerequisite_makes_no_plan_longer() -> None:
    needs = [need("a", "boot"), need("b", "boot")]
    dependencies = dependencies_of("boot a b", needs=needs, seconds={"boot": 9.0, "a": 0.1, "b": 0.1})
    assert make_one_state_plan(dependencies, 2).predicted_seconds <= 9.2
    assert all(lane[0] == "boot" for lane in lanes_of(dependencies, 2))


def test_a_victim_is_kept_from_a_polluter_that_nothing_known_cleans() -> None:
    dependencies = dependencies_of("polluter other victim", conflicts=[conflict("victim", "polluter")])
    for lane in lanes_of(dependencies, 2):
        assert not {"polluter", "victim"} <= set(lane)


def test_a_victim_with_no_lane_of_its_own_gets_the_reference_order() -> None:
    polluters = [conflict("victim", "a"), conflict("victim", "b")]
    dependencies = dependencies_of("a b other victim late", conflicts=polluters, seconds=1.0)
    lanes = lanes_of(dependencies, 2)
    home = next(lane for lane in lanes if "victim" in lane)
    assert home[:4] == ids("a b other victim") or not {"a", "b"} & set(home)


def test_a_cleaner_goes_with_its_victim_however_expensive() -> None:
    dependencies = dependencies_of(
        "polluter cleaner victim x y",
        conflicts=[conflict("victim", "polluter", "cleaner")],
        seconds={"cleaner": 50.0},
    )
    for lane in lanes_of(dependencies, 2):
        if {"polluter", "victim"} <= set(lane):
            assert "cleaner" in lane


def test_unfinished_dependencies_give_one_lane_with_the_reference_order() -> None:
    dependencies = dependencies_of("a b c", untried=3)
    assert lanes_of(dependencies, 4) == [ids("a b c")]


def test_a_cleaner_that_ends_its_process_cleans_nothing() -> None:
    dependencies = dependencies_of(
        "a x b c v w",
        needs=[need("x", "a"), need("c", "a")],
        conflicts=[conflict("v", "x", "b"), conflict("w", "a", "x")],
        outcomes={"x": Outcome.CRASHED},
        seconds={"a": 0.5, "x": 0.1, "c": 0.6, "v": 0.1},
    )
    assert not any({"a", "w"} <= set(lane) for lane in lanes_of(dependencies, 2))
