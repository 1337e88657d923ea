"""Shards: closed, complete, balanced, the same on every machine."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.plan.bound import lower_bound
from unknot.plan.check import check_plan
from unknot.plan.constraints.subset import close_tests, restrict
from unknot.plan.makers.greedy import make_plan
from unknot.plan.partial import make_shards, shard_of

from .plan_cases import any_dependencies, dependencies_of, ids, need, orders_of, passes, passing_dependencies, truth_of

counts = st.integers(1, 5)
GRAPHS = Path(__file__).parents[1] / "data" / "timed-graphs"


@settings(deadline=None, max_examples=60)
@given(any_dependencies(), counts)
def test_shards_are_closed_and_together_the_suite(dependencies: Dependencies, count: int) -> None:
    shards = make_shards(dependencies, count)
    assert len(shards) == count
    assert {test for shard in shards for test in shard} == set(dependencies.suite.tests)
    for shard in shards:
        assert set(close_tests(dependencies, shard)) == set(shard)
        assert len(set(shard)) == len(shard)


@settings(deadline=None, max_examples=60)
@given(passing_dependencies(), counts, st.integers(1, 3))
def test_every_shard_passes_by_itself_and_by_any_plan_for_it(
    dependencies: Dependencies, count: int, workers: int
) -> None:
    truth = truth_of(dependencies)
    for shard in make_shards(dependencies, count):
        assert passes(truth, shard)
        part = restrict(dependencies, shard)
        plan = make_plan(part, workers)
        assert check_plan(plan, part) == ()
        assert all(passes(truth, order) for order in orders_of(plan))


@settings(deadline=None, max_examples=40)
@given(any_dependencies(), counts)
def test_every_machine_computes_the_same_shards(dependencies: Dependencies, count: int) -> None:
    assert tuple(shard_of(dependencies, number, count) for number in range(1, count + 1)) == make_shards(
        dependencies, count
    )


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(0.01, 5.0), min_size=8, max_size=40), st.integers(2, 4))
def test_independent_tests_are_shared_out_evenly(seconds: list[float], count: int) -> None:
    """No worse than putting the longest first to the shortest shard, which is at most 4/3 of the best."""
    tests = ids(" ".join(f"t{number}" for number in range(len(seconds))))
    dependencies = dependencies_of(tests, seconds=dict(zip(tests, seconds, strict=True)))
    longest = max(sum(dependencies.seconds[test] for test in shard) for shard in make_shards(dependencies, count))
    assert longest <= lower_bound(dependencies, count) * 4 / 3 + max(seconds) / 3 + 0.01


@pytest.mark.parametrize("name", ["claroline", "expresscart", "mrbs", "ppma"])
def test_real_graphs_are_shared_out_well(name: str) -> None:
    document = json.loads((GRAPHS / f"{name}.json").read_text())
    tests = document["order"]
    needs = [need(tests[dependent], tests[other]) for dependent, other in document["dependencies"]]
    dependencies = dependencies_of(
        tuple(tests), needs=needs, seconds=dict(zip(tests, document["seconds"], strict=True))
    )
    for count in (2, 4, 6):
        shards = make_shards(dependencies, count)
        longest = max(sum(dependencies.seconds[test] for test in shard) for shard in shards)
        assert longest <= 1.35 * lower_bound(dependencies, count)


def test_a_prerequisite_runs_in_every_shard_that_needs_it() -> None:
    dependencies = dependencies_of("login a b", needs=[need("a", "login"), need("b", "login")], seconds={"login": 0.1})
    assert make_shards(dependencies, 2) == (ids("login a"), ids("login b"))


def test_more_shards_than_tests_leave_some_empty() -> None:
    assert make_shards(dependencies_of("a"), 3) == (ids("a"), (), ())


def test_an_unfinished_detection_gives_one_shard() -> None:
    assert make_shards(dependencies_of("a b", complete=False), 2) == (ids("a b"), ())


@pytest.mark.parametrize(("index", "count"), [(0, 2), (3, 2), (1, 0), (-1, 2)])
def test_a_shard_that_does_not_exist_is_refused(index: int, count: int) -> None:
    with pytest.raises(UsageError, match="shard"):
        shard_of(dependencies_of("a"), index, count)
