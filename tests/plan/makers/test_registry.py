"""What holds of the plans of every maker, and where they differ."""

import itertools
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.plan.bound import bounds
from unknot.plan.check import check_plan
from unknot.plan.makers.greedy import make_plan
from unknot.plan.makers.optimal import make_optimal
from unknot.plan.makers.registry import MAKERS, Maker, best_plan
from unknot.plan.problem import predict_timeline

from ..plan_cases import any_dependencies, dependencies_of, need, orders_of, passes, passing_dependencies, truth_of

CLEAN_STATE = 0.02
GRAPHS = Path(__file__).parents[2] / "data" / "timed-graphs"
workers = st.integers(1, 4)
every_maker = pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)


def timed(name: str) -> Dependencies:
    document = json.loads((GRAPHS / f"{name}.json").read_text())
    order = document["order"]
    return dependencies_of(
        tuple(order),
        needs=[need(order[dependent], order[prerequisite]) for dependent, prerequisite in document["dependencies"]],
        seconds=dict(zip(order, document["seconds"], strict=True)),
    )


@every_maker
@settings(deadline=None, max_examples=30)
@given(dependencies=passing_dependencies(), count=workers)
def test_every_order_passes_in_a_suite_that_is_as_the_dependencies_say(
    maker: Maker, dependencies: Dependencies, count: int
) -> None:
    plan = maker(dependencies, count)
    truth = truth_of(dependencies)
    assert all(passes(truth, order) for order in orders_of(plan))
    assert check_plan(plan, dependencies) == ()
    assert len(plan.lanes) <= count


@every_maker
@settings(deadline=None, max_examples=30)
@given(dependencies=any_dependencies(), count=workers, untried=st.sampled_from((0, 0, 7)))
def test_even_contradictory_dependencies_get_a_safe_plan(
    maker: Maker, dependencies: Dependencies, count: int, untried: int
) -> None:
    dependencies = Dependencies(
        dependencies.suite,
        dependencies.outcomes,
        dependencies.seconds,
        dependencies.needs,
        dependencies.conflicts,
        untried=untried,
    )
    plan = maker(dependencies, count)
    assert check_plan(plan, dependencies) == ()
    ending = (Outcome.CRASHED, Outcome.TIMED_OUT)
    assert all(dependencies.outcomes[test] not in ending for order in orders_of(plan) for test in order[:-1])


@every_maker
@settings(deadline=None, max_examples=30)
@given(dependencies=passing_dependencies(), count=workers)
def test_the_prediction_is_when_the_last_lane_ends_and_no_sooner_than_the_bound(
    maker: Maker, dependencies: Dependencies, count: int
) -> None:
    plan = maker(dependencies, count, clean_state=CLEAN_STATE)
    ends = [slots[-1].end for slots in predict_timeline(plan, dependencies.seconds, CLEAN_STATE)]
    assert plan.predicted_seconds == pytest.approx(max(ends))
    assert plan.predicted_seconds >= bounds(dependencies, count).seconds - 1e-9


@settings(deadline=None, max_examples=30)
@given(passing_dependencies(), workers)
def test_the_optimum_is_never_worse_than_the_others_and_its_bound_never_above_it(
    dependencies: Dependencies, count: int
) -> None:
    optimal = make_optimal(dependencies, count, clean_state=0.0)
    assert optimal.predicted_seconds <= make_plan(dependencies, count, clean_state=0.0).predicted_seconds + 1e-9
    assert optimal.bound <= optimal.predicted_seconds + 1e-9


@settings(deadline=None, max_examples=40)
@given(passing_dependencies(), st.integers(1, 3))
def test_no_assignment_at_all_beats_the_bounds(dependencies: Dependencies, count: int) -> None:
    """By trying every way to put the tests on lanes, each lane closed under needs; conflicts only make it longer."""
    dependencies = _first(dependencies, 6)
    best = _shortest_by_trying_all(dependencies, count)
    found = bounds(dependencies, count)
    assert found.seconds <= best + 1e-9
    assert found.critical <= found.seconds
    assert found.share <= found.seconds


@settings(deadline=None, max_examples=40)
@given(passing_dependencies(), st.integers(2, 3))
def test_the_solver_finds_what_trying_all_finds(dependencies: Dependencies, count: int) -> None:
    dependencies = _first(dependencies, 6)
    best = _shortest_by_trying_all(dependencies, count)
    plan = make_optimal(dependencies, count, clean_state=0.0)
    # A test of no seconds counts as a millisecond, so that it is placed somewhere.
    assert plan.predicted_seconds == pytest.approx(best, abs=0.01)


def _first(dependencies: Dependencies, count: int) -> Dependencies:
    """The first tests of the suite with their needs, without conflicts."""
    kept = dependencies.suite.tests[:count]
    needs = [
        need(found.dependent, " ".join(option for option in found.any_of if option in kept))
        for found in dependencies.needs
        if found.dependent in kept
    ]
    return dependencies_of(
        kept, needs=needs, seconds={str(test): seconds for test, seconds in dependencies.seconds.items()}
    )


def _shortest_by_trying_all(dependencies: Dependencies, count: int) -> float:
    """Over all ways to give each lane a set of tests that meets its own needs, in reference order."""
    tests = dependencies.suite.tests
    closed = []
    for size in range(len(tests) + 1):
        for chosen in itertools.combinations(range(len(tests)), size):
            names = [tests[place] for place in chosen]
            met = all(
                any(option in names[:number] for option in found.any_of)
                for number, name in enumerate(names)
                for found in dependencies.needs_of.get(name, ())
            )
            if met:
                closed.append((sum(dependencies.seconds[name] for name in names), frozenset(chosen)))
    closed.sort(key=lambda entry: entry[0])
    everything = frozenset(range(len(tests)))
    reached: dict[frozenset[int], float] = {frozenset(): 0.0}
    for _ in range(count):
        following = dict(reached)
        for held, end in reached.items():
            for seconds, lane in closed:
                together = held | lane
                if max(end, seconds) < following.get(together, float("inf")):
                    following[together] = max(end, seconds)
        reached = following
    return reached[everything]


@pytest.mark.parametrize("name", ["claroline", "expresscart", "mrbs", "ppma"])
@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_on_real_web_suites_greedy_is_close_to_the_proven_optimum(name: str, count: int) -> None:
    dependencies = timed(name)
    optimal = make_optimal(dependencies, count, clean_state=0.0)
    assert optimal.predicted_seconds <= 1.0001 * optimal.bound
    assert make_plan(dependencies, count, clean_state=0.0).predicted_seconds <= 1.05 * optimal.bound


def test_a_long_prerequisite_is_run_on_two_lanes_where_that_shortens_the_run() -> None:
    dependents = " ".join(f"t{number}" for number in range(8))
    dependencies = dependencies_of(
        f"setup {dependents}", needs=[need(name, "setup") for name in dependents.split()], seconds={"setup": 2.0}
    )
    plan = make_plan(dependencies, 2, clean_state=0.0)
    assert plan.predicted_seconds == 6.0
    assert sum("setup" in lane.tests for lane in plan.lanes) == 2


def test_closures_are_one_order_for_each_test_that_nothing_depends_on() -> None:
    dependencies = dependencies_of("a b c d", needs=[need("b", "a"), need("c", "a")])
    plan = MAKERS["closures"](dependencies, 8, clean_state=0.0)
    assert sorted(orders_of(plan)) == [("a", "b"), ("a", "c"), ("d",)]
    assert plan.predicted_seconds == 2.0


def test_a_prefix_tree_runs_a_common_beginning_once_in_a_lane() -> None:
    dependencies = dependencies_of(
        "login a b c", needs=[need(name, "login") for name in "abc"], seconds={"login": 10.0}
    )
    plan = MAKERS["prefix-tree"](dependencies, 1, clean_state=0.5)
    assert plan.shares
    assert plan.predicted_seconds == 10.0 + 3 + 3 * 0.5
    (slots,) = predict_timeline(plan, dependencies.seconds, 0.5)
    assert [slot.test for slot in slots] == ["login", "a", "b", "c"]


@settings(deadline=None, max_examples=40)
@given(passing_dependencies(), workers, st.booleans())
def test_the_best_plan_is_no_slower_than_closures_or_the_reference_order(
    dependencies: Dependencies, count: int, can_share: bool
) -> None:
    plan = best_plan(dependencies, count, clean_state=CLEAN_STATE, can_share=can_share)
    closures = MAKERS["closures"](dependencies, count, clean_state=CLEAN_STATE)
    assert plan.predicted_seconds <= closures.predicted_seconds + 1e-9
    assert plan.predicted_seconds <= sum(dependencies.seconds.values()) + CLEAN_STATE + 1e-9
    assert check_plan(plan, dependencies) == ()
    assert can_share or not plan.shares


def test_without_the_solver_the_optimal_maker_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(UsageError, match="OR-tools") as caught:
        make_optimal(dependencies_of("a b c"), 2)
    assert "unknot[optimal]" in caught.value.hint


@every_maker
def test_less_than_one_worker_is_refused(maker: Maker) -> None:
    with pytest.raises(UsageError, match="at least one worker, not 0"):
        maker(dependencies_of("a"), 0)


@every_maker
def test_more_workers_than_tests_are_no_trouble(maker: Maker) -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a")])
    plan = maker(dependencies, 10**9, clean_state=0.0)
    assert plan.predicted_seconds == 2.0
    assert check_plan(plan, dependencies) == ()


@every_maker
def test_a_suite_without_tests_has_a_plan_without_lanes(maker: Maker) -> None:
    assert maker(dependencies_of(""), 3).lanes == ()


def test_a_plan_says_who_made_it() -> None:
    assert {name: maker(dependencies_of("a b c d"), 2).maker for name, maker in MAKERS.items()} == {
        name: name for name in MAKERS
    }
