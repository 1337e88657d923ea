"""What holds of every minimal suite: verified by trying every part of the suite, and by the check of plans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.suite import Order
from unknot.plan.cover.minimise import minimise

from ..minimise_cases import (
    all_parts,
    covered_by,
    microseconds,
    problems,
    runs_by_itself,
    strange_problems,
)
from ..plan_cases import passes, truth_of

Problem = tuple[Dependencies, Coverage, Order]


@laws(60)
@given(problems())
def test_the_optimum_is_the_best_of_all_parts(problem: Problem) -> None:
    dependencies, coverage, keep = problem
    wanted = covered_by(coverage, dependencies.suite.tests)
    best = min(
        (microseconds(dependencies, part), len(part))
        for part in all_parts(dependencies)
        if covered_by(coverage, part) == wanted and set(keep) <= set(part) and runs_by_itself(part, dependencies)
    )
    found = minimise(dependencies, coverage, keep=keep, solver="optimal")
    assert (microseconds(dependencies, found.tests), len(found.tests)) == best
    assert found.proven
    assert found.bound == pytest.approx(best[0] / 1e6, abs=1e-6)


@laws(150)
@given(problems(most=12))
def test_greedy_covers_all_keeps_what_must_stay_and_runs_by_itself(problem: Problem) -> None:
    dependencies, coverage, keep = problem
    found = minimise(dependencies, coverage, keep=keep, solver="greedy")
    assert covered_by(coverage, found.tests) == covered_by(coverage, dependencies.suite.tests)
    assert set(keep) <= set(found.tests)
    assert runs_by_itself(found.tests, dependencies)
    assert passes(truth_of(dependencies), found.tests)
    assert sorted(found.tests + found.dropped) == sorted(dependencies.suite.tests)
    assert list(found.tests) == sorted(found.tests, key=dependencies.suite.index.__getitem__)
    assert found.covered == found.elements == len(covered_by(coverage, dependencies.suite.tests))


@laws(60)
@given(problems(most=10))
def test_greedy_is_never_cheaper_than_the_optimum_and_its_bound_never_higher(problem: Problem) -> None:
    dependencies, coverage, keep = problem
    greedy = minimise(dependencies, coverage, keep=keep, solver="greedy")
    optimal = minimise(dependencies, coverage, keep=keep, solver="optimal")
    best = (microseconds(dependencies, optimal.tests), len(optimal.tests))
    assert (microseconds(dependencies, greedy.tests), len(greedy.tests)) >= best
    assert greedy.bound <= optimal.seconds + 1e-6
    if greedy.proven:
        assert (microseconds(dependencies, greedy.tests), len(greedy.tests)) == best


@laws(150)
@given(strange_problems(most=12), st.sampled_from(("greedy", "optimal")))
def test_even_contradictory_or_unfinished_dependencies_give_a_part_that_is_safe(problem: Problem, solver: str) -> None:
    dependencies, coverage, _ = problem
    found = minimise(dependencies, coverage, solver="greedy" if solver == "greedy" else "optimal")
    assert covered_by(coverage, found.tests) == covered_by(coverage, dependencies.suite.tests)
    assert runs_by_itself(found.tests, dependencies)


@laws(60)
@given(problems(), st.sampled_from((0.0, 0.01, 0.5, 1.5, 4.0, 25.0)))
def test_within_a_limit_the_optimum_covers_as_much_as_any_part(problem: Problem, limit: float) -> None:
    dependencies, coverage, keep = problem
    allowed = [
        (-len(covered_by(coverage, part)), microseconds(dependencies, part))
        for part in all_parts(dependencies)
        if set(keep) <= set(part)
        and runs_by_itself(part, dependencies)
        and microseconds(dependencies, part) <= round(limit * 1e6)
    ]
    if not allowed:
        with pytest.raises(UsageError, match="tests to keep"):
            minimise(dependencies, coverage, keep=keep, max_seconds=limit, solver="optimal")
        return
    found = minimise(dependencies, coverage, keep=keep, max_seconds=limit, solver="optimal")
    assert (-found.covered, microseconds(dependencies, found.tests)) == min(allowed)
    assert found.proven
    assert found.covered_at_most == found.covered or found.covered == found.elements


@laws(100)
@given(problems(most=12), st.sampled_from((0.0, 0.01, 0.5, 1.5, 4.0, 25.0)))
def test_greedy_never_goes_beyond_the_limit(problem: Problem, limit: float) -> None:
    dependencies, coverage, _ = problem
    found = minimise(dependencies, coverage, max_seconds=limit, solver="greedy")
    assert found.seconds <= limit + 1e-9
    assert runs_by_itself(found.tests, dependencies)
    assert found.covered == len(covered_by(coverage, found.tests))


@laws(40)
@given(problems(most=12))
def test_the_same_problem_gives_the_same_greedy_answer(problem: Problem) -> None:
    dependencies, coverage, keep = problem
    first = minimise(dependencies, coverage, keep=keep, solver="greedy")
    assert first == minimise(dependencies, coverage, keep=keep, solver="greedy")
