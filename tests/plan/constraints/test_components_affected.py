"""Which tests a change reaches through what tests leave behind."""

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.plan.constraints.components import affected_through

from ..plan_cases import conflict, dependencies_of, ids, need, passing_dependencies


def test_who_needs_a_changed_test_is_reached_and_who_needs_that_one_too() -> None:
    dependencies = dependencies_of("a b c d", needs=[need("b", "a"), need("c", "b")])
    assert affected_through(dependencies, ids("a")) == {"b": "a", "c": "b"}
    assert affected_through(dependencies, ids("c d")) == {}


def test_an_alternative_a_polluter_and_a_cleaner_reach_on() -> None:
    dependencies = dependencies_of("a b p c v x", needs=[need("x", "a b")], conflicts=[conflict("v", "p", "c")])
    assert affected_through(dependencies, ids("b")) == {"x": "b"}
    assert affected_through(dependencies, ids("p")) == {"v": "p"}
    assert affected_through(dependencies, ids("c")) == {"v": "c"}


def test_deleted_tests_affect_no_test() -> None:
    assert affected_through(dependencies_of("a b", needs=[need("b", "a")]), ids("gone")) == {}


@settings(deadline=None)
@given(passing_dependencies(), st.data())
def test_what_is_found_is_closed_and_nothing_else(dependencies: Dependencies, data: st.DataObject) -> None:
    changed = set(data.draw(st.lists(st.sampled_from(dependencies.suite.tests))))
    found = affected_through(dependencies, changed)
    everyone = changed | set(found)
    touching = [(set(one.any_of), one.dependent) for one in dependencies.needs]
    touching += [({*one.polluters, *one.cleaners}, one.victim) for one in dependencies.conflicts]
    assert all(target in everyone for sources, target in touching if sources & everyone)
    assert changed.isdisjoint(found)
    for test, through in found.items():
        assert any(target == test and through in sources for sources, target in touching)
        assert through in everyone
