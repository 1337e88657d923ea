"""Leave one test out, run the others, and read what came out of all of them."""

import pytest
from hypothesis import given
from strategies import Case, case, erdos_renyi, hidden_graphs, laws

from unknot.detect.lab import Lab
from unknot.detect.leave_out import LeaveOut
from unknot.model.bits import positions
from unknot.model.graph import DependencyGraph
from unknot.model.run import Question
from unknot.oracle.simulated import SimulatedOracle
from unknot.suspect.position import any_other

from .judge import true_reduction


def left_out(told: Case, workers: int = 1) -> tuple[Lab, LeaveOut]:
    """After the reference order was seen, and nothing else."""
    oracle = SimulatedOracle(told.truth, clean_state=5.0, workers=workers)
    lab = Lab(told.suite, oracle, any_other, lambda progress: None)
    lab.ask([Question(told.suite.tests)])
    search = LeaveOut(lab, reorders=True)
    search.run()
    return lab, search


def confirmed(search: LeaveOut) -> DependencyGraph:
    return DependencyGraph(
        len(search.confirmed), [(test, p) for test, row in enumerate(search.confirmed) for p in positions(row)]
    )


@laws()
@given(hidden_graphs())
def test_what_is_confirmed_has_the_closure_of_the_truth(told: Case) -> None:
    _, search = left_out(told)

    assert set(confirmed(search).reduction().edges()) == true_reduction(told)


@pytest.mark.parametrize("workers", [1, 2, 4])
@laws(50)
@given(told=hidden_graphs())
def test_no_more_than_one_order_for_each_test_is_asked(workers: int, told: Case) -> None:
    lab, _ = left_out(told, workers)

    assert lab.orders - 1 <= told.size - 1


@pytest.mark.parametrize("workers", [2, 4])
@laws(50)
@given(told=hidden_graphs())
def test_several_workers_confirm_nothing_that_is_not_true(workers: int, told: Case) -> None:
    _, search = left_out(told, workers)

    closed = DependencyGraph(told.size, [(d, c[0]) for d, cs in told.needs.items() for c in cs]).closure()
    assert set(confirmed(search).edges()) <= set(closed.edges())


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_graph_is_found_with_n_orders(seed: int) -> None:
    told = erdos_renyi(80, seed)

    lab, search = left_out(told)

    assert set(confirmed(search).reduction().edges()) == true_reduction(told)
    assert lab.orders <= told.size


def test_nobody_is_left_out_whom_nobody_suspects() -> None:
    told = case(4)
    oracle = SimulatedOracle(told.truth)
    lab = Lab(told.suite, oracle, any_other, lambda progress: None)
    lab.ask([Question((test,)) for test in told.suite.tests])

    LeaveOut(lab, reorders=True).run()

    assert lab.orders == 4


def test_a_flaky_test_is_left_out_of_the_search() -> None:
    told = case(4, {3: [[0]]})
    lab = Lab(told.suite, SimulatedOracle(told.truth), any_other, lambda progress: None)
    lab.findings.flaky.add(3)
    lab.ask([Question(told.suite.tests)])

    search = LeaveOut(lab, reorders=True)
    search.run()

    assert search.confirmed == [0, 0, 0, 0]
