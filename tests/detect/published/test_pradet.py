"""PRADET: the papers' examples and counts, and the laws of refinement."""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

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

DATA = Path(__file__).parents[2] / "data" / "e2e-suites"


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


def real_suite(application: str) -> Case:
    suite = json.loads((DATA / f"{application}.json").read_text())
    return case(len(suite["order"]), needs_of_edges((a, b) for a, b in suite["dependencies"]))


@st.composite
def graphs_with_candidates(draw: st.DrawFn, most: int = 12) -> tuple[Case, list[tuple[int, int]]]:
    """Single needs, and a graph that suspects them all and some others."""
    size, suspected = draw(edge_sets(most))
    true = draw(st.lists(st.sampled_from(suspected), unique=True)) if suspected else []
    return case(size, needs_of_edges(sorted(true))), suspected


# --- the papers


@pytest.mark.parametrize(("application", "orders"), [("claroline", 751), ("mrbs", 198), ("ppma", 229)])
def test_real_suites_cost_what_table_4_of_the_pfast_paper_says(application: str, orders: int) -> None:
    told = real_suite(application)
    counted = CountingOracle(SimulatedOracle(told.truth))

    dependencies = refined(told, counted)

    assert dependencies.cost.orders == orders
    assert counted.orders == orders, "proofs should cost nothing: the trials show every edge"
    assert edges(dependencies) == true_reduction(told)
    assert dependencies.complete


def test_fig_2_of_the_pfast_paper() -> None:
    """t2 and t3 need t1; here they are 1, 2 and 0."""
    told = case(3, {1: [[0]], 2: [[0]]})
    asked = Batches(told)

    dependencies = refined(told, asked)

    assert asked.orders == [[1], [0, 2], [2]]
    assert edges(dependencies) == {(1, 0), (2, 0)}


def test_fig_4_a_of_the_pradet_paper_an_edge_is_tried_when_what_it_would_close_a_cycle_with_is_gone() -> None:
    """t3 → t2 is confirmed; t3 → t1 is deferred until t2 → t1 is gone. Test 0 belongs to another component."""
    told = case(4, {3: [[2]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(3, 2), (3, 1), (2, 1)])

    assert asked.orders[:3] == [[1, 3], [2], [2, 3]]
    assert edges(dependencies) == {(3, 2)}


def test_fig_4_b_of_the_pradet_paper_an_edge_that_follows_from_confirmed_ones_is_never_tried() -> None:
    told = case(4, {3: [[2]], 2: [[1]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(3, 2), (3, 1), (2, 1)])

    # Two trials; then the closures, which no trial has run.
    assert dependencies.cost.orders == 2
    assert asked.orders[:4] == [[1, 3], [2], [1, 2], [1, 2, 3]]
    assert edges(dependencies) == {(3, 2), (2, 1)}


def test_from_candidates_the_latest_dependent_comes_first_and_of_its_edges_the_latest_prerequisite() -> None:
    told = case(6)
    asked = Batches(told)

    refined(told, asked, [(2, 1), (5, 3), (5, 1), (3, 2)])

    assert asked.orders[:4] == [[1, 5], [5], [3], [2]]


# --- components


def test_components_are_refined_side_by_side() -> None:
    told = case(6, {2: [[0]], 5: [[4]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(2, 0), (2, 1), (4, 3), (5, 4), (5, 3)])

    assert asked.asked[:3] == [[[0, 2], [3, 5]], [[2], [4]], [[4, 5]]]
    assert edges(dependencies) == {(2, 0), (5, 4)}


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
    told = real_suite("mrbs")

    assert pradet(told.suite, cheap(told), Options()).cost.orders == 199


def test_no_tests_no_orders() -> None:
    assert refined(case(0)).cost.orders == 0


def test_a_candidate_after_its_dependent_is_ignored() -> None:
    told = case(3, {2: [[0]]})
    asked = Batches(told)

    dependencies = refined(told, asked, [(0, 2), (2, 0), (1, 2)])

    assert edges(dependencies) == {(2, 0)}
    assert asked.orders[0] == [2]


def test_a_larger_suite_is_refined_to_its_reduction() -> None:
    told = erdos_renyi(60, seed=3)

    assert edges(refined(told)) == true_reduction(told)
