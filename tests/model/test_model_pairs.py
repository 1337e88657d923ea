"""Rows of pairs are taken over from suite to suite by the names of tests."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in, rows_in
from unknot.model.suite import Order, Suite, TestId

NAMES = [TestId(name) for name in "abcdefgh"]
SUITES = st.lists(st.sampled_from(NAMES), unique=True).map(lambda tests: Suite(tuple(tests)))


def named(suite: Suite, rows: tuple[int, ...]) -> set[tuple[TestId, TestId]]:
    return {
        (test, other)
        for test, row in zip(suite.tests, rows, strict=True)
        for other in suite.tests
        if row >> suite.index[other] & 1
    }


@st.composite
def suites_with_rows(draw: st.DrawFn) -> tuple[Suite, tuple[int, ...]]:
    suite = draw(SUITES)
    rows = [draw(st.integers(0, 2 ** len(suite) - 1)) & ~(1 << place) for place in range(len(suite))]
    return suite, tuple(rows)


@given(suites_with_rows(), SUITES)
def test_exactly_the_pairs_of_tests_that_are_in_both_are_kept(
    before: tuple[Suite, tuple[int, ...]], now: Suite
) -> None:
    suite, rows = before
    both = set(suite.tests) & set(now.tests)
    assert named(now, rows_in(now, rows, suite)) == {pair for pair in named(suite, rows) if both.issuperset(pair)}
    assert pairs_in(rows) == len(named(suite, rows))


@given(suites_with_rows(), st.data())
def test_a_part_of_a_result_knows_its_own_untried_pairs(
    before: tuple[Suite, tuple[int, ...]], data: st.DataObject
) -> None:
    suite, rows = before
    part: Order = tuple(data.draw(st.permutations(suite.tests)))[: data.draw(st.integers(0, len(suite)))]
    outcomes = dict.fromkeys(suite.tests, Outcome.PASSED)
    dependencies = Dependencies(
        suite, outcomes, {}, untried=pairs_in(rows), untried_rows=rows if any(rows) else ()
    ).among(part)
    expected = {pair for pair in named(suite, rows) if set(part).issuperset(pair)}
    assert dependencies.untried == len(expected)
    assert (named(dependencies.suite, dependencies.untried_rows) if dependencies.untried_rows else set()) == expected


def test_a_part_keeps_the_number_where_only_that_is_known() -> None:
    suite = Suite(tuple(NAMES))
    assert Dependencies(suite, {}, {}, untried=7).among(suite.tests[:3]).untried == 7
