"""Dependencies, and the laws of a closure."""

from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, hidden_graphs, laws

from unknot.model.bits import bits
from unknot.model.closure import runnable_order
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Order

_NO_PROOF = Proof((), ())


def dependencies_of(hidden: Case, outcomes: Mapping[int, Outcome] | None = None) -> Dependencies:
    """What a detector should find in this suite."""
    suite = hidden.suite
    given_outcomes = outcomes or {}
    return Dependencies(
        suite,
        {test: given_outcomes.get(number, Outcome.PASSED) for number, test in enumerate(suite.tests)},
        dict.fromkeys(suite.tests, 0.0),
        tuple(
            Need(suite.tests[dependent], suite.order(clause), _NO_PROOF)
            for dependent, clauses in hidden.needs.items()
            for clause in clauses
        ),
        tuple(
            Conflict(suite.tests[victim], suite.order(polluters), suite.order(cleaners), _NO_PROOF)
            for victim, polluters, cleaners in hidden.conflicts
        ),
    )


def closures(hidden: Case) -> list[Order]:
    dependencies = dependencies_of(hidden)
    return [dependencies.closure(test) for test in hidden.suite.tests]


@laws()
@given(either_or_suites())
def test_a_closure_ends_in_its_test_and_keeps_the_reference_order_before_it(hidden: Case) -> None:
    index = hidden.suite.index

    for test, closure in zip(hidden.suite.tests, closures(hidden), strict=True):
        places = [index[other] for other in closure]
        assert closure[-1] == test
        assert places[:-1] == sorted(set(places[:-1]))


@laws()
@given(hidden_graphs())
def test_with_single_needs_a_closure_is_exactly_what_cannot_be_left_out(hidden: Case) -> None:
    for closure in closures(hidden):
        assert hidden.passes(closure)
        assert all(not hidden.passes([t for t in closure if t != left_out]) for left_out in closure[:-1])


@laws()
@given(either_or_suites(late=False))
def test_a_closure_meets_every_need_and_holds_nothing_that_no_need_names(hidden: Case) -> None:
    dependencies = dependencies_of(hidden)

    for closure in closures(hidden):
        named = {option for test in closure for need in dependencies.needs_of.get(test, ()) for option in need.any_of}
        assert hidden.passes(closure)
        assert set(closure[:-1]) <= named


@laws(200)
@given(either_or_suites(late=True))
def test_every_need_is_met_in_a_closure_also_when_an_alternative_stands_after_the_dependent(hidden: Case) -> None:
    assert all(hidden.passes(closure) for closure in closures(hidden))


@laws()
@given(either_or_suites(9), st.sets(st.integers(0, 8)))
@example(case(7, {1: [[0, 6]], 2: [[0, 1]], 6: [[2, 4, 5]]}), {1, 2, 4, 6})
@example(case(4, {1: [[0]], 2: [[1, 3]]}), {1, 2, 3})
def test_what_can_have_its_needs_met_among_some_tests_has_them_met(hidden: Case, chosen: set[int]) -> None:
    members = sorted(test for test in chosen if test < hidden.size)

    order = runnable_order(bits(members), lambda test: hidden.needs.get(test, ()))

    able, met = set[int](), set[int]()
    while more := {test for test in members if _is_met(hidden, test, able)} - able:
        able |= more
    for test in order:
        met |= {test} if _is_met(hidden, test, met) else set()
    assert (sorted(order), met) == (members, able)


def _is_met(hidden: Case, test: int, before: set[int]) -> bool:
    return all(before.intersection(clause) for clause in hidden.needs.get(test, ()))


def test_of_several_alternatives_the_first_in_reference_order_is_taken() -> None:
    hidden = case(4, {3: [[1, 2]]})

    assert closures(hidden)[3] == hidden.suite.order([1, 3])


def test_an_alternative_that_a_later_test_needs_serves_for_both() -> None:
    hidden = case(5, {3: [[1, 2]], 4: [[3], [2]]})

    assert closures(hidden)[4] == hidden.suite.order([2, 3, 4])


def test_an_alternative_that_is_needed_anyway_is_preferred_to_the_first() -> None:
    hidden = case(4, {2: [[1]], 3: [[0, 1], [2]]})

    assert closures(hidden)[3] == hidden.suite.order([1, 2, 3])


def test_an_alternative_that_stands_after_the_dependent_does_not_serve_it() -> None:
    hidden = case(4, {1: [[0, 3]], 3: [[1, 2]]})

    assert closures(hidden)[3] == hidden.suite.order([0, 1, 3])


def test_needs_and_conflicts_are_found_by_test() -> None:
    hidden = case(5, {3: [[0], [1, 2]]}, [(4, [0], [1]), (4, [2], [])])
    dependencies = dependencies_of(hidden)
    tests = hidden.suite.tests

    assert [need.any_of for need in dependencies.needs_of[tests[3]]] == [(tests[0],), (tests[1], tests[2])]
    assert [conflict.polluters for conflict in dependencies.conflicts_of[tests[4]]] == [(tests[0],), (tests[2],)]
    assert tests[0] not in dependencies.needs_of
    assert dependencies.has_any


@pytest.mark.parametrize("outcome", Outcome)
def test_failing_tests_are_those_with_a_bad_reference_outcome(outcome: Outcome) -> None:
    hidden = case(3)

    dependencies = dependencies_of(hidden, {1: outcome})

    assert dependencies.failing == (hidden.suite.order([1]) if outcome.is_bad else ())
    assert not dependencies.has_any
