"""Conjecture and refute: whatever the suite is like, single needs are found, and each is shown by two runs."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    Case,
    barabasi_albert,
    case,
    either_or_suites,
    erdos_renyi,
    hidden_graphs,
    laws,
    mixed_suites,
    out_degree,
)

from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.conjecture import ConjectureSearch
from unknot.hints.position import every_earlier
from unknot.model.run import OrderRequest
from unknot.oracle.simulated import SimulatedOracle

from ..judge import true_reduction


def decided(told: Case, workers: int = 1) -> tuple[SearchSession, frozenset[int]]:
    """After the reference order was run, and nothing else: the session, and the irregular tests."""
    oracle = SimulatedOracle(told.truth, clean_state=5.0, workers=workers)
    session = SearchSession(told.suite, oracle, every_earlier, lambda progress: None)
    session.run_orders([OrderRequest(told.suite.tests)])
    return session, ConjectureSearch(session, reorders=False).run()


def edges(session: SearchSession) -> set[tuple[int, int]]:
    return {(test, clause.any_of[0]) for test, clauses in session.findings.clauses.items() for clause in clauses}


@pytest.mark.parametrize("workers", [1, 2, 4, 40])
@laws(60)
@given(told=hidden_graphs())
def test_what_is_found_is_the_reduction_of_the_truth(workers: int, told: Case) -> None:
    session, irregular = decided(told, workers)

    assert edges(session) == true_reduction(told)
    assert not irregular


@pytest.mark.parametrize("size", [2, 3, 16, 50, 202, 500])
def test_an_independent_suite_is_halved(size: int) -> None:
    session, _ = decided(case(size))

    assert session.orders - 1 <= 2 * math.log2(size) + 1
    assert not session.findings.clauses


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("graph", [erdos_renyi, barabasi_albert, out_degree])
def test_a_larger_graph_takes_about_two_orders_for_each_test(graph: Callable[[int, int], Case], seed: int) -> None:
    told = graph(80, seed)

    session, _ = decided(told)

    assert edges(session) == true_reduction(told)
    assert session.orders - 1 <= 2.6 * told.size


@laws(60)
@given(told=st.one_of(hidden_graphs(), either_or_suites(late=False), mixed_suites(9)))
def test_every_observed_need_is_shown_by_two_runs_that_differ_in_the_needed_test(told: Case) -> None:
    session, _ = decided(told)

    tests = told.suite.tests
    for (test, needed), seen in session.findings.observed_needs.items():
        assert told.passes([*(tests[other] for other in seen.with_it), tests[test]])
        assert not told.passes([*(tests[other] for other in seen.without), tests[test]])
        assert needed in set(seen.with_it) - set(seen.without)
        assert set(seen.without) < set(seen.with_it)


@laws(60)
@given(told=hidden_graphs())
def test_proofs_differ_only_in_the_needed_test_and_in_tests_that_cannot_run_without_it(told: Case) -> None:
    session, _ = decided(told)

    for (_, needed), seen in session.findings.observed_needs.items():
        lost = session.findings.unrunnable_without({needed})
        assert set(seen.with_it) - set(seen.without) - lost == {needed}


@laws(60)
@given(told=hidden_graphs())
def test_every_dependent_was_seen_to_pass_after_what_it_needs_and_nothing_more(told: Case) -> None:
    session, _ = decided(told)

    whole = tuple(range(told.size))
    begun = {run.order[: end + 1] for run in session.known.values() for end in range(len(run.order))}
    for test in session.findings.clauses:
        closure = session.findings.closure(test)
        assert closure == whole[: test + 1] or told.suite.order(closure) in begun


@laws(60)
@given(told=either_or_suites(late=False))
def test_a_need_is_called_complete_only_if_no_earlier_test_can_take_its_place(told: Case) -> None:
    session, _ = decided(told)

    tests = told.suite.tests
    for test, clauses in session.findings.clauses.items():
        for clause in clauses:
            without = [tests[other] for other in range(test) if other not in clause.any_of]
            assert not clause.complete or not told.passes([*without, tests[test]]), (test, clause)


def test_only_candidates_are_left_out() -> None:
    told = case(4)
    oracle = SimulatedOracle(told.truth)
    session = SearchSession(told.suite, oracle, every_earlier, lambda progress: None)
    session.run_orders([OrderRequest((test,)) for test in told.suite.tests])

    ConjectureSearch(session, reorders=False).run()

    assert session.orders == 4


def test_a_flaky_test_is_left_out_of_the_search() -> None:
    told = case(4, {3: [[0]]})
    session = SearchSession(told.suite, SimulatedOracle(told.truth), every_earlier, lambda progress: None)
    session.findings.flaky.add(3)
    session.run_orders([OrderRequest(told.suite.tests)])

    ConjectureSearch(session, reorders=False).run()

    assert not session.findings.clauses
