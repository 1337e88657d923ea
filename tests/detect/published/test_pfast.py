"""PFAST: the paper's example and counts, what it misses, and its laws."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    Case,
    Shape,
    barabasi_albert,
    case,
    either_or_suites,
    erdos_renyi,
    flaky,
    hidden_graphs,
    laws,
    mixed_suites,
    out_degree,
)

from unknot.detect.published.pfast import pfast
from unknot.model.bits import positions
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
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
    corrected_suite,
    known,
    stopped,
    web_suite,
)


def closure_of(told: Case) -> DependencyGraph:
    return DependencyGraph(told.size, [(d, c[0]) for d, cs in told.needs.items() for c in cs]).closure()


def search_orders(told: Case) -> list[tuple[int, ...]]:
    """Each test left out but the last, and then, one after the other, those that need it, while any is left."""
    needs = closure_of(told).rows
    orders: list[tuple[int, ...]] = []
    for left_out in range(told.size - 1):
        dependents = [test for test in range(told.size) if needs[test] >> left_out & 1]
        for count in range(len(dependents) + 1):
            gone = {left_out, *dependents[:count]}
            orders.append(tuple(test for test in range(told.size) if test not in gone))
    return [order for order in orders if order]


def verification_orders(told: Case) -> list[tuple[int, ...]]:
    """The closure of each test that no other needs."""
    needs = closure_of(told).rows
    needed = {prerequisite for _, prerequisite in true_reduction(told)}
    return [(*positions(needs[test]), test) for test in range(told.size) if test not in needed]


# --- as the paper shows it


def test_figure_3_step_by_step() -> None:
    told = case(3, {1: [[0]], 2: [[0]]})
    steps = Steps(told)

    dependencies = pfast(told.suite, steps, known(told))

    assert steps.batches == [
        [(1, 2), (0, 2)],  # t1 and t2 are left out side by side; without t1, t2 fails first
        [(2,)],  # t2 is left out too, and t3 fails
        [(0, 1)],  # verification of t2's closure; of t3's, (t1, t3), the answer is known
    ]
    assert dependencies.cost.orders == 5, "the authors' program would run (t1, t3) again"
    assert dependencies.cost.tests == 1 + 2 + 1 + 2 + 2, "of (t2, t3) only t2: it fails, and the authors stop there"
    assert edges(dependencies) == {(1, 0), (2, 0)}
    assert dependencies.complete


def test_only_the_first_failure_is_read() -> None:
    """Without the first test both others fail, and only the second needs it."""
    told = case(3, {1: [[0]], 2: [[1]]})
    steps = Steps(told)

    dependencies = pfast(told.suite, steps, known(told))

    assert steps.orders[:3] == [(1, 2), (0, 2), (2,)]
    assert edges(dependencies) == {(1, 0), (2, 1)}


@pytest.mark.parametrize("name", WEB_SUITES)
def test_a_published_graph_costs_its_search_and_one_order_for_each_test_that_no_other_needs(name: str) -> None:
    told, _ = web_suite(name)

    dependencies = pfast(told.suite, SimulatedOracle(told.truth), known(told))

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders == len(search_orders(told)) + len(verification_orders(told))
    assert dependencies.complete


TABLE_4 = {
    "claroline": (web_suite("claroline")[0], 138),
    "mrbs": (corrected_suite("mrbs"), 98),
    "ppma": (corrected_suite("ppma"), 75),
}
"""What the paper reports for the real applications, the mean of ten runs. The published graph of claroline says all
there is; those of mrbs and ppma do not."""


@pytest.mark.parametrize("name", TABLE_4)
def test_a_true_graph_costs_what_table_4_says(name: str) -> None:
    told, orders = TABLE_4[name]

    dependencies = pfast(told.suite, SimulatedOracle(told.truth), known(told))

    assert dependencies.cost.orders == orders
    assert edges(dependencies) == true_reduction(web_suite(name)[0]), "the published edges"
    assert dependencies.complete
    assert_nothing_false(told, dependencies)


def test_repair_grows_and_prunes_as_the_authors_program_does() -> None:
    """SearchMultipleEntries, 11, needs 9 or 10, which no single test left out shows; that it needs 1, as both of them
    do, shows. Earlier tests come in the sequence 0, 5, 7, 1, 6, 2, 3, 9 of their closures' sizes. Adding 0 and 1, and
    removing them again, changes nothing, and the last order verifies the result: these five orders are repeated."""
    told = corrected_suite("mrbs")
    steps = Steps(told)

    dependencies = pfast(told.suite, steps, known(told))

    of_11 = [order for order in steps.orders if order[-1] == 11]
    assert of_11 == [
        (0, 1, 11),  # verification fails
        (0, 1, 5, 11),
        (0, 1, 5, 7, 11),
        (0, 1, 5, 6, 7, 11),
        (0, 1, 2, 5, 6, 7, 11),
        (0, 1, 2, 3, 5, 6, 7, 11),
        (0, 1, 2, 3, 5, 6, 7, 9, 11),  # passes
        (0, 1, 2, 3, 6, 7, 9, 11),
        (0, 1, 2, 3, 6, 9, 11),
        (0, 1, 2, 3, 9, 11),
        (0, 1, 3, 9, 11),
        (0, 1, 9, 11),
    ]
    assert (11, (9,), False) in by_position(dependencies)


@laws(60)
@given(hidden_graphs("random", 12))
def test_tests_count_up_to_the_first_failure(told: Case) -> None:
    dependencies = pfast(told.suite, SimulatedOracle(told.truth), known(told))

    def counted(order: tuple[int, ...]) -> int:
        outcomes = told.outcomes(told.suite.order(order))
        return outcomes.index(Outcome.FAILED) + 1 if Outcome.FAILED in outcomes else len(order)

    wanted = [*search_orders(told), *verification_orders(told)]
    assert dependencies.cost.tests == sum(map(counted, wanted))


MYSQL = {"audit_null": (15, 29), "collations": (32, 63), "jp": (111, 221), "json": (19, 37), "gcol": (34, 67)}
"""Table 4's suites without dependencies: tests, and orders that PFAST ran."""


@pytest.mark.parametrize("name", MYSQL)
def test_a_suite_without_dependencies_costs_what_table_4_says(name: str) -> None:
    size, orders = MYSQL[name]
    told = case(size)

    dependencies = pfast(told.suite, SimulatedOracle(told.truth), known(told))

    assert (dependencies.cost.orders, dependencies.needs, dependencies.complete) == (orders, (), True)


# --- what it misses


def test_an_either_or_need_does_not_show_in_the_search_and_verification_makes_a_plain_one_of_it() -> None:
    told = case(4, {3: [[0, 2]]})
    steps = Steps(told)

    dependencies = pfast(told.suite, steps, known(told))

    search, verification, *repair = steps.batches
    assert search == [(1, 2, 3), (0, 2, 3), (0, 1, 3)]
    assert all(told.outcomes(told.suite.order(order)) == [Outcome.PASSED] * 3 for order in search)
    assert (3,) in verification
    assert repair == [[(0, 3)]]
    assert by_position(dependencies) == {(3, (0,), False)}
    assert not failing_closures(told, dependencies)


def test_a_need_that_larger_closures_hide_is_found_by_running_the_smaller_ones() -> None:
    """2 needs 0 or 1, and 3 all of them: the only closure that no other contains passes."""
    told = case(4, {2: [[0, 1]], 3: [[0], [1], [2]]})
    steps = Steps(told)

    dependencies = pfast(told.suite, steps, known(told))

    assert steps.orders[dependencies.cost.orders - 1] == (0, 1, 2, 3)
    assert by_position(dependencies) == {(2, (0,), False), (3, (1,), False), (3, (2,), False)}
    assert dependencies.complete


@laws(80)
@given(either_or_suites(10, late=False))
def test_either_or_needs_become_plain_ones_that_work(told: Case) -> None:
    dependencies = pfast(told.suite, SimulatedOracle(told.truth))

    assert dependencies.complete
    assert_nothing_false(told, dependencies)
    assert not failing_closures(told, dependencies), as_readable(dependencies)
    edges(dependencies)


def test_a_cleaner_looks_needed_and_is_reported_as_observed() -> None:
    """The victim, 2, passes alone; in the reference order it needs that 1 cleans up after 0."""
    told = case(3, {}, [(2, [0], [1])])

    dependencies = pfast(told.suite, SimulatedOracle(told.truth))

    assert by_position(dependencies) == {(2, (1,), False)}
    assert_nothing_false(told, dependencies)


# --- laws


@pytest.mark.parametrize("shape", ["chain", "fork", "join", "layered", "random"])
def test_under_the_papers_model_the_truths_transitive_reduction_is_found(shape: Shape) -> None:
    @laws(60)
    @given(hidden_graphs(shape, 16))
    def law(told: Case) -> None:
        dependencies = pfast(told.suite, SimulatedOracle(told.truth))

        assert edges(dependencies) == true_reduction(told)
        assert dependencies.complete
        assert dependencies.untried == 0
        assert not loose_proofs(told, dependencies)
        assert_nothing_false(told, dependencies)

    law()


@laws()
@given(hidden_graphs("random", 20))
def test_exactly_the_orders_of_the_algorithm_are_run_each_once(told: Case) -> None:
    steps = Steps(told)

    dependencies = pfast(told.suite, steps, known(told))

    expected = [*search_orders(told), *verification_orders(told)]
    assert dependencies.cost.orders == len(expected)
    assert set(steps.orders[: len(set(expected))]) == set(expected)
    assert dependencies.cost.orders <= told.size * (told.size - 1) // 2 + 2 * told.size - 1


@laws(50)
@given(hidden_graphs("random", 12))
def test_all_chains_go_on_side_by_side(told: Case) -> None:
    steps = Steps(told)

    pfast(told.suite, steps, known(told))

    most_dependents = max(sum(row >> test & 1 for row in closure_of(told).rows) for test in range(told.size))
    assert len(steps.batches[0]) == told.size - 1
    assert len(steps.batches) <= most_dependents + 3, "then what no other contains, and what others contain"


@laws(12)
@given(st.one_of(hidden_graphs("random", 7), mixed_suites(6), mixed_suites(6, failures_pollute=True)))
def test_stopped_at_any_moment_the_result_is_true(told: Case) -> None:
    assert_true_whenever_stopped(pfast, told)


def test_stopped_halfway_a_test_with_one_need_may_have_others() -> None:
    """Three orders show that 1 needs 0 and 3 needs 2; that 3 needs 0 too would show once 1 is left out as well."""
    told = case(4, {1: [[0]], 3: [[0], [2]]})

    dependencies = pfast(told.suite, stopped(SimulatedOracle(told.truth), 3), known(told))

    assert edges(dependencies) == {(1, 0), (3, 2)}
    assert dependencies.untried > 0


@pytest.mark.parametrize("failures_pollute", [False, True])
def test_with_conflicts_nothing_false_is_reported(failures_pollute: bool) -> None:
    @laws(60)
    @given(mixed_suites(9, failures_pollute=failures_pollute))
    def law(told: Case) -> None:
        dependencies = pfast(told.suite, SimulatedOracle(told.truth))

        assert_nothing_false(told, dependencies)
        assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)

    law()


def test_the_mess_that_a_failing_test_leaves_is_not_blamed_on_the_one_left_out() -> None:
    """Without 0, both 1 and 2 fail; 1 leaves a mess all the same, 2 does not clean up, and 3 fails: but not once those
    that failed are left out as well."""
    told = case(4, {1: [[0]], 2: [[0]]}, [(3, [1], [2])], failures_pollute=True)
    assert told.outcomes(told.suite.tests[1:]) == [Outcome.FAILED] * 3

    dependencies = pfast(told.suite, SimulatedOracle(told.truth))

    assert by_position(dependencies) == {(1, (0,), False), (2, (0,), False), (3, (2,), False)}
    assert_nothing_false(told, dependencies)


@laws(60)
@given(hidden_graphs("random", 9))
def test_tests_that_take_the_process_down_hide_nothing(told: Case) -> None:
    assert edges(pfast(told.suite, Crashing(told))) == true_reduction(told)


def test_what_showed_only_by_a_crash_is_proved_once_more() -> None:
    told = case(3, {2: [[0]]})
    failing, crashing = CountingOracle(SimulatedOracle(told.truth)), CountingOracle(Crashing(told))

    by_failure = pfast(told.suite, failing)
    by_crash = pfast(told.suite, crashing)

    assert edges(by_failure) == edges(by_crash) == {(2, 0)}
    assert failing.orders < crashing.orders


@laws(50)
@given(flaky(mixed_suites(7)), st.integers(0, 9))
def test_it_ends_whatever_flaky_tests_do(told: Case, seed: int) -> None:
    dependencies = pfast(told.suite, SimulatedOracle(told.truth, seed=seed))

    assert dependencies.cost.orders <= 2**told.size + told.size**3


@laws(15)
@given(mixed_suites(8), st.data())
def test_names_do_not_matter(told: Case, data: st.DataObject) -> None:
    assert_names_do_not_matter(pfast, told, data.draw(st.permutations(range(told.size))))


@pytest.mark.parametrize("graph", [barabasi_albert, erdos_renyi, out_degree])
def test_a_graph_of_the_papers_is_found(graph: Callable[[int, int], Case]) -> None:
    told = graph(82, 0)

    dependencies = pfast(told.suite, SimulatedOracle(told.truth), known(told))

    assert edges(dependencies) == true_reduction(told)
    assert dependencies.cost.orders == len(search_orders(told)) + len(verification_orders(told))
