"""Minimal suites by hand: the paper's example, and one small suite for each thing that can matter."""

import pytest

from unknot.model.coverage import Coverage
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.plan.cover.minimise import Solver, minimise
from unknot.plan.cover.problem import Prices, build_problem
from unknot.plan.cover.reduction import lower_bound, reduce_problem, unreduced

from ..minimise_cases import covers
from ..plan_cases import conflict, dependencies_of, ids, need

SOLVERS: tuple[Solver, ...] = ("greedy", "optimal")
both = pytest.mark.parametrize("solver", SOLVERS)


@both
def test_the_example_of_figure_6_4(solver: Solver) -> None:
    """Biagiola's thesis, 6.2.2."""
    dependencies = dependencies_of(
        "t1 t2 t3 t4 t5 t6",
        needs=[need("t2", "t1"), need("t6", "t2")],
        seconds={"t1": 3.0, "t2": 3.0, "t3": 2.5, "t4": 3.5, "t5": 4.0, "t6": 1.0},
    )
    coverage = covers(
        {"t1": "e1 e3 e4", "t2": "e2 e3 e4", "t3": "e1 e5", "t4": "e1 e2 e5", "t5": "e3 e4 e5", "t6": "e6"}
    )
    found = minimise(dependencies, coverage, solver=solver)
    assert found.tests == ids("t1 t2 t3 t6")
    assert found.dropped == ids("t4 t5")
    assert (found.seconds, found.seconds_before) == (9.5, 17.0)
    assert found.proven


@both
def test_of_two_alternatives_the_one_that_covers_something_anyway_is_taken(solver: Solver) -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a b")], seconds={"a": 1.0, "b": 2.0, "c": 1.0})
    assert minimise(dependencies, covers({"b": "x", "c": "y"}), solver=solver).tests == ids("b c")


@both
def test_an_alternative_that_stands_after_its_dependent_does_not_count(solver: Solver) -> None:
    dependencies = dependencies_of("a c b", needs=[need("c", "a b")], seconds={"a": 9.0})
    assert minimise(dependencies, covers({"c": "x"}), solver=solver).tests == ids("a c")


@both
def test_a_cleaner_stays_only_where_polluter_and_victim_both_do(solver: Solver) -> None:
    dependencies = dependencies_of("p c v", conflicts=[conflict("v", "p", "c")])
    assert minimise(dependencies, covers({"p": "x", "v": "y"}), solver=solver).tests == ids("p c v")
    assert minimise(dependencies, covers({"p": "x", "c": "x", "v": "y"}), solver=solver).tests == ids("c v")
    assert minimise(dependencies, covers({"v": "y"}), solver=solver).tests == ids("v")


@both
def test_two_polluters_that_act_together_want_a_cleaner_only_together(solver: Solver) -> None:
    dependencies = dependencies_of("p q c v", conflicts=[conflict("v", "p q", "c")])
    assert minimise(dependencies, covers({"p": "x", "v": "y"}), solver=solver).tests == ids("p v")
    assert minimise(dependencies, covers({"p": "x", "q": "z", "v": "y"}), solver=solver).tests == ids("p q c v")


@both
def test_without_a_known_cleaner_the_whole_prefix_stays(solver: Solver) -> None:
    dependencies = dependencies_of("a p b v z", conflicts=[conflict("v", "p")])
    assert minimise(dependencies, covers({"p": "x", "v": "y"}), solver=solver).tests == ids("a p b v")


@both
def test_an_unfinished_search_allows_only_a_beginning_of_the_suite(solver: Solver) -> None:
    dependencies = dependencies_of("a b c d", complete=False)
    assert minimise(dependencies, covers({"b": "x", "c": "x", "d": "x"}), solver=solver).tests == ids("a b")


@both
def test_a_test_that_crashed_meets_no_need(solver: Solver) -> None:
    dependencies = dependencies_of(
        "a b c", needs=[need("c", "a b")], outcomes={"a": Outcome.CRASHED}, seconds={"b": 9.0}
    )
    assert minimise(dependencies, covers({"c": "x"}), solver=solver).tests == ids("b c")


@both
def test_among_equal_seconds_fewer_tests_win_also_where_tests_take_no_time(solver: Solver) -> None:
    coverage = covers({"a": "x", "b": "y", "c": "x y"})
    assert minimise(dependencies_of("a b c", seconds=0.0), coverage, solver=solver).tests == ids("c")
    halves = dependencies_of("a b c", seconds={"a": 0.5, "b": 0.5, "c": 1.0})
    assert minimise(halves, coverage, solver=solver).tests == ids("c")


@both
def test_what_must_stay_stays_with_what_it_needs(solver: Solver) -> None:
    dependencies = dependencies_of("a b c", needs=[need("b", "a")])
    found = minimise(dependencies, covers({"c": "x"}), keep=ids("b"), solver=solver)
    assert found.tests == ids("a b c")


@both
def test_a_limit_is_kept_and_what_is_lost_is_counted(solver: Solver) -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a")], seconds={"a": 1.0, "b": 1.0, "c": 1.0})
    coverage = covers({"a": "u", "b": "v w", "c": "x y z"})
    found = minimise(dependencies, coverage, max_seconds=2.0, solver=solver)
    assert found.tests == ids("a c")
    assert (found.covered, found.elements) == (4, 6)
    whole = minimise(dependencies, coverage, max_seconds=3.0, solver=solver)
    assert whole.covered == whole.elements == 6


@both
def test_one_expensive_test_that_covers_nearly_all_beats_many_cheap_ones(solver: Solver) -> None:
    dependencies = dependencies_of("a b", seconds={"a": 0.1, "b": 10.0})
    coverage = Coverage.of({"a": ["x"], "b": [f"e{number}" for number in range(50)]})
    assert minimise(dependencies, coverage, max_seconds=10.0, solver=solver).tests == ids("b")


@both
def test_what_must_stay_may_be_too_much(solver: Solver) -> None:
    dependencies = dependencies_of("a b", needs=[need("b", "a")])
    with pytest.raises(UsageError, match=r"take 2\.000 s with what they need, more than the 1\.5 s allowed"):
        minimise(dependencies, covers({"a": "x"}), keep=ids("b"), max_seconds=1.5, solver=solver)


@both
def test_nothing_to_cover_leaves_nothing(solver: Solver) -> None:
    found = minimise(dependencies_of("a b"), Coverage((), {}), solver=solver)
    assert (found.tests, found.seconds, found.bound, found.proven) == ((), 0.0, 0.0, True)


def test_the_easy_part_can_be_all_of_it() -> None:
    """Essential tests, then dominated elements, then dominated tests: nothing is left to decide."""
    problem = build_problem(dependencies_of("a b c d"), covers({"a": "u v", "b": "v", "c": "w x", "d": "w"}))
    core = reduce_problem(problem)
    assert (core.forced, core.open, core.elements) == (0b0101, 0, 0)


def test_a_needed_test_is_not_dropped_for_a_better_one() -> None:
    dependencies = dependencies_of("a b c", needs=[need("c", "a")], seconds={"a": 2.0})
    found = minimise(dependencies, covers({"a": "x", "b": "x", "c": "y"}), solver="greedy")
    assert found.tests == ids("a c")


def test_prices_put_seconds_before_numbers_and_stay_exact_in_long_suites() -> None:
    short = Prices.for_seconds([0.1, 0.0, 0.000001])
    assert short.of == (100_000 * 4 + 1, 1, 4 + 1)
    assert short.seconds(sum(short.of)) == pytest.approx(0.100001)
    long = Prices.for_seconds([86_400.0] * 10_000)
    assert sum(long.of) <= 2**53
    assert long.seconds(sum(long.of)) == pytest.approx(864e6, rel=1e-3)


@both
def test_a_cheaper_test_that_needs_an_expensive_one_is_no_better(solver: Solver) -> None:
    dependencies = dependencies_of(
        "expensive cheap plain", needs=[need("cheap", "expensive")], seconds={"expensive": 9.0, "plain": 2.0}
    )
    assert minimise(dependencies, covers({"cheap": "x", "plain": "x"}), solver=solver).tests == ids("plain")


def test_without_a_proof_there_is_a_bound() -> None:
    """Any two of the three cover all; each element by itself can be paid for by one."""
    coverage = covers({"a": "x y", "b": "y z", "c": "z x"})
    greedy = minimise(dependencies_of("a b c"), coverage, solver="greedy")
    assert (greedy.seconds, greedy.bound, greedy.proven) == (2.0, 1.0, False)
    optimal = minimise(dependencies_of("a b c"), coverage, solver="optimal")
    assert (optimal.seconds, optimal.bound, optimal.proven) == (2.0, 2.0, True)


def test_the_lower_bound_is_reached_where_elements_have_nothing_in_common() -> None:
    problem = build_problem(dependencies_of("a b c d"), covers({"a": "x", "b": "x", "c": "y", "d": "y"}))
    assert lower_bound(problem, unreduced(problem)) == 2 * problem.prices.of[0]
