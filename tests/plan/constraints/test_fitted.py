"""Knots fitted to the suite as it is now."""

import random

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.knots import Knots
from unknot.model.suite import Suite
from unknot.plan.check import check_plan
from unknot.plan.constraints.fitted import fitted
from unknot.plan.makers.greedy import make_plan

from ..plan_cases import conflict, ids, knots_of, need, passing_knots


def test_the_same_suite_changes_nothing() -> None:
    knots = knots_of("a b c", needs=[need("c", "a b")], conflicts=[conflict("c", "b")])
    found = fitted(knots, knots.suite)
    assert (found.knots, found.unknown, found.adrift, found.gone) == (knots, (), (), ())


def test_new_tests_are_unknown_and_removed_ones_gone_and_the_order_is_todays() -> None:
    found = fitted(knots_of("a b c"), Suite(ids("n c m a")))
    assert found.knots.suite.tests == ids("c a")
    assert found.new == found.unknown == ids("n m")
    assert found.gone == ids("b")


def test_whoever_lost_what_it_needs_is_adrift_with_all_who_need_it() -> None:
    knots = knots_of("a b c d e", needs=[need("b", "a"), need("c", "b"), need("d", "b e"), need("e", "a d")])
    found = fitted(knots, Suite(ids("b n c d e")))
    assert found.adrift == ids("b c")
    assert found.unknown == ids("b n c"), "in the suite's own order, new ones and those adrift"
    assert [known.any_of for known in found.knots.needs] == [ids("e"), ids("d")]


def test_cleaners_may_be_fewer_but_a_conflict_without_all_its_polluters_is_none() -> None:
    knots = knots_of("p q c v", conflicts=[conflict("v", "p", "c q"), conflict("v", "p q", "c")])
    found = fitted(knots, Suite(ids("p c v"))).knots.conflicts
    assert [(known.polluters, known.cleaners) for known in found] == [(ids("p"), ids("c"))]


@given(passing_knots(), st.randoms(use_true_random=False))
@laws(100)
def test_whatever_is_left_can_be_planned_for(knots: Knots, chance: random.Random) -> None:
    kept = [test for test in knots.suite.tests if chance.random() < 0.7]
    found = fitted(knots, Suite(tuple(kept)))
    assert {*found.knots.suite.tests, *found.unknown} == set(kept)
    assert len(found.knots.suite) + len(found.unknown) == len(kept)
    for known in found.knots.needs:
        assert known.any_of
        assert set(known.any_of) <= found.knots.suite.index.keys()
    if kept:
        assert not check_plan(make_plan(found.knots, 2), found.knots)
