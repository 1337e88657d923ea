"""Whom a change reaches through what tests leave behind."""

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.knots import Knots
from unknot.plan.constraints.dependents import affected_through

from ..plan_cases import conflict, ids, knots_of, need, passing_knots


def test_who_needs_a_changed_test_is_reached_and_who_needs_that_one_too() -> None:
    knots = knots_of("a b c d", needs=[need("b", "a"), need("c", "b")])
    assert affected_through(knots, ids("a")) == {"b": "a", "c": "b"}
    assert affected_through(knots, ids("c d")) == {}


def test_an_alternative_a_polluter_and_a_cleaner_reach_on() -> None:
    knots = knots_of("a b p c v x", needs=[need("x", "a b")], conflicts=[conflict("v", "p", "c")])
    assert affected_through(knots, ids("b")) == {"x": "b"}
    assert affected_through(knots, ids("p")) == {"v": "p"}
    assert affected_through(knots, ids("c")) == {"v": "c"}


def test_tests_that_are_no_longer_there_reach_nobody() -> None:
    assert affected_through(knots_of("a b", needs=[need("b", "a")]), ids("gone")) == {}


@settings(deadline=None)
@given(passing_knots(), st.data())
def test_what_is_found_is_closed_and_nothing_else(knots: Knots, data: st.DataObject) -> None:
    changed = set(data.draw(st.lists(st.sampled_from(knots.suite.tests))))
    found = affected_through(knots, changed)
    everyone = changed | set(found)
    touching = [(set(one.any_of), one.dependent) for one in knots.needs]
    touching += [({*one.polluters, *one.cleaners}, one.victim) for one in knots.conflicts]
    assert all(target in everyone for sources, target in touching if sources & everyone)
    assert changed.isdisjoint(found)
    for test, through in found.items():
        assert any(target == test and through in sources for sources, target in touching)
        assert through in everyone
