"""Leave some tests out, run the others, and read what came out of all of them."""

import math
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import given
from strategies import Case, barabasi_albert, case, either_or_suites, erdos_renyi, hidden_graphs, laws, out_degree

from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.group_exclusion import GroupExclusion
from unknot.detect.sieve.single_exclusion import show_single_needs
from unknot.hints.position import every_earlier
from unknot.model.run import OrderRequest, Run
from unknot.oracle.simulated import SimulatedOracle

from ..judge import true_reduction


def decided(told: Case, workers: int = 1) -> tuple[SearchSession, frozenset[int]]:
    """After the reference order was run, and nothing else: the session, and the irregular tests."""
    oracle = SimulatedOracle(told.truth, clean_state=5.0, workers=workers)
    session = SearchSession(told.suite, oracle, every_earlier, lambda progress: None)
    session.run_orders([OrderRequest(told.suite.tests)])
    return session, GroupExclusion(session, reorders=False).run()


def edges(session: SearchSession) -> set[tuple[int, int]]:
    return {(test, clause.any_of[0]) for test, clauses in session.findings.clauses.items() for clause in clauses}


@pytest.mark.parametrize("workers", [1, 2, 4, 40])
@laws(60)
@given(told=hidden_graphs())
def test_what_is_found_is_the_reduction_of_the_truth(workers: int, told: Case) -> None:
    session, irregular = decided(told, workers)

    assert edges(session) == true_reduction(told)
    assert not irregular


@laws(60)
@given(told=hidden_graphs())
def test_no_more_than_two_orders_for_each_test_are_run(told: Case) -> None:
    session, _ = decided(told)

    assert session.orders - 1 <= 2 * told.size


@pytest.mark.parametrize("size", [2, 3, 16, 50, 202, 500])
def test_an_independent_suite_is_halved(size: int) -> None:
    session, _ = decided(case(size))

    assert session.orders - 1 <= 2 * math.log2(size) + 1
    assert not session.findings.clauses


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("graph", [erdos_renyi, barabasi_albert, out_degree])
def test_a_larger_graph_takes_about_one_order_for_each_test(graph: Callable[[int, int], Case], seed: int) -> None:
    told = graph(80, seed)

    session, _ = decided(told)

    assert edges(session) == true_reduction(told)
    assert session.orders - 1 <= 1.2 * told.size


@laws(60)
@given(told=hidden_graphs())
def test_every_need_is_shown_by_all_tests_but_the_needed_one(told: Case) -> None:
    session, _ = decided(told)

    refuted = show_single_needs(session)

    assert not refuted
    for test, needed in edges(session):
        sight = session.findings.observed_needs[test, needed]
        tests = told.suite.tests
        assert told.passes([*(tests[other] for other in sight.with_it), tests[test]])
        assert not told.passes([*(tests[other] for other in sight.without), tests[test]])
        assert needed in set(sight.with_it) - set(sight.without)


@laws(60)
@given(told=either_or_suites(late=False))
def test_an_either_or_need_is_odd_or_refuted_or_not_called_a_plain_one(told: Case) -> None:
    session, irregular = decided(told)

    refuted = show_single_needs(session)

    tests = told.suite.tests
    for test, needed in edges(session) - {
        (test, needed) for test in irregular | refuted for needed in range(told.size)
    }:
        without = [tests[other] for other in range(test) if other != needed]
        assert not told.passes([*without, tests[test]]), (test, needed)


@pytest.mark.parametrize("size", [40, 64, 300])
def test_with_workers_enough_few_dependents_are_seen_through_in_one_batch(size: int) -> None:
    """The needs of each; that they do not need each other takes further short orders."""
    told = case(size, {size // 3: [[2]], size // 2: [[size // 4]], size - 1: [[0]]})
    batches: list[int] = []

    class Batches(SimulatedOracle):
        def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
            batches.append(max(len(request.order) for request in requests))
            return super().run_orders(requests)

    session = SearchSession(told.suite, Batches(told.truth, workers=20), every_earlier, lambda progress: None)
    session.run_orders([OrderRequest((test,)) for test in told.suite.tests])
    GroupExclusion(session, reorders=False).run()

    assert edges(session) == true_reduction(told)
    assert [longest for longest in batches[1:] if longest > 10] == [batches[1]]
    assert batches[1] <= size // 2 + 3


def test_only_candidates_are_left_out() -> None:
    told = case(4)
    oracle = SimulatedOracle(told.truth)
    session = SearchSession(told.suite, oracle, every_earlier, lambda progress: None)
    session.run_orders([OrderRequest((test,)) for test in told.suite.tests])

    GroupExclusion(session, reorders=False).run()

    assert session.orders == 4


def test_a_flaky_test_is_left_out_of_the_search() -> None:
    told = case(4, {3: [[0]]})
    session = SearchSession(told.suite, SimulatedOracle(told.truth), every_earlier, lambda progress: None)
    session.findings.flaky.add(3)
    session.run_orders([OrderRequest(told.suite.tests)])

    GroupExclusion(session, reorders=False).run()

    assert not session.findings.clauses


def test_a_wrong_deduction_from_alternatives_is_refuted_with_all_other_tests_present() -> None:
    """Either 0 or 1 is enough for 3: it fails alone, and when the others are cleared one seems to be left."""
    told = case(4, {3: [[0, 1]]})
    session = SearchSession(told.suite, SimulatedOracle(told.truth), every_earlier, lambda progress: None)
    session.run_orders([OrderRequest((told.suite.tests[3],))])

    assert GroupExclusion(session, reorders=False).run() | show_single_needs(session) == {3}
