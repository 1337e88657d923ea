"""Runs that a flaky test spoilt are repeated, and no others."""

import pytest
from strategies import Case, case

from unknot.detect.engine.findings import FlakinessVerdict
from unknot.detect.engine.session import SearchSession
from unknot.hints.position import any_other
from unknot.model.outcome import Outcome
from unknot.oracle.simulated import SimulatedOracle


def session_for(told: Case, seed: int = 0, differed: int = 1, runs: int = 10) -> SearchSession:
    """The flaky tests and their rates are known."""
    session = SearchSession(told.suite, SimulatedOracle(told.truth, seed=seed), any_other, lambda progress: None)
    for name in told.truth.flaky:
        test = told.suite.index[name]
        session.findings.flaky.add(test)
        session.findings.flakiness[test] = FlakinessVerdict(Outcome.PASSED, True, differed, runs, 0.99)
    return session


def test_a_test_that_needs_a_flaky_one_hardly_ever_fails_for_its_sake() -> None:
    told = case(4, {3: [[1]]}, flaky={1: 0.1})
    session = session_for(told)

    runs = session.runs([session.request([1, 3], attempt) for attempt in range(900)])

    assert all(map(session.is_as_expected, runs))
    assert session.orders > 900


def test_where_a_flaky_test_fails_for_a_reason_the_run_stands_after_a_few_tries() -> None:
    told = case(4, {1: [[0]], 3: [[1]]}, flaky={1: 0.1})
    session = session_for(told)

    (run,) = session.runs([session.request([1, 3])])

    assert not session.is_as_expected(run)
    assert not session.is_unreliable(run)
    assert session.orders == 4
    session.run_orders([run.request])
    assert session.orders == 4


@pytest.mark.parametrize(("differed", "most"), [(1, 4), (3, 8), (5, 13), (9, 13)])
def test_the_more_often_a_test_fails_the_more_tries_it_gets_up_to_a_bound(differed: int, most: int) -> None:
    told = case(4, {1: [[0]], 3: [[1]]}, flaky={1: 0.1})
    session = session_for(told, differed=differed)

    session.run_orders([session.request([1, 3])])

    assert session.orders == most


@pytest.mark.parametrize("order", [[0, 2], [2, 1], [3, 1], [1]])
def test_a_run_in_which_no_test_fails_after_a_flaky_one_is_not_repeated(order: list[int]) -> None:
    told = case(4, {1: [[0]], 3: [[1]]}, flaky={1: 0.1})
    session = session_for(told)

    session.run_orders([session.request(order)])

    assert session.orders == 1


def test_an_answer_from_before_the_flaky_test_was_known_is_not_relied_on() -> None:
    told = case(4, {3: [[1]]}, flaky={1: 0.5})
    seed = next(s for s in range(50) if not passes_first(told, s))
    session = session_for(told, seed, differed=5)
    session.findings.flaky.clear()
    (before,) = session.runs([session.request([1, 3])])
    assert not session.is_as_expected(before)

    session.findings.flaky.add(1)

    assert session.is_unreliable(before)
    (after,) = session.runs([session.request([1, 3])])
    assert session.is_as_expected(after)
    assert after.request == before.request


def passes_first(told: Case, seed: int) -> bool:
    (run,) = SimulatedOracle(told.truth, seed=seed).run_orders([session_for(told).request([1, 3])])
    return run.last is Outcome.PASSED
