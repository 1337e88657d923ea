"""Dependencies matched to the suite as it is now."""

import random

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite
from unknot.plan.check import check_plan
from unknot.plan.constraints.subset import match_suite
from unknot.plan.makers.greedy import make_plan

from ..plan_cases import conflict, dependencies_of, ids, need, passing_dependencies


def test_the_same_suite_changes_nothing() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")], conflicts=[conflict("c", "b")])
    found = match_suite(dependencies, dependencies.suite)
    assert (found.dependencies, found.unknown, found.orphaned, found.gone) == (dependencies, (), (), ())


def test_new_tests_are_unknown_and_removed_ones_gone_and_the_order_is_todays() -> None:
    found = match_suite(dependencies_of("a b c"), Suite(ids("n c m a")))
    assert found.dependencies.suite.tests == ids("c a")
    assert found.new == found.unknown == ids("n m")
    assert found.gone == ids("b")


def test_a_test_without_its_prerequisite_is_orphaned_with_its_dependents() -> None:
    dependencies = dependencies_of(
        "a b c d e", needs=[need("b", "a"), need("c", "b"), need("d", "b e"), need("e", "a d")]
    )
    found = match_suite(dependencies, Suite(ids("b n c d e")))
    assert found.orphaned == ids("b c")
    assert found.unknown == ids("b n c"), "in the suite's own order, new ones and those orphaned"
    assert [known.any_of for known in found.dependencies.needs] == [ids("e"), ids("d")]


def test_cleaners_may_be_fewer_but_a_conflict_without_all_its_polluters_is_none() -> None:
    dependencies = dependencies_of("p q c v", conflicts=[conflict("v", "p", "c q"), conflict("v", "p q", "c")])
    found = match_suite(dependencies, Suite(ids("p c v"))).dependencies.conflicts
    assert [(known.polluters, known.cleaners) for known in found] == [(ids("p"), ids("c"))]


@given(passing_dependencies(), st.randoms(use_true_random=False))
@laws(100)
def test_whatever_is_left_can_be_planned_for(dependencies: Dependencies, chance: random.Random) -> None:
    kept = [test for test in dependencies.suite.tests if chance.random() < 0.7]
    found = match_suite(dependencies, Suite(tuple(kept)))
    assert {*found.dependencies.suite.tests, *found.unknown} == set(kept)
    assert len(found.dependencies.suite) + len(found.unknown) == len(kept)
    for known in found.dependencies.needs:
        assert known.any_of
        assert set(known.any_of) <= found.dependencies.suite.index.keys()
    if kept:
        assert not check_plan(make_plan(found.dependencies, 2), found.dependencies)
