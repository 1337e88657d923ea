"""MEM-FAST: the paper's example, cheap on sparse graphs, beyond reach on denser ones, and its laws."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, Shape, case, either_or_suites, flaky, hidden_graphs, laws, mixed_suites, needs_of_edges

from unknot.detect.engine.options import Options
from unknot.detect.published.mem_fast import mem_fast
from unknot.detect.published.pfast import pfast
from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.simulated import SimulatedOracle

from ..judge import as_readable, assert_nothing_false, edges, failing_closures, loose_proofs, true_reduction
from ..trials import (
    WEB_SUITES,
    Crashing,
    Steps,
    assert_names_do_not_matter,
    assert_true_whenever_stopped,
    by_position,
    known,
    stopped,
    web_suite,
)

SPARSE = [(0.0005, 20), (0.001, 15), (0.005, 3)]
"""Probability of a need, and how many times the tests PFAST runs at least."""

BUDGET = 10_000


def sparse_graph(probability: float, seed: int, size: int = 50) -> Case:
    """Each earlier test is needed with this probability."""
    chance = random.Random(seed)
    pairs = [(later, earlier) for later in range(size) for earlier in range(later)]
    return case(size, needs_of_edges(pair for pair in pairs if chance.random() < probability))


@st.composite
def forests(draw: st.DrawFn, most: int = 14) -> Case:
    """No test needs two tests that do not need each other."""
    size = draw(st.integers(2, most))
    parents = [draw(st.none() | st.integers(0, test - 1)) for test in range(1, size)]
    return case(size, needs_of_edges((test, parent) for test, parent in enumerate(parents, 1) if parent is not None))


def within_budget(told: Case, orders: int = BUDGET) -> Dependencies:
    return mem_fast(told.suite, stopped(SimulatedOracle(told.truth), orders), known(told))


# --- as the paper shows it


def test_figure_4_step_by_step() -> None:
    told = case(3, {1: [[0]], 2: [[0]]})
    steps = Steps(told)

    dependencies = mem_fast(told.suite, steps, known(told))

    assert steps.batches == [
        [(0,), (1,), (2,)],  # each alone: t1 passes
        [(0, 1), (0, 2)],  # t2 and t3 are appended to it, and pass: no exhaustive search
    ]
    assert edges(dependencies) == {(1, 0), (2, 0)}
    assert dependencies.complete


def test_a_test_with_two_needs_is_found_by_extending_every_passing_sequence() -> None:
    told = case(4, {3: [[0], [2]]})
    steps = Steps(told)

    dependencies = mem_fast(told.suite, steps, known(told))

    assert steps.batches == [
        [(0,), (1,), (2,), (3,)],
        [(0, 3)],
        [(1, 3)],
        [(2, 3)],
        [(0, 1, 3)],  # nothing longer is remembered: sequences are grown, shorter ones first
        [(0, 2, 3)],
    ]
    assert edges(dependencies) == {(3, 0), (3, 2)}


def test_after_growing_shorter_sequences_are_tried_before_longer_ones() -> None:
    """3 needs all three, and on the way <0, 1> is remembered; 4 needs just these two. Appended to <0, 1, 2, 3>, which
    is remembered too, it would pass and seem to need 3."""
    told = case(5, {3: [[0], [1], [2]], 4: [[0], [1]]})

    steps = Steps(told)

    dependencies = mem_fast(told.suite, steps, known(told))

    served = steps.orders.index((0, 1, 2, 3))
    assert steps.orders[served + 1 :] == [(0, 1, 4)]
    assert edges(dependencies) == true_reduction(told)


# --- what it costs


@pytest.mark.parametrize("size", [2, 8, 15, 19, 26, 32, 34, 70, 111])
def test_an_independent_suite_costs_each_test_alone_as_in_table_4(size: int) -> None:
    told = case(size)

    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth), known(told))

    assert (dependencies.cost.orders, dependencies.cost.tests, dependencies.complete) == (size, size, True)


@pytest.mark.parametrize(("probability", "factor"), SPARSE)
def test_on_sparse_graphs_far_fewer_tests_are_run_than_by_pfast(probability: float, factor: int) -> None:
    mine, theirs = [], []
    for seed in range(9):
        told = sparse_graph(probability, seed)
        dependencies = within_budget(told)
        assert edges(dependencies) == true_reduction(told)
        mine.append(dependencies.cost.tests)
        theirs.append(pfast(told.suite, SimulatedOracle(told.truth), known(told)).cost.tests)

    assert factor * sorted(mine)[4] < sorted(theirs)[4], "the median of nine graphs"


@pytest.mark.parametrize(("probability", "factor"), [(0.01, 1), (0.02, 3)])
def test_on_denser_graphs_it_blows_up(probability: float, factor: int) -> None:
    mine, theirs = [], []
    for seed in range(9):
        told = sparse_graph(probability, seed)
        mine.append(within_budget(told).cost.tests)
        theirs.append(pfast(told.suite, SimulatedOracle(told.truth), known(told)).cost.tests)

    assert sorted(mine)[4] > factor * sorted(theirs)[4], "the median of nine graphs"


@pytest.mark.parametrize("seed", [0, 2, 4])
def test_stopped_by_the_budget_the_result_is_incomplete_and_true(seed: int) -> None:
    told = sparse_graph(0.02, seed)

    dependencies = within_budget(told)

    assert (dependencies.complete, dependencies.cost.orders) == (False, BUDGET)
    assert edges(dependencies) < true_reduction(told)
    assert len(edges(dependencies)) > 0
    assert dependencies.untried > 0


@laws(100)
@given(forests())
def test_if_no_test_needs_two_the_cost_is_quadratic_at_most(told: Case) -> None:
    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth), known(told))

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders <= told.size + told.size * (told.size - 1) // 2


@pytest.mark.parametrize("name", WEB_SUITES)
def test_a_web_suite_is_found(name: str) -> None:
    told, _ = web_suite(name)

    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth), known(told))

    assert edges(dependencies) == true_reduction(told)


# --- memory


def test_with_too_little_memory_the_result_is_incomplete_and_true() -> None:
    told = case(6, {1: [[0]], 5: [[2], [3], [4]]})
    steps = Steps(told)

    dependencies = mem_fast(told.suite, steps, known(told, Options(max_sequences=6)))

    assert not dependencies.complete
    assert edges(dependencies) == {(1, 0)}
    assert dependencies.untried > 0
    whole = Steps(told)
    assert mem_fast(told.suite, whole, known(told)).complete
    assert steps.orders == whole.orders[: len(steps.orders)], "up to there nothing else is asked"


@laws(100)
@given(hidden_graphs("random", 9), st.integers(0, 40))
def test_whatever_the_memory_nothing_false_is_reported(told: Case, most: int) -> None:
    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth), Options(max_sequences=most))

    assert_nothing_false(told, dependencies)
    assert edges(dependencies) <= true_reduction(told)
    assert dependencies.complete == (edges(dependencies) == true_reduction(told))


# --- laws


@pytest.mark.parametrize("shape", ["chain", "fork", "join", "layered", "random"])
def test_under_the_papers_model_the_truths_transitive_reduction_is_found(shape: Shape) -> None:
    @laws(60)
    @given(hidden_graphs(shape, 9))
    def law(told: Case) -> None:
        steps = Steps(told)

        dependencies = mem_fast(told.suite, steps)

        assert edges(dependencies) == true_reduction(told)
        assert dependencies.complete
        assert dependencies.cost.orders == len(steps.orders), "nothing is left to check or to prove"
        assert not loose_proofs(told, dependencies)
        assert_nothing_false(told, dependencies)

    law()


@laws(100)
@given(either_or_suites(8, late=False))
def test_of_alternatives_one_that_works_is_reported(told: Case) -> None:
    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth))

    assert_nothing_false(told, dependencies)
    assert not failing_closures(told, dependencies), as_readable(dependencies)
    assert not any(complete for _, _, complete in by_position(dependencies))


def test_an_either_or_need_is_missed_by_construction() -> None:
    told = case(3, {2: [[0, 1]]})

    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth))

    assert by_position(dependencies) == {(2, (0,), False)}


def test_a_test_that_passes_alone_is_not_tried_again() -> None:
    """2 is broken by 0 unless 1 cleans up: no sequence shows it, and nothing is reported."""
    told = case(3, {}, [(2, [0], [1])])

    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth))

    assert not dependencies.has_any


@laws(12)
@given(st.one_of(hidden_graphs("random", 6), mixed_suites(6), mixed_suites(6, failures_pollute=True)))
def test_stopped_at_any_moment_the_result_is_true(told: Case) -> None:
    assert_true_whenever_stopped(mem_fast, told)


@pytest.mark.parametrize("failures_pollute", [False, True])
def test_with_conflicts_nothing_false_is_reported(failures_pollute: bool) -> None:
    @laws(60)
    @given(mixed_suites(8, failures_pollute=failures_pollute))
    def law(told: Case) -> None:
        dependencies = mem_fast(told.suite, SimulatedOracle(told.truth))

        assert_nothing_false(told, dependencies)
        assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)

    law()


@laws(60)
@given(hidden_graphs("random", 7))
def test_tests_that_take_the_process_down_hide_nothing(told: Case) -> None:
    assert edges(mem_fast(told.suite, Crashing(told))) == true_reduction(told)


def test_what_showed_only_by_a_crash_is_proved_once_more() -> None:
    told = case(3, {2: [[0]]})
    failing, crashing = CountingOracle(SimulatedOracle(told.truth)), CountingOracle(Crashing(told))

    by_failure = mem_fast(told.suite, failing)
    by_crash = mem_fast(told.suite, crashing)

    assert edges(by_failure) == edges(by_crash) == {(2, 0)}
    assert failing.orders < crashing.orders


@laws(50)
@given(flaky(mixed_suites(7)), st.integers(0, 9))
def test_it_ends_whatever_flaky_tests_do(told: Case, seed: int) -> None:
    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth, seed=seed))

    assert dependencies.cost.orders <= 2**told.size + told.size**3


@laws(15)
@given(mixed_suites(8), st.data())
def test_names_do_not_matter(told: Case, data: st.DataObject) -> None:
    assert_names_do_not_matter(mem_fast, told, data.draw(st.permutations(range(told.size))))


def test_a_test_that_fails_in_the_reference_order_is_left_alone() -> None:
    told = case(3, {1: [[2]], 2: [[0]]})
    broken = told.suite.tests[1]

    dependencies = mem_fast(told.suite, SimulatedOracle(told.truth))

    assert dependencies.failing == (TestId(broken),)
    assert by_position(dependencies) == {(2, (0,), False)}
