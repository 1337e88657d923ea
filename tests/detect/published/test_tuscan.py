"""Laws of tuscan: certain about pairs, and what it misses by construction."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, flaky, hidden_graphs, laws, mixed_suites, polluted_suites

from unknot.detect.engine import orders
from unknot.detect.engine.options import Options
from unknot.detect.published.tuscan import tuscan
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Reference, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Oracle

from ..judge import (
    Transcript,
    as_readable,
    assert_nothing_false,
    cheap,
    edges,
    failing_closures,
    single_polluters,
    true_cleaners,
    true_reduction,
)


def found_in(told: Case, oracle: Oracle | None = None) -> Dependencies:
    return tuscan(told.suite, oracle or cheap(told))


def needs_in(dependencies: Dependencies) -> list[tuple[int, list[int]]]:
    index = dependencies.suite.index
    return [(index[need.dependent], [index[test] for test in need.any_of]) for need in dependencies.needs]


def conflicts_in(dependencies: Dependencies) -> list[tuple[int, list[int], list[int]]]:
    index = dependencies.suite.index
    return [
        (index[c.victim], [index[p] for p in c.polluters], [index[p] for p in c.cleaners])
        for c in dependencies.conflicts
    ]


def polluters_alone(dependencies: Dependencies, victim: TestId) -> set[TestId]:
    return {c.polluters[0] for c in dependencies.conflicts_of.get(victim, ()) if len(c.polluters) == 1}


def squares(told: Case) -> list[Order]:
    return [told.suite.order(order) for order in orders.tuscan(told.size)]


@pytest.mark.parametrize(("size", "asked"), [(0, 0), (1, 1), (2, 2), (7, 8), (8, 8), (50, 50), (51, 52)])
def test_an_independent_suite_costs_one_order_for_each_test_and_at_most_one_more(size: int, asked: int) -> None:
    told = case(size)
    reference = Reference(dict.fromkeys(told.suite.tests, Outcome.PASSED), dict.fromkeys(told.suite.tests, 0.0))
    counted = CountingOracle(cheap(told))

    dependencies = tuscan(told.suite, counted, Options(reference=reference))

    assert counted.orders == dependencies.cost.orders == asked
    assert (dependencies.has_any, dependencies.complete, dependencies.untried, dependencies.cost.algorithm) == (
        False,
        True,
        0,
        "tuscan",
    )


@pytest.mark.parametrize("tidy", [True, False])
def test_every_single_polluter_is_found(tidy: bool) -> None:
    @laws(35)
    @given(polluted_suites(together=1, tidy=tidy))
    def law(told: Case) -> None:
        dependencies = found_in(told)

        assert dependencies.complete, as_readable(dependencies)
        for victim in told.suite.tests:
            assert polluters_alone(dependencies, victim) == single_polluters(told, victim), as_readable(dependencies)
        assert not dependencies.needs

    law()


@laws(35)
@given(polluted_suites(together=1))
def test_every_single_cleaner_is_found(told: Case) -> None:
    dependencies = found_in(told)

    for conflict in dependencies.conflicts:
        assert set(conflict.cleaners) == true_cleaners(told, conflict), as_readable(dependencies)


@laws(35)
@given(hidden_graphs("random", 14))
def test_of_single_prerequisites_the_graph_is_found(told: Case) -> None:
    dependencies = found_in(told)

    assert edges(dependencies) == true_reduction(told), as_readable(dependencies)
    assert not dependencies.conflicts
    assert dependencies.complete


def test_every_single_setter_is_found_also_those_that_stand_later() -> None:
    told = case(12, {5: [[1, 3, 9]], 8: [[5]]})

    dependencies = found_in(told)

    assert needs_in(dependencies) == [(5, [1, 3, 9]), (8, [5])]
    assert all(need.complete for need in dependencies.needs)


def test_a_brittle_test_that_every_other_serves_is_found() -> None:
    """Only the order that begins with it shows it."""
    told = case(6, {3: [[0, 1, 2, 4, 5]]})

    assert needs_in(found_in(told)) == [(3, [0, 1, 2, 4, 5])]


def test_a_brittle_test_can_be_a_victim_too() -> None:
    told = case(10, {4: [[1]]}, [(2, [4], []), (4, [7], [8])])

    dependencies = found_in(told)

    assert needs_in(dependencies) == [(4, [1])]
    assert conflicts_in(dependencies) == [(2, [4], []), (4, [7], [8])]
    assert dependencies.complete


@laws(40)
@given(st.one_of(mixed_suites(10), either_or_suites(10), polluted_suites(10, tidy=False)))
def test_nothing_claimed_is_false(told: Case) -> None:
    dependencies = found_in(told)

    assert_nothing_false(told, dependencies)
    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)


@laws(40)
@given(mixed_suites(8, failures_pollute=True))
def test_nothing_claimed_is_false_where_failing_tests_pollute(told: Case) -> None:
    assert_nothing_false(told, found_in(told))


@pytest.mark.parametrize("limit", [0, 1, 5, 12, 13, 20, 40, 80, 160, 320])
def test_what_is_claimed_when_stopped_is_true(limit: int) -> None:
    told = case(12, {5: [[1, 3]], 8: [[5]]}, [(2, [7], [9]), (10, [4], [])])

    dependencies = found_in(told, BudgetOracle(cheap(told), Budget(orders=limit), clock=lambda: 0.0))

    assert_nothing_false(told, dependencies)
    assert not dependencies.complete or not failing_closures(told, dependencies)


@laws(12)
@given(mixed_suites(9), st.permutations(range(9)))
def test_names_play_no_part(told: Case, mixed: Sequence[int]) -> None:
    renamed = Case(told.size, told.needs, told.conflicts, ids=tuple(TestId(f"t{mixed[n]}") for n in range(told.size)))

    here, there = found_in(told), found_in(renamed)

    assert as_readable(here) == as_readable(there)


def test_the_same_suite_gives_the_same_orders() -> None:
    told = case(12, {5: [[1, 3]], 8: [[5]]}, [(2, [7], [9]), (10, [4], [])])
    first, second = Transcript(cheap(told)), Transcript(cheap(told))

    found_in(told, first)
    found_in(told, second)

    assert first.requests == second.requests


@pytest.mark.parametrize("seed", range(10))
def test_of_a_test_that_fails_every_other_time_nothing_is_claimed(seed: int) -> None:
    told = case(10, {7: [[2]]}, [(3, [8], [])], flaky={5: 0.5})

    dependencies = found_in(told, cheap(told, seed=seed))

    assert dependencies.flaky == told.suite.order([5])
    assert needs_in(dependencies) == [(7, [2])]
    assert conflicts_in(dependencies) == [(3, [8], [])]


@laws(30)
@given(flaky(polluted_suites(8, together=1)))
def test_nothing_is_claimed_about_a_test_that_is_named_flaky(told: Case) -> None:
    dependencies = found_in(told)

    claimed = {need.dependent for need in dependencies.needs} | {conflict.victim for conflict in dependencies.conflicts}
    assert claimed.isdisjoint(dependencies.flaky), as_readable(dependencies)


# --- what it misses by construction


def test_two_that_break_only_together_are_found_where_an_order_shows_them() -> None:
    told = case(12, conflicts=[(1, [6, 8], [])])

    assert conflicts_in(found_in(told)) == [(1, [6, 8], [])]


def test_two_that_break_only_together_are_missed_where_a_cleaner_stands_between_in_every_order() -> None:
    victim, polluters = 0, (1, 2)
    cleaners = range(3, 8)
    told = next(
        told
        for count in range(len(cleaners) + 1)
        for chosen in combinations(cleaners, count)
        if (told := case(8, conflicts=[(victim, polluters, chosen)])).is_green
        and all(Outcome.FAILED not in told.outcomes(order) for order in squares(told))
    )
    assert not told.passes(told.suite.order([*polluters, victim]))

    dependencies = found_in(told)

    assert (dependencies.has_any, dependencies.complete) == (False, True)
