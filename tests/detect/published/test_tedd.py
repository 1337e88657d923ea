"""TEDD's validation: the paper's examples, the web suites from any candidate graph, and its laws."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, flaky, hidden_graphs, laws, mixed_suites

from unknot.detect.engine.options import Options
from unknot.detect.published.tedd import tedd
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.suite import TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.simulated import SimulatedOracle

from ..judge import as_readable, assert_nothing_false, edges, failing_closures, loose_proofs, true_reduction
from ..trials import (
    CORRECTED_SUITES,
    WEB_SUITES,
    Crashing,
    Steps,
    assert_names_do_not_matter,
    assert_true_whenever_stopped,
    by_position,
    corrected_suite,
    known,
    web_suite,
)

pytestmark = pytest.mark.slow


@st.composite
def candidates(draw: st.DrawFn, size: int) -> DependencyGraph:
    """Any edges to earlier tests, between none and all."""
    pairs = [(later, earlier) for later in range(size) for earlier in range(later)]
    return DependencyGraph(size, draw(st.lists(st.sampled_from(pairs), unique=True)))


def disturbed(graph: DependencyGraph, seed: int) -> DependencyGraph:
    """A quarter of the edges dropped, as many others added."""
    chance = random.Random(seed)
    size, there = len(graph), list(graph.edges())
    few = len(there) // 4
    others = [(a, b) for a in range(size) for b in range(a) if (a, b) not in there]
    return DependencyGraph(size, [*chance.sample(there, len(there) - few), *chance.sample(others, few)])


def refined(told: Case, graph: DependencyGraph | None) -> Dependencies:
    return tedd(told.suite, SimulatedOracle(told.truth), known(told, Options(candidates=graph)))


def droppable(told: Case, dependencies: Dependencies) -> list[tuple[int, int]]:
    """Edges without which the dependent's closure would pass all the same."""
    found = edges(dependencies)
    names, loose = told.suite.tests, []
    for dependent, prerequisite in found:
        rest = DependencyGraph(told.size, found - {(dependent, prerequisite)}).closure().rows[dependent]
        if told.passes(names[test] for test in range(dependent + 1) if rest >> test & 1 or test == dependent):
            loose.append((dependent, prerequisite))
    return loose


# --- as the paper shows it


def test_figure_5_step_by_step() -> None:
    """t4 needs t2, and is thought to need t3."""
    told = case(4, {3: [[1]]})
    steps = Steps(told)

    dependencies = tedd(told.suite, steps, known(told, Options(candidates=DependencyGraph(4, [(3, 2)]))))

    assert steps.orders == [
        (3,),  # t4 -> t3 is tried, and t4 fails
        (2, 3),  # with the edge as well: something is missing, and t4 gets edges to t1 and t2
        (0, 1, 3),  # t4 -> t3 is tried again, t4 passes, and it is dropped
        (0, 3),  # t4 -> t2 is tried, t4 fails; with the edge, <t1, t2, t4>, it is known to pass: manifest
        (1, 3),  # t4 -> t1 is tried, and dropped
        (1,),  # t2 and t3 have no needs and are run alone; <t2, t4>, which depends on t2, is known to pass
        (2,),
    ]
    assert edges(dependencies) == {(3, 1)}
    assert dependencies.complete


def test_figure_6_step_by_step() -> None:
    """t2 and t4 need t1; t4 is thought to need t3 and t3 to need t1, which hides it."""
    told = case(4, {1: [[0]], 3: [[0]]})
    steps = Steps(told)

    dependencies = tedd(told.suite, steps, known(told, Options(candidates=DependencyGraph(4, [(3, 2), (2, 0)]))))

    assert steps.orders == [
        (3,),  # t4 -> t3 is tried, and t4 fails
        (0, 2, 3),  # with the edge it passes, as t3 brings t1 along: manifest, so it seems
        (2,),  # t3 -> t1 is tried, and dropped
        (1,),  # t2 has no needs, is run alone, and fails: it gets an edge to t1
        (2, 3),  # t3 is known to pass alone; in what rests on it t4 fails, and gets edges to t1 and t2
        (0, 1, 3),  # t4 -> t3 is tried again, and dropped
        (0, 3),  # t4 -> t2 is tried, and dropped; t4 -> t1 is manifest, as both runs are known
        (0, 1),  # t2 -> t1: t2 is known to fail alone, and passes with the edge: manifest
    ]
    assert edges(dependencies) == {(1, 0), (3, 0)}
    assert dependencies.complete


def test_an_edge_whose_prerequisite_comes_along_with_another_is_put_off() -> None:
    """The obvious validator drops 2 -> 0, since 0 comes in with 1, then rightly 1 -> 0, and leaves 2 without 0."""
    told = case(3, {2: [[0], [1]]})
    steps = Steps(told)

    dependencies = tedd(told.suite, steps, known(told))

    assert steps.orders == [
        (0, 2),  # 2 -> 1 is tried, and manifest: all three are known to pass
        (0, 1, 2),
        (1,),  # 2 -> 0 cannot be tried, as 1 brings 0 along; 1 -> 0 is tried, and dropped
        (1, 2),  # now 2 -> 0 can be tried, and is manifest
    ]
    assert edges(dependencies) == {(2, 0), (2, 1)}


def test_parts_that_do_not_hang_together_are_tried_side_by_side() -> None:
    told = case(6, {1: [[0]], 3: [[2]], 5: [[4]]})
    steps = Steps(told)
    graph = DependencyGraph(6, true_reduction(told))

    dependencies = tedd(told.suite, steps, known(told, Options(candidates=graph)))

    assert steps.batches[:2] == [[(1,), (3,), (5,)], [(0, 1), (2, 3), (4, 5)]]
    assert edges(dependencies) == true_reduction(told)


def test_one_that_only_brings_along_what_is_needed_is_replaced() -> None:
    """2 needs 0, and is thought to need 1, which needs 0 too: no closure fails, and no edge can be dropped."""
    told = case(3, {1: [[0]], 2: [[0]]})
    steps = Steps(told)

    dependencies = tedd(told.suite, steps, known(told, Options(candidates=DependencyGraph(3, [(1, 0), (2, 1)]))))

    assert steps.orders[-1] == (0, 2)
    assert edges(dependencies) == {(1, 0), (2, 0)}


# --- the web suites


@pytest.mark.parametrize("name", WEB_SUITES)
def test_a_web_suites_truth_is_found_from_no_candidates_and_from_all(name: str) -> None:
    told, _ = web_suite(name)

    for graph in (None, DependencyGraph(told.size)):
        dependencies = refined(told, graph)

        assert edges(dependencies) == true_reduction(told)
        assert not failing_closures(told, dependencies)
        assert dependencies.complete


@pytest.mark.parametrize("name", WEB_SUITES)
def test_from_each_configurations_graph_every_closure_passes_in_the_end(name: str) -> None:
    told, graphs = web_suite(name)

    for configuration, graph in graphs.items():
        for start in (graph, *(disturbed(graph, seed) for seed in range(5))):
            dependencies = refined(told, start)

            assert not failing_closures(told, dependencies), configuration
            assert not droppable(told, dependencies), configuration
            assert edges(dependencies) == true_reduction(told), configuration
            assert dependencies.complete
            assert dependencies.cost.orders < told.size * (told.size - 1) // 2


@pytest.mark.parametrize("name", CORRECTED_SUITES)
def test_the_cleaners_of_a_corrected_graph_are_found_and_look_like_needs(name: str) -> None:
    """Their victims pass alone, so that leaving out all candidates at once would not show them."""
    told = corrected_suite(name)

    dependencies = refined(told, None)

    assert {(victim, cleaner) for victim, _, cleaners in told.conflicts for cleaner in cleaners} <= edges(dependencies)
    assert edges(dependencies) == true_reduction(web_suite(name)[0]), "the published graph"
    assert dependencies.complete
    assert_nothing_false(told, dependencies)


# --- what it does not see


def test_from_candidates_without_the_cleaner_a_conflict_does_not_show() -> None:
    told = case(3, {}, [(2, [0], [1])])

    assert by_position(refined(told, DependencyGraph(3, [(2, 0)]))) == set()
    assert by_position(refined(told, None)) == {(2, (1,), False)}


def test_of_an_either_or_need_one_alternative_is_kept() -> None:
    told = case(4, {3: [[0, 2]]})

    dependencies = refined(told, None)

    assert by_position(dependencies) == {(3, (0,), False)}
    assert not failing_closures(told, dependencies)


@laws(80)
@given(either_or_suites(9, late=False), st.data())
def test_either_or_needs_become_plain_ones_that_work(told: Case, data: st.DataObject) -> None:
    dependencies = refined(told, data.draw(st.none() | candidates(told.size)))

    assert_nothing_false(told, dependencies)
    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)


# --- laws


@laws(120)
@given(hidden_graphs("random", 10), st.data())
def test_from_any_candidates_the_truths_transitive_reduction_is_found(told: Case, data: st.DataObject) -> None:
    steps = Steps(told)

    dependencies = tedd(told.suite, steps, Options(candidates=data.draw(st.none() | candidates(told.size))))

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.complete
    assert dependencies.untried == 0
    assert len(steps.orders) == dependencies.cost.orders, "nothing is left to prove"
    assert not loose_proofs(told, dependencies)
    assert not failing_closures(told, dependencies)
    assert not droppable(told, dependencies)
    assert_nothing_false(told, dependencies)


@laws(80)
@given(hidden_graphs("random", 12), st.data())
def test_from_candidates_that_lack_nothing_the_cost_is_an_order_for_each_and_few_more(
    told: Case, data: st.DataObject
) -> None:
    spurious = data.draw(candidates(told.size))
    graph = DependencyGraph(told.size, {*true_reduction(told), *spurious.edges()})

    dependencies = refined(told, graph)

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders <= len(list(graph.edges())) + len(true_reduction(told)) + told.size


@laws(80)
@given(hidden_graphs("random", 14), st.data())
def test_from_any_candidates_the_cost_is_quadratic(told: Case, data: st.DataObject) -> None:
    dependencies = refined(told, data.draw(candidates(told.size)))

    assert dependencies.cost.orders <= told.size * told.size


@laws(12)
@given(
    st.one_of(hidden_graphs("random", 6), mixed_suites(6), mixed_suites(6, failures_pollute=True)),
    st.data(),
)
def test_stopped_at_any_moment_the_result_is_true(told: Case, data: st.DataObject) -> None:
    graph = data.draw(st.none() | candidates(told.size))

    assert_true_whenever_stopped(tedd, told, Options(candidates=graph))


@pytest.mark.parametrize("failures_pollute", [False, True])
def test_with_conflicts_nothing_false_is_reported(failures_pollute: bool) -> None:
    @laws(60)
    @given(mixed_suites(8, failures_pollute=failures_pollute), st.data())
    def law(told: Case, data: st.DataObject) -> None:
        graph = data.draw(st.none() | candidates(told.size))

        dependencies = tedd(told.suite, SimulatedOracle(told.truth), Options(candidates=graph))

        assert_nothing_false(told, dependencies)
        assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)

    law()


@laws(60)
@given(hidden_graphs("random", 8))
def test_tests_that_take_the_process_down_hide_nothing(told: Case) -> None:
    assert edges(tedd(told.suite, Crashing(told))) == true_reduction(told)


def test_what_showed_only_by_a_crash_is_proved_once_more() -> None:
    told = case(3, {2: [[0]]})
    failing, crashing = CountingOracle(SimulatedOracle(told.truth)), CountingOracle(Crashing(told))

    by_failure = tedd(told.suite, failing)
    by_crash = tedd(told.suite, crashing)

    assert edges(by_failure) == edges(by_crash) == {(2, 0)}
    assert failing.orders < crashing.orders


@laws(50)
@given(flaky(mixed_suites(7)), st.integers(0, 9))
def test_it_ends_whatever_flaky_tests_do(told: Case, seed: int) -> None:
    dependencies = tedd(told.suite, SimulatedOracle(told.truth, seed=seed))

    assert dependencies.cost.orders <= 2**told.size + told.size**3


@laws(15)
@given(mixed_suites(8), st.data())
def test_names_do_not_matter(told: Case, data: st.DataObject) -> None:
    graph = data.draw(st.none() | candidates(told.size))

    numbers = data.draw(st.permutations(range(told.size)))

    assert_names_do_not_matter(tedd, told, numbers, Options(candidates=graph))


def test_candidates_that_point_to_a_later_test_are_left_alone() -> None:
    told = case(3, {2: [[0]]})

    dependencies = refined(told, DependencyGraph(3, [(0, 1), (1, 2), (2, 0)]))

    assert edges(dependencies) == {(2, 0)}


def test_a_test_that_fails_in_the_reference_order_is_left_alone() -> None:
    told = case(4, {1: [[2]], 3: [[0]]})

    dependencies = tedd(told.suite, SimulatedOracle(told.truth))

    assert dependencies.failing == (TestId(told.suite.tests[1]),)
    assert edges(dependencies) == {(3, 0)}
