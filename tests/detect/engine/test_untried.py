"""Which pairs are untried: as many as are counted, none of which something is known, all of which nothing is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, hidden_graphs, laws, mixed_suites

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.detect.incremental.detector import detect_incrementally
from unknot.detect.plan_failures.lock_updates import apply_updates
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.suite import TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.protocol import Oracle

from ..edits import Edit, edits
from ..judge import MakeOracle, cheap, edges, expensive, true_reduction
from ..trials import Crashing

SUITES = st.one_of(mixed_suites(8), either_or_suites(8))
LIMITS = st.integers(0, 30)


def limited(oracle: Oracle, orders: int) -> BudgetOracle:
    return BudgetOracle(oracle, Budget(orders=orders), lambda: 0.0)


def pairs(dependencies: Dependencies) -> set[tuple[int, int]]:
    """Dependent and the test before it, by position."""
    size = len(dependencies.suite)
    return {
        (test, other) for test, row in enumerate(dependencies.untried_rows) for other in range(size) if row >> other & 1
    }


def claimed(dependencies: Dependencies) -> set[tuple[int, int]]:
    place = dependencies.suite.index
    needs = {(place[need.dependent], place[option]) for need in dependencies.needs for option in need.any_of}
    return needs | {
        (place[known.victim], place[other])
        for known in dependencies.conflicts
        for other in (*known.polluters, *known.cleaners)
    }


def assert_rows_are_right(dependencies: Dependencies) -> None:
    assert len(dependencies.untried_rows) == (len(dependencies.suite) if dependencies.untried else 0)
    assert len(pairs(dependencies)) == dependencies.untried
    assert all(test != other for test, other in pairs(dependencies))
    assert not pairs(dependencies) & claimed(dependencies)


@pytest.mark.parametrize("name", ALGORITHMS)
@laws(40)
@given(told=SUITES, limit=LIMITS, reorders=st.booleans())
def test_a_search_that_is_stopped_knows_which_pairs_it_counts(
    name: str, told: Case, limit: int, reorders: bool
) -> None:
    assert_rows_are_right(ALGORITHMS[name](told.suite, limited(cheap(told), limit), Options(reorders=reorders)))


@pytest.mark.parametrize("oracle", [cheap, expensive])
@laws(40)
@given(told=hidden_graphs("random", 8), limit=LIMITS)
def test_whatever_is_not_found_yet_is_among_them(oracle: MakeOracle, told: Case, limit: int) -> None:
    dependencies = sieve(told.suite, limited(oracle(told), limit))
    assert true_reduction(told) - edges(dependencies) <= pairs(dependencies)


def test_before_anything_was_run_every_pair_is_untried() -> None:
    told = case(4, {3: [[1]]})
    assert sieve(told.suite, limited(cheap(told), 0)).untried_rows == (0b1110, 0b1101, 0b1011, 0b0111)


def test_a_test_that_crashes_the_process_is_in_no_pair_and_moves_no_other() -> None:
    """Test 2 needs a later one, and so would fail in the reference order."""
    told = case(6, {2: [[4]], 5: [[3]]})
    dependencies = sieve(told.suite, limited(Crashing(told), 2), Options(reorders=False))
    assert_rows_are_right(dependencies)
    assert (5, 3) in pairs(dependencies)
    assert not any(2 in pair for pair in pairs(dependencies))


@laws(40)
@given(edit=edits(SUITES, plain=False), limits=st.tuples(LIMITS, LIMITS), reorders=st.booleans())
def test_of_yesterdays_pairs_those_among_unchanged_tests_stay(
    edit: Edit, limits: tuple[int, int], reorders: bool
) -> None:
    options = Options(reorders=reorders)
    previous = sieve(edit.before.suite, limited(cheap(edit.before), limits[0]), options)
    dependencies = detect_incrementally(
        edit.after.suite, limited(cheap(edit.after), limits[1]), previous, edit.changed, options
    )
    assert_rows_are_right(dependencies)


def test_pairs_untried_in_the_baseline_stay_untried_at_their_current_positions() -> None:
    before = case(5, {4: [[1]]})
    previous = sieve(before.suite, limited(cheap(before), 2))
    after = Case(6, {5: ((2,),)}, ids=(TestId("new.py::test_new"), *before.suite.tests))
    dependencies = detect_incrementally(after.suite, cheap(after), previous)
    assert previous.untried
    assert pairs(dependencies) >= {(test + 1, other + 1) for test, other in pairs(previous)} - claimed(dependencies)


def test_without_pairs_in_the_baseline_only_their_number_is_reported() -> None:
    told = case(5, {4: [[1]]})
    known = sieve(told.suite, cheap(told)).outcomes
    dependencies = detect_incrementally(told.suite, cheap(told), Dependencies(told.suite, known, {}, untried=3))
    assert dependencies.untried >= 3
    assert dependencies.untried_rows == ()


def test_a_lock_update_removes_its_pair() -> None:
    told = case(4, {})
    dependencies = sieve(told.suite, limited(cheap(told), 0))
    first, *_, last = told.suite.tests
    taught = apply_updates(dependencies, [Need(last, (first,), Proof((first, last), (last,)))])
    assert taught.untried == dependencies.untried - 1
    assert pairs(dependencies) - pairs(taught) == {(3, 0)}
