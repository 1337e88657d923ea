"""PRADET: the papers' examples and counts, and the laws of refinement."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    Case,
    Shape,
    case,
    edge_sets,
    either_or_suites,
    erdos_renyi,
    hidden_graphs,
    laws,
    mixed_suites,
    needs_of_edges,
    polluted_suites,
)

from unknot.detect.engine.options import Options
from unknot.detect.published.pradet import pradet
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Reference
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle

from ..judge import Transcript, as_readable, assert_nothing_false, cheap, edges, failing_closures, true_reduction
from ..trials import CORRECTED_SUITES, corrected_suite, web_suite


class Batches:
    """Records, in positions, which orders were run together."""

    def __init__(self, told: Case) -> None:
        self._index = told.suite.index
        self._inner = cheap(told)
        self.asked: list[list[list[int]]] = []

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.asked.append([[self._index[test] for test in request.order] for request in requests])
        return self._inner.run_orders(requests)

    @property
    def orders(self) -> list[list[int]]:
        return [order for batch in self.asked for order in batch]


def green(told: Case) -> Reference:
    """What is known before: every test passes in reference order."""
    return Reference(dict.fromkeys(told.suite.tests, Outcome.PASSED), {})


def refined(
    told: Case, oracle: Oracle | None = None, candidates: Iterable[tuple[int, int]] | None = None
) -> Dependencies:
    graph = None if candidates is None else DependencyGraph(told.size, candidates)
    return pradet(told.suite, oracle or cheap(told), Options(reference=green(told), candidates=graph))


def limited(told: Case, orders: int) -> BudgetOracle:
    return BudgetOracle(cheap(told), Budget(orders=orders), lambda: 0.0)


@st.composite
def graphs_with_candidates(draw: st.DrawFn, most: int = 12) -> tuple[Case, list[tuple[int, int]]]:
    """Single needs, and a graph that suspects them all and some others."""
    size, suspected = draw(edge_sets(most))
    true = draw(st.lists(st.sampled_from(suspected), unique=True)) if suspected else []
    return case(size, needs_of_edges(sorted(true))), suspected


# --- the papers


TABLE_4 = {"claroline": 751, "mrbs": 198, "ppma": 229}


@pytest.mark.parametrize("application", TABLE_4)
def test_a_published_graph_costs_what_table_4_of_the_pfast_paper_says(application: str) -> None:
    told, _ = web_suite(application)
    counted = CountingOracle(SimulatedOracle(told.truth))

    dependencies = refined(told, counted)

    assert dependencies.cost.orders == TABLE_4[application]
    assert counted.orders == TABLE_4[application], "proofs should cost nothing: the trials show every edge"
    assert edges(dependencies) == true_reduction(told)
    assert dependencies.complete


@pytest.mark.parametrize("application", CORRECTED_SUITES)
def test_a_corrected_graph_costs_what_table_4_of_the_pfast_paper_says(application: str) -> None:
    """Its cleaners, and one alternative of two, come out as needs: the published graph."""
    told = corrected_suite(application)

    dependencies = refined(told)

    assert dependencies.cost.orders == TABLE_4[application]
    assert edges(dependencies) == true_reduction(web_suite(application)[0])
    assert_nothing_false(told, dependencies)


def test_fig_2_of_the_pfast_paper() -> None:
    """t2 and t3 need t1; here they are 1, 2 and 0."""
    told = case(3, {1: [[0]], 2: [[0]]})
    asked = Batches(told)

    dependencies = refined(told, asked)

    assert asked.orders == [[1, 0], [0, 2, 1], [2, 0]], "the schedules of the example, and the prerequisite after each"
    assert edges(dependencies) == {(1, 0), (2, 0)}


def test_fig_4_a_of_the_pradet_paper_an_edge_is_tried_when_what_it_would_close_a_cycle_with_is_gone() -> None:
    """t3 → t2 is confirmed; t3 → t1 is deferred until t2 → t1 is gone. Test 0 belongs to another component."""
    told = case(4, {3: [[2]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(3, 2), (3, 1), (2, 1)])

    assert asked.orders[:3] == [[1, 3, 2], [2, 1], [2, 3, 1]]
    assert edges(dependencies) == {(3, 2)}


def test_fig_4_b_of_the_pradet_paper_an_edge_that_follows_from_confirmed_ones_is_never_tried() -> None:
    told = case(4, {3: [[2]], 2: [[1]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(3, 2), (3, 1), (2, 1)])

    # Two trials; then the closures, which no trial has run.
    assert dependencies.cost.orders == 2
    assert asked.orders[:4] == [[1, 3, 2], [2, 1], [1, 2], [1, 2, 3]]
    assert edges(dependencies) == {(3, 2), (2, 1)}


def test_from_candidates_the_latest_dependent_comes_first_and_of_its_edges_the_latest_prerequisite() -> None:
    told = case(6)
    asked = Batches(told)

    refined(told, asked, [(2, 1), (5, 3), (5, 1), (3, 2)])

    assert asked.orders[:4] == [[1, 2, 5, 3], [5, 1], [1, 3, 2], [2, 1]]


# --- inversion

CRYSTAL = case(3, {1: [[0]], 2: [[0]]}, [(1, [2], [])])
"""Fig. 2 of the PRADET paper: testSetField, 0, sets what testSetCloneString, 1, and testToString, 2, read; and 2
overwrites what 1 asserts."""


def test_footnote_1_of_the_pradet_paper_a_test_that_breaks_an_earlier_one_shows_when_their_edge_is_inverted() -> None:
    """2 → 1 is the data dependency that the paper inverts: 1 fails in {testSetField, testToString, testSetCloneString}.
    It is no need of 2's, and what 2 needs is found all the same."""
    asked = Batches(CRYSTAL)

    dependencies = refined(CRYSTAL, asked, [(1, 0), (2, 0), (2, 1)])

    assert [0, 2, 1] in asked.orders
    assert edges(dependencies) == {(1, 0), (2, 0)}
    assert broken(dependencies) == {(1, 2)}
    assert_nothing_false(CRYSTAL, dependencies)


def test_from_the_complete_graph_it_shows_too() -> None:
    dependencies = refined(CRYSTAL)

    assert broken(dependencies) == {(1, 2)}
    assert dependencies.cost.orders == 3


def test_of_what_ran_before_the_victim_only_the_polluter_is_blamed() -> None:
    """3 needs 2, which breaks 1: inverted, 3 → 1 fails as well."""
    told = case(4, {3: [[2]]}, [(1, [2], [])])

    dependencies = refined(told)

    assert broken(dependencies) == {(1, 2)}
    assert edges(dependencies) == {(3, 2)}


def broken(dependencies: Dependencies) -> set[tuple[int, int]]:
    """Victim and polluter."""
    index = dependencies.suite.index
    return {
        (index[conflict.victim], index[polluter])
        for conflict in dependencies.conflicts
        for polluter in conflict.polluters
    }


@laws(80)
@given(polluted_suites(9, together=1))
def test_without_needs_every_polluter_of_an_earlier_test_is_found_unless_a_test_that_looks_needed_cleans(
    told: Case,
) -> None:
    dependencies = refined(told)

    late = {(victim, polluter) for victim, (polluter,), cleaners in told.conflicts if polluter > victim}
    kept_apart = {victim for victim, _, cleaners in told.conflicts if cleaners}
    assert {pair for pair in late if pair[0] not in kept_apart} <= broken(dependencies)
    assert_nothing_false(told, dependencies)


# --- components


def test_components_are_refined_side_by_side() -> None:
    told = case(6, {2: [[0]], 5: [[4]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(2, 0), (2, 1), (4, 3), (5, 4), (5, 3)])

    assert asked.asked[:3] == [[[0, 2, 1], [3, 5, 4]], [[2, 0], [4, 3]], [[4, 5, 3]]]
    assert edges(dependencies) == {(2, 0), (5, 4)}


def test_a_component_that_falls_apart_is_refined_as_two_from_then_on() -> None:
    """Only 6 holds 0 to 2 and 3 to 5 together."""
    told = case(7, {2: [[1]], 5: [[4]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(1, 0), (2, 1), (4, 3), (5, 4), (6, 2), (6, 5)])

    assert asked.asked[:4] == [
        [[0, 1, 2, 3, 4, 6, 5]],  # 6 → 5 is dropped
        [[0, 1, 6, 2], [3, 5, 4]],  # 6 → 2 is dropped, 5 → 4 confirmed
        [[0, 2, 1], [4, 3]],
        [[1, 0]],
    ]
    assert edges(dependencies) == {(2, 1), (5, 4)}


@laws(50)
@given(graphs_with_candidates(6), graphs_with_candidates(6))
def test_a_second_component_takes_no_further_batches(
    one: tuple[Case, list[tuple[int, int]]], other: tuple[Case, list[tuple[int, int]]]
) -> None:
    (first, suspected), (second, suspected_too) = one, other

    def moved(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(dependent + first.size, prerequisite + first.size) for dependent, prerequisite in pairs]

    def batches(told: Case, candidates: list[tuple[int, int]]) -> int:
        asked = Batches(told)
        refined(told, asked, candidates)
        return len(asked.asked)

    # One more test, about which nothing is suspected, so that neither graph is the complete one.
    true = [(d, c[0]) for d, clauses in first.needs.items() for c in clauses]
    true += moved((d, c[0]) for d, clauses in second.needs.items() for c in clauses)
    both = case(first.size + second.size + 1, needs_of_edges(true))
    alone = [
        batches(replace(first, size=first.size + 1), suspected),
        batches(replace(second, size=second.size + 1), suspected_too),
    ]

    # Each runs the proofs and closures at the end in a batch of their own.
    assert batches(both, suspected + moved(suspected_too)) <= max(alone) + 3


# --- laws under the papers' model


@pytest.mark.parametrize("shape", ["chain", "fork", "join", "layered", "random"])
def test_from_the_complete_graph_the_truths_reduction_is_found_at_the_stated_cost(shape: Shape) -> None:
    @laws(40)
    @given(hidden_graphs(shape, 14))
    def law(told: Case) -> None:
        dependencies = refined(told)

        assert edges(dependencies) == true_reduction(told)
        assert dependencies.complete
        assert dependencies.untried == 0
        assert dependencies.cost.orders == stated_cost(told) <= told.size * (told.size - 1) // 2

    law()


def stated_cost(told: Case) -> int:
    """An order for each pair, but those that follow from longer true chains."""
    reduction = true_reduction(told)
    closure = list(DependencyGraph(told.size, reduction).closure().edges())
    return told.size * (told.size - 1) // 2 - len(closure) + len(reduction)


@laws(60)
@given(hidden_graphs("random", 12))
def test_source_first_tries_as_many_edges(told: Case) -> None:
    """One more test, which is no candidate, turns the complete graph into one of candidates."""
    grown = replace(told, size=told.size + 1)
    everyone = [(later, earlier) for later in range(told.size) for earlier in range(later)]

    dependencies = refined(grown, candidates=everyone)

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders == stated_cost(told)


@laws(100)
@given(graphs_with_candidates())
def test_from_candidates_that_hold_the_truth_its_reduction_is_found(drawn: tuple[Case, list[tuple[int, int]]]) -> None:
    told, suspected = drawn

    dependencies = refined(told, candidates=suspected)

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders <= len(suspected)


@laws(12)
@given(graphs_with_candidates(8))
def test_stopped_after_any_number_of_orders_the_edges_are_true_and_the_missing_ones_count_as_untried(
    drawn: tuple[Case, list[tuple[int, int]]],
) -> None:
    told, suspected = drawn
    reduction = true_reduction(told)
    for candidates in (None, suspected):
        counted = CountingOracle(cheap(told))
        refined(told, counted, candidates)
        for orders in range(counted.orders):
            dependencies = refined(told, limited(told, orders), candidates)

            assert_nothing_false(told, dependencies)
            assert edges(dependencies) <= set(DependencyGraph(told.size, reduction).closure().edges())
            assert not dependencies.complete
            assert dependencies.untried >= len(reduction - edges(dependencies)), as_readable(dependencies)


@laws(40)
@given(hidden_graphs("random", 8))
def test_what_was_confirmed_before_a_stop_is_kept(told: Case) -> None:
    found: set[tuple[int, int]] = set()
    for orders in range(refined(told).cost.orders + 1):
        now = edges(refined(told, limited(told, orders)))

        assert now >= found
        found = now
    assert found == true_reduction(told)


# --- laws beyond the model


@pytest.mark.parametrize("pollutes", [False, True], ids=["failures do nothing", "failures pollute"])
def test_nothing_claimed_is_false_and_every_closure_passes_or_counts_as_untried(pollutes: bool) -> None:
    @laws(60)
    @given(mixed_suites(9, failures_pollute=pollutes), st.data())
    def law(told: Case, data: st.DataObject) -> None:
        pairs = [(later, earlier) for later in range(told.size) for earlier in range(later)]
        for candidates in (None, data.draw(st.lists(st.sampled_from(pairs), unique=True))):
            dependencies = refined(told, candidates=candidates)

            assert_nothing_false(told, dependencies)
            assert dependencies.untried or not failing_closures(told, dependencies), as_readable(dependencies)
            assert not (dependencies.complete and failing_closures(told, dependencies))

    law()


@laws(60)
@given(mixed_suites(7), st.integers(0, 40))
def test_stopped_in_any_suite_a_closure_that_fails_counts_as_untried(told: Case, orders: int) -> None:
    dependencies = refined(told, limited(told, orders))

    assert_nothing_false(told, dependencies)
    assert dependencies.untried or not failing_closures(told, dependencies), as_readable(dependencies)


@laws(60)
@given(either_or_suites(10, late=False))
def test_of_alternatives_one_is_named_and_said_not_to_be_all(told: Case) -> None:
    dependencies = refined(told)

    assert not any(need.complete for need in dependencies.needs)
    assert not failing_closures(told, dependencies)


@pytest.mark.parametrize("seed", range(12))
def test_a_flaky_test_makes_no_edge_of_another_false(seed: int) -> None:
    told = erdos_renyi(24, seed)
    unstable = random.Random(seed).randrange(told.size)
    told = replace(told, flaky={unstable: 0.1})

    found = edges(refined(told, cheap(told, seed=seed)))

    true = set(DependencyGraph(told.size, true_reduction(told)).closure().edges())
    assert {edge for edge in found if edge[0] != unstable} <= true


def test_either_or_is_missed_by_construction() -> None:
    told = case(4, {3: [[0, 2]]})

    assert edges(refined(told)) == {(3, 0)}


def test_a_cleaner_is_taken_for_a_need() -> None:
    """Test 2 behaves as expected alone; after 0 only if 1 runs in between."""
    told = case(3, conflicts=[(2, [0], [1])])

    dependencies = refined(told)

    assert edges(dependencies) == {(2, 1)}
    assert not dependencies.conflicts


# --- the same requests


def requests(told: Case, candidates: list[tuple[int, int]] | None) -> list[tuple[list[int], int]]:
    transcript = Transcript(cheap(told))
    refined(told, transcript, candidates)
    index = told.suite.index
    return [([index[test] for test in request.order], request.attempt) for request in transcript.requests]


@laws(20)
@given(graphs_with_candidates(), st.randoms(use_true_random=False))
def test_other_names_change_nothing(drawn: tuple[Case, list[tuple[int, int]]], chance: random.Random) -> None:
    told, suspected = drawn
    other = replace(told, ids=tuple(chance.sample(told.suite.tests, told.size)))

    for candidates in (None, suspected):
        assert requests(told, candidates) == requests(told, candidates) == requests(other, candidates)


@laws(50)
@given(mixed_suites())
def test_no_order_is_run_twice(told: Case) -> None:
    asked = requests(told, None)

    assert len(asked) == len({(tuple(order), attempt) for order, attempt in asked})


# --- suites that fail in their own order


class Crashing:
    """One test takes the process down, wherever it runs."""

    def __init__(self, told: Case, crashing: int) -> None:
        self._inner = cheap(told)
        self._crashing = told.suite.tests[crashing]

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            if self._crashing in run.order:
                place = run.order.index(self._crashing)
                after = (Result(Outcome.NOT_RUN),) * (len(run.order) - place - 1)
                yield replace(run, results=(*run.results[:place], Result(Outcome.CRASHED), *after))
            else:
                yield run


def test_candidates_are_still_about_the_same_tests_when_one_was_set_aside() -> None:
    told = case(6, {4: [[3]], 5: [[2]]})
    graph = DependencyGraph(6, [(4, 3), (4, 0), (5, 2), (5, 1), (2, 0)])

    dependencies = pradet(told.suite, Crashing(told, 1), Options(candidates=graph))

    assert edges(dependencies) == {(4, 3), (5, 2)}


def test_nothing_is_claimed_about_a_test_that_fails_in_its_own_order() -> None:
    told = case(5, {2: [[4]], 3: [[1]]})

    dependencies = pradet(told.suite, cheap(told), Options())

    assert dependencies.failing == told.suite.order([2])
    assert edges(dependencies) == {(3, 1)}


def test_without_reference_one_more_order_is_run() -> None:
    told, _ = web_suite("mrbs")

    assert pradet(told.suite, cheap(told), Options()).cost.orders == 199


def test_no_tests_no_orders() -> None:
    assert refined(case(0)).cost.orders == 0


def test_a_candidate_after_its_dependent_is_ignored() -> None:
    told = case(3, {2: [[0]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(0, 2), (2, 0), (1, 2)])

    assert edges(dependencies) == {(2, 0)}
    assert asked.orders[0] == [2, 0]


def test_a_larger_suite_is_refined_to_its_reduction() -> None:
    told = erdos_renyi(60, seed=3)

    assert edges(refined(told)) == true_reduction(told)
