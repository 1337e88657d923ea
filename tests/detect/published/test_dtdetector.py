"""DTDetector's four: what each finds and what it misses, and that nothing it says is false."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, erdos_renyi, hidden_graphs, laws, mixed_suites, polluted_suites

from unknot.detect.engine.options import Detector, Options
from unknot.detect.published.dtdetector import dependence_aware, exhaustive, isolate, reverse
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.suite import Reference
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
    true_reduction,
)

FOUR: list[tuple[Detector, int]] = [(reverse, 2), (isolate, 2), (exhaustive, 1), (exhaustive, 2), (dependence_aware, 2)]
"""With their bound, which the first two have no use for."""

each_of_them = pytest.mark.parametrize(
    ("detector", "bound"), FOUR, ids=["reverse", "isolate", "exhaustive-1", "exhaustive-2", "dependence-aware"]
)


def detected(
    detector: Detector,
    told: Case,
    oracle: Oracle | None = None,
    *,
    bound: int = 2,
    candidates: Iterable[tuple[int, int]] | None = None,
) -> Dependencies:
    reference = Reference(dict.fromkeys(told.suite.tests, Outcome.PASSED), {})
    graph = None if candidates is None else DependencyGraph(told.size, candidates)
    return detector(told.suite, oracle or cheap(told), Options(reference=reference, candidates=graph, bound=bound))


def conflicts(dependencies: Dependencies) -> set[tuple[int, tuple[int, ...]]]:
    index = dependencies.suite.index
    return {(index[known.victim], tuple(index[test] for test in known.polluters)) for known in dependencies.conflicts}


def limited(told: Case, orders: int) -> BudgetOracle:
    return BudgetOracle(cheap(told), Budget(orders=orders), lambda: 0.0)


# --- what each finds and misses

ZOO = case(
    17,
    {
        1: [[0]],
        2: [[1]],  # a chain
        5: [[3], [4]],  # a join
        11: [[3, 4]],  # either-or, both before it
        12: [[0, 13]],  # either-or, one of them behind it
    },
    [
        (8, [6], [7]),  # 6 breaks 8, and 7 cleans up in the reference order
        (9, [10], []),  # the polluter stands behind the victim
        (14, [15, 16], []),  # two that break only together
    ],
)
"""Chains, joins, either-or and conflicts in one suite."""

CHAIN_AND_JOIN = {(1, 0), (2, 1), (5, 3), (5, 4)}
EITHER_OR = {(11, 3), (12, 0)}
CLEANED, LATER, TOGETHER = (8, (6,)), (9, (10,)), (14, (15, 16))
FLOWS = [(1, 0), (2, 1), (5, 3), (5, 4), (11, 3), (12, 0), (8, 6), (9, 10), (14, 15), (14, 16), (16, 2), (4, 2)]
"""As a watcher of shared state would draw them: all that matter, and two that do not."""


@pytest.mark.parametrize(
    ("detector", "bound", "candidates", "needs", "broken"),
    [
        # Test 13 runs before test 12 when the suite runs backwards, and does what test 0 does for it otherwise.
        (reverse, 2, None, CHAIN_AND_JOIN | {(11, 3)}, {LATER, TOGETHER}),
        (isolate, 2, None, CHAIN_AND_JOIN | EITHER_OR, set()),
        (exhaustive, 1, None, CHAIN_AND_JOIN | EITHER_OR, set()),
        (exhaustive, 2, None, CHAIN_AND_JOIN | EITHER_OR, {CLEANED, LATER}),
        (exhaustive, 3, None, CHAIN_AND_JOIN | EITHER_OR, {CLEANED, LATER, TOGETHER}),
        (dependence_aware, 2, None, CHAIN_AND_JOIN | EITHER_OR, {CLEANED}),
        (dependence_aware, 1, FLOWS, CHAIN_AND_JOIN | EITHER_OR, set()),
        (dependence_aware, 2, FLOWS, CHAIN_AND_JOIN | EITHER_OR, {CLEANED, LATER}),
        (dependence_aware, 3, FLOWS, CHAIN_AND_JOIN | EITHER_OR, {CLEANED, LATER, TOGETHER}),
        # Nothing is said to flow into test 1; it shows all the same, as the first of the sequence in which 2 reads.
        (dependence_aware, 3, [(2, 1), (9, 10)], {(2, 1), (1, 0)}, {LATER}),
    ],
)
def test_what_each_finds(
    detector: Detector,
    bound: int,
    candidates: list[tuple[int, int]] | None,
    needs: set[tuple[int, int]],
    broken: set[tuple[int, tuple[int, ...]]],
) -> None:
    assert ZOO.is_green

    dependencies = detected(detector, ZOO, bound=bound, candidates=candidates)

    assert edges(dependencies) == needs
    assert conflicts(dependencies) == broken
    assert len(dependencies.conflicts) == len(broken), "each is told once"
    assert_nothing_false(ZOO, dependencies)


@each_of_them
def test_of_alternatives_each_names_one_and_says_that_there_may_be_others(detector: Detector, bound: int) -> None:
    named = {need.any_of for need in detected(detector, ZOO, bound=bound).needs if not need.complete}

    assert ZOO.suite.order([3]) in named
    assert ZOO.suite.order([3, 4]) not in named


def test_sieve_names_them_all() -> None:
    named = {need.any_of for need in sieve(ZOO.suite, cheap(ZOO)).needs}

    assert {ZOO.suite.order([3, 4]), ZOO.suite.order([0, 13])} <= named


def test_no_pair_shows_the_polluter_of_a_test_that_needs_another() -> None:
    told = case(4, {3: [[0]]}, [(3, [1], [2])])

    assert conflicts(detected(exhaustive, told, bound=2)) == set()
    assert conflicts(detected(exhaustive, told, bound=3)) == {(3, (1,))}


def test_backwards_a_cleaner_hides_a_polluter() -> None:
    told = case(3, conflicts=[(0, [2], [1])])

    assert conflicts(detected(reverse, told)) == set()
    assert conflicts(detected(exhaustive, told)) == {(0, (2,))}


def test_the_prerequisite_of_a_polluter_is_no_polluter() -> None:
    told = case(4, {3: [[1]]}, [(0, [3], [])])

    assert conflicts(detected(exhaustive, told, bound=3)) == {(0, (3,))}


@laws(60)
@given(polluted_suites(7, tidy=False))
def test_pairs_show_every_single_polluter(told: Case) -> None:
    index = told.suite.index
    single = {(index[v], (index[p],)) for v in told.suite.tests for p in single_polluters(told, v)}

    assert {found for found in conflicts(detected(exhaustive, told)) if len(found[1]) == 1} == single


# --- what each costs


@pytest.mark.parametrize(
    ("detector", "bound", "orders"),
    [
        (reverse, 2, 1),
        (isolate, 2, 9),
        (exhaustive, 1, 9),
        (exhaustive, 2, 9 * 8),
        (exhaustive, 3, 9 * 8 * 7),
        (dependence_aware, 1, 8),
        (dependence_aware, 2, 8 + 9 * 8 // 2),
    ],
)
def test_a_suite_without_dependencies_costs_the_orders_themselves(detector: Detector, bound: int, orders: int) -> None:
    told = case(9)
    counted = CountingOracle(cheap(told))

    dependencies = detected(detector, told, counted, bound=bound)

    assert dependencies.cost.orders == counted.orders == orders
    assert not dependencies.has_any


def test_a_bound_beyond_the_suite_runs_every_permutation() -> None:
    told = case(4)
    transcript = Transcript(cheap(told))

    detected(exhaustive, told, transcript, bound=9)

    assert {request.order for request in transcript.requests} == set(permutations(told.suite.tests))
    assert len(transcript.requests) == perm(4, 4)


def test_only_sequences_in_which_something_could_flow_are_run() -> None:
    """Test 3 reads from 1, which reads from 2; no test reads from 0, and 0 and 2 read from no test."""
    told = case(4)
    transcript = Transcript(cheap(told))

    detected(dependence_aware, told, transcript, bound=3, candidates=[(3, 1), (1, 2)])

    orders = [[told.suite.index[test] for test in request.order] for request in transcript.requests]
    assert orders == [[1], [2, 1], [3], [1, 3], [2, 1, 3]]


# --- laws


@each_of_them
def test_under_the_papers_model_the_truths_reduction_is_found(detector: Detector, bound: int) -> None:
    @laws(40)
    @given(hidden_graphs("random", 10))
    def law(told: Case) -> None:
        counted = CountingOracle(cheap(told))

        dependencies = detected(detector, told, counted, bound=bound)

        assert edges(dependencies) == true_reduction(told)
        assert not dependencies.conflicts
        assert counted.orders == dependencies.cost.orders, "the search itself shows every need"

    law()


@pytest.mark.parametrize("pollutes", [False, True], ids=["failures do nothing", "failures pollute"])
@each_of_them
def test_nothing_claimed_is_false(detector: Detector, bound: int, pollutes: bool) -> None:
    @laws(40)
    @given(mixed_suites(8, failures_pollute=pollutes))
    def law(told: Case) -> None:
        dependencies = detected(detector, told, bound=bound)

        assert_nothing_false(told, dependencies)
        assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)

    law()


@pytest.mark.parametrize(("detector", "bound"), FOUR[1:])
@laws(40)
@given(told=mixed_suites(8))
def test_detectors_that_run_each_test_alone_find_all_its_needs(detector: Detector, bound: int, told: Case) -> None:
    dependencies = detected(detector, told, bound=bound)

    assert dependencies.untried or not failing_closures(told, dependencies), as_readable(dependencies)


@pytest.mark.parametrize("detector", [exhaustive, dependence_aware])
@laws(40)
@given(told=mixed_suites(6))
def test_nothing_claimed_from_longer_sequences_is_false(detector: Detector, told: Case) -> None:
    assert_nothing_false(told, detected(detector, told, bound=3))


@each_of_them
def test_stopped_after_any_number_of_orders_the_result_is_true_and_says_that_it_is_not_complete(
    detector: Detector, bound: int
) -> None:
    @laws(8)
    @given(mixed_suites(6))
    def law(told: Case) -> None:
        counted = CountingOracle(cheap(told))
        detected(detector, told, counted, bound=bound)
        for orders in range(counted.orders):
            dependencies = detected(detector, told, limited(told, orders), bound=bound)

            assert_nothing_false(told, dependencies)
            assert not dependencies.complete

    law()


@each_of_them
def test_a_need_not_yet_found_is_counted_among_the_untried(detector: Detector, bound: int) -> None:
    @laws(10)
    @given(hidden_graphs("random", 7))
    def law(told: Case) -> None:
        for orders in range(detected(detector, told, bound=bound).cost.orders):
            dependencies = detected(detector, told, limited(told, orders), bound=bound)

            missing = true_reduction(told) - edges(dependencies)
            assert dependencies.untried >= len(missing), as_readable(dependencies)

    law()


APART = case(6, {3: [[0, 1]], 5: [[1], [3]]})
"""Test 3 is found to need 0, test 5 to need 1 and 3; so the closure of 5 is larger than the set that was found for it,
in which 1 serves 3 too, and no search has run it."""


def test_a_closure_that_no_search_has_run_is_verified() -> None:
    transcript = Transcript(cheap(APART))

    dependencies = detected(exhaustive, APART, transcript)

    assert transcript.requests[dependencies.cost.orders - 1].order == APART.suite.order([0, 1, 3, 5])
    assert edges(dependencies) == {(3, 0), (5, 1), (5, 3)}
    assert dependencies.complete


def test_stopped_before_that_its_dependent_counts_as_untried() -> None:
    cost = detected(exhaustive, APART).cost

    dependencies = detected(exhaustive, APART, limited(APART, cost.orders - 1))

    # That 5 needs 1 is not proved yet: in the order without 1, test 3 failed as well.
    assert edges(dependencies) == {(3, 0), (5, 3)}
    assert dependencies.untried == 1, (
        "of those whom test 5 was never seen without, the one that it is not known to need"
    )


@each_of_them
def test_only_detectors_that_try_pairs_are_complete(detector: Detector, bound: int) -> None:
    told = case(6, {4: [[1]]}, [(3, [5], [])])

    dependencies = detected(detector, told, bound=bound)

    assert dependencies.complete == (bound > 1 and detector in (exhaustive, dependence_aware))


def test_with_candidates_the_search_is_never_called_complete() -> None:
    told = case(3)

    assert not detected(dependence_aware, told, candidates=[(1, 0), (2, 0), (2, 1)]).complete


@each_of_them
def test_the_same_orders_are_run_whatever_the_names(detector: Detector, bound: int) -> None:
    def asked(told: Case) -> list[tuple[list[int], int]]:
        transcript = Transcript(cheap(told))
        detected(detector, told, transcript, bound=bound)
        return [([told.suite.index[test] for test in q.order], q.attempt) for q in transcript.requests]

    @laws(12)
    @given(mixed_suites(8), st.randoms(use_true_random=False))
    def law(told: Case, chance: random.Random) -> None:
        other = replace(told, ids=tuple(chance.sample(told.suite.tests, told.size)))

        assert asked(told) == asked(told) == asked(other)

    law()


@pytest.mark.parametrize("seed", range(8))
@each_of_them
def test_a_flaky_test_makes_no_edge_of_another_false(detector: Detector, bound: int, seed: int) -> None:
    told = erdos_renyi(24, seed)
    unstable = random.Random(seed).randrange(told.size)
    told = replace(told, flaky={unstable: 0.1})

    found = edges(detected(detector, told, cheap(told, seed=seed), bound=bound))

    true = set(DependencyGraph(told.size, true_reduction(told)).closure().edges())
    assert {edge for edge in found if edge[0] != unstable} <= true


@each_of_them
def test_a_test_that_differs_alone_from_the_reference_order_of_which_it_is_the_first_is_flaky(
    detector: Detector, bound: int
) -> None:
    told = replace(case(3), flaky={0: 1.0})

    dependencies = detected(detector, told, bound=bound)

    assert not dependencies.has_any
    assert dependencies.flaky == told.suite.order([0])


@each_of_them
def test_nothing_is_claimed_about_a_test_that_fails_in_its_own_order(detector: Detector, bound: int) -> None:
    told = case(5, {2: [[4]], 3: [[1]]})

    dependencies = detector(told.suite, cheap(told), Options(bound=bound))

    assert dependencies.failing == told.suite.order([2])
    assert edges(dependencies) == {(3, 1)}


@each_of_them
def test_no_tests_no_orders(detector: Detector, bound: int) -> None:
    assert detected(detector, case(0), bound=bound).cost.orders == 0
