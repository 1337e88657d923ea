"""Plans for suites small enough to see what is right."""

import pytest

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane
from unknot.model.suite import TestId
from unknot.plan.check import check_plan
from unknot.plan.makers.greedy import file_of, make_plan

from ..plan_cases import conflict, dependencies_of, ids, need, orders_of


def test_a_suite_without_tests_has_a_plan_without_lanes() -> None:
    assert make_plan(dependencies_of(""), 4).lanes == ()


def test_less_than_one_worker_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one worker, not 0"):
        make_plan(dependencies_of("a"), 0)


def test_independent_tests_are_shared_out_evenly() -> None:
    plan = make_plan(dependencies_of("a b c d"), 2, clean_state=0.5, group_of=str)
    assert sorted(len(lane.tests) for lane in plan.lanes) == [2, 2]
    assert plan.predicted_seconds == 2.5


def test_tests_without_durations_are_shared_out_evenly_too() -> None:
    plan = make_plan(dependencies_of(" ".join(f"t{n}" for n in range(100)), seconds=0.0), 4, group_of=str)
    assert [len(lane.tests) for lane in plan.lanes] == [25, 25, 25, 25]


def test_the_longest_test_has_a_lane_to_itself() -> None:
    plan = make_plan(dependencies_of("a b c d", seconds={"c": 3.0}), 2, group_of=str)
    assert {lane.orders for lane in plan.lanes} == {(ids("a b d"),), (ids("c"),)}


def test_a_file_stays_in_one_lane_when_the_lanes_are_even_without_cutting_it() -> None:
    tests = " ".join(f"test_{file}.py::t{n}" for file in range(8) for n in range(5))
    plan = make_plan(dependencies_of(tests), 2)
    files = [{file_of(test) for test in lane.tests} for lane in plan.lanes]
    assert not files[0] & files[1]


def test_a_single_large_file_is_cut_to_fill_the_lanes() -> None:
    plan = make_plan(dependencies_of(" ".join(f"test_a.py::t{n}" for n in range(40))), 4)
    assert [len(lane.tests) for lane in plan.lanes] == [10, 10, 10, 10]


def test_a_cheap_prerequisite_runs_in_each_lane_that_needs_it() -> None:
    dependencies = dependencies_of(
        "p a b", needs=[need("a", "p"), need("b", "p")], seconds={"p": 0.1, "a": 5.0, "b": 5.0}
    )
    plan = make_plan(dependencies, 2, group_of=str)
    assert orders_of(plan) == [ids("p a"), ids("p b")]


def test_a_prerequisite_runs_once_where_another_lane_is_the_longest_anyway() -> None:
    dependencies = dependencies_of("p a b z", needs=[need("a", "p"), need("b", "p")], seconds={"p": 10.0, "z": 30.0})
    plan = make_plan(dependencies, 3, group_of=str)
    assert orders_of(plan) == [ids("p a b"), ids("z")]


def test_an_alternative_that_is_needed_anyway_is_taken() -> None:
    dependencies = dependencies_of("p q a", needs=[need("a", "p q"), need("a", "q")], seconds={"p": 0.1, "q": 5.0})
    assert orders_of(make_plan(dependencies, 2, group_of=str)) == [ids("p"), ids("q a")]


def test_of_alternatives_the_cheapest_with_all_it_needs_is_taken() -> None:
    dependencies = dependencies_of(
        "deep p q a", needs=[need("p", "deep"), need("a", "p q")], seconds={"deep": 9.0, "q": 2.0}
    )
    assert ids("q a") in orders_of(make_plan(dependencies, 2, group_of=str))


def test_an_alternative_that_fails_is_taken_only_if_there_is_no_other() -> None:
    bad = {"p": Outcome.FAILED}
    either = dependencies_of("p q a", needs=[need("a", "p q")], outcomes=bad, seconds={"q": 5.0, "a": 5.0})
    assert ids("q a") in orders_of(make_plan(either, 2, group_of=str))
    only = dependencies_of("p q a", needs=[need("a", "p")], outcomes=bad, seconds={"q": 5.0, "a": 5.0})
    assert ids("p a") in orders_of(make_plan(only, 2, group_of=str))


def test_a_victim_that_shares_its_order_with_the_polluter_has_the_cleaner_between() -> None:
    dependencies = dependencies_of(
        "p c v z", conflicts=[conflict("v", "p", "c")], needs=[need("v", "p")], seconds={"z": 3.0}
    )
    assert orders_of(make_plan(dependencies, 2, group_of=str)) == [ids("p c v"), ids("z")]


def test_a_victim_away_from_its_polluter_goes_without_a_cleaner_that_runs_elsewhere() -> None:
    dependencies = dependencies_of(
        "c0 p c v w", conflicts=[conflict("v", "p", "c"), conflict("w", "p", "c")], seconds={"p": 9.0}
    )
    plan = make_plan(dependencies, 2, group_of=str)
    assert sum(len(order) for order in orders_of(plan)) == 5


def test_a_victim_with_an_expensive_cleaner_gets_an_order_of_its_own() -> None:
    seconds = {"p": 1.0, "c": 60.0, "v": 1.0, "z": 58.0}
    dependencies = dependencies_of("p c v z", conflicts=[conflict("v", "p", "c")], seconds=seconds)
    plan = make_plan(dependencies, 2, group_of=str)
    assert ids("v") in orders_of(plan)
    assert check_plan(plan, dependencies) == ()


def test_victims_of_one_polluter_without_known_cleaner_share_an_order_without_it() -> None:
    victims = " ".join(f"v{n}" for n in range(10))
    conflicts = [conflict(victim, "p") for victim in victims.split()]
    plan = make_plan(
        dependencies_of(f"p {victims}", conflicts=conflicts, seconds={"p": 10.0}), 2, group_of=lambda _: "one"
    )
    assert orders_of(plan) == [ids("p"), ids(victims)]


def test_a_victim_that_needs_its_polluter_and_has_no_known_cleaner_runs_as_in_the_reference_order() -> None:
    dependencies = dependencies_of(
        "x p v z", needs=[need("v", "p")], conflicts=[conflict("v", "p")], seconds={"z": 3.0}
    )
    plan = make_plan(dependencies, 2, group_of=str)
    assert orders_of(plan) == [ids("x p v"), ids("z")]


def test_a_victim_that_fails_in_the_reference_order_is_placed_like_any_other() -> None:
    dependencies = dependencies_of("p v", conflicts=[conflict("v", "p")], outcomes={"v": Outcome.FAILED})
    assert orders_of(make_plan(dependencies, 1)) == [ids("p v")]


def test_a_test_that_crashed_or_timed_out_runs_last_in_an_order_of_its_own_behind_what_it_needs() -> None:
    outcomes = {"x": Outcome.CRASHED, "y": Outcome.TIMED_OUT}
    dependencies = dependencies_of("p x a y b", needs=[need("y", "p")], outcomes=outcomes)
    assert make_plan(dependencies, 1).lanes == (Lane((ids("p a b"), ids("x"), ids("p y"))),)


def test_a_suite_of_crashes_has_an_order_for_each() -> None:
    dependencies = dependencies_of("x y", outcomes={"x": Outcome.CRASHED, "y": Outcome.CRASHED})
    assert make_plan(dependencies, 1).lanes == (Lane((ids("x"), ids("y"))),)


@pytest.mark.parametrize(("untried", "complete"), [(1, True), (0, False)])
def test_unfinished_dependencies_give_one_lane_with_the_reference_order(untried: int, complete: bool) -> None:
    dependencies = dependencies_of("a b c", untried=untried, complete=complete)
    assert make_plan(dependencies, 3).lanes == (Lane((ids("a b c"),)),)


def test_in_unfinished_dependencies_a_crash_runs_behind_all_that_precedes_it() -> None:
    dependencies = dependencies_of("a x b", outcomes={"x": Outcome.CRASHED}, complete=False)
    assert make_plan(dependencies, 3).lanes == (Lane((ids("a b"), ids("a x"))),)


def test_a_long_chain_with_ten_thousand_tests_beside_it_is_planned_and_safe() -> None:
    tests = tuple(TestId(f"test_{n // 20}.py::t{n}") for n in range(10_000))
    chain = [need(tests[n], tests[n - 1]) for n in range(1, 1_000)]
    spread = [need(tests[n], tests[n // 3]) for n in range(3_000, 10_000, 20)]
    clashes = [conflict(tests[n], tests[n - 900], tests[n - 300]) for n in range(2_000, 10_000, 40)]
    dependencies = dependencies_of(tests, needs=chain + spread, conflicts=clashes, seconds=0.01)
    plan = make_plan(dependencies, 8)
    assert check_plan(plan, dependencies) == ()
    assert plan.predicted_seconds < 1.1 * 100 / 8


def test_the_file_of_a_test_ends_before_the_first_pair_of_colons() -> None:
    assert file_of(TestId("tests/test_a.py::TestB::test_c[x::y]")) == "tests/test_a.py"


def test_a_last_test_that_only_the_reference_order_is_safe_for_makes_the_plan_one_lane() -> None:
    dependencies = dependencies_of("p v a z", needs=[need("z", "v"), need("z", "p")], conflicts=[conflict("v", "p")])
    assert make_plan(dependencies, 2).lanes == (Lane((dependencies.suite.tests,)),)


def test_a_plan_is_never_predicted_to_take_longer_than_the_reference_order() -> None:
    clashes = [conflict(f"v{n}", f"v{m}") for n in range(6) for m in range(n)]
    dependencies = dependencies_of(" ".join(f"v{n}" for n in range(6)), conflicts=clashes, seconds=0.01)
    plan = make_plan(dependencies, 2, clean_state=1.0)
    assert plan.predicted_seconds == pytest.approx(1.06)
    assert plan.lanes == (Lane((dependencies.suite.tests,)),)
