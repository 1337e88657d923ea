"""A suite that exists only as its truth."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, hidden_graphs, laws, mixed_suites

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import TestId
from unknot.oracle.simulated import SimulatedOracle


def told(suite: Case, *places: int) -> str:
    """One letter for each test of the order: p passed, f failed."""
    (run,) = SimulatedOracle(suite.truth).run_orders([OrderRequest(suite.suite.order(places))])
    return "".join(result.outcome.value[0] for result in run.results)


def test_a_dependent_passes_only_after_its_prerequisite() -> None:
    suite = case(3, {2: [[0]]})

    assert told(suite, 0, 1, 2) == "ppp"
    assert told(suite, 1, 2) == "pf"
    assert told(suite, 2, 0) == "fp"


def test_a_prerequisite_that_failed_did_no_work() -> None:
    suite = case(3, {1: [[0]], 2: [[1]]})

    assert told(suite, 0, 1, 2) == "ppp"
    assert told(suite, 1, 2) == "ff"
    assert told(suite, 1, 0, 2) == "fpf"


def test_of_a_clause_any_one_is_enough_and_all_clauses_hold_together() -> None:
    suite = case(4, {3: [[0, 1], [2]]})

    assert [told(suite, *places)[-1] for places in ([0, 2, 3], [1, 2, 3], [0, 1, 3], [2, 3])] == ["p", "p", "f", "f"]


def test_an_empty_clause_is_never_met() -> None:
    assert told(case(2, {1: [[]]}), 0, 1) == "pf"


def test_a_victim_fails_after_its_polluter_and_passes_before_it() -> None:
    suite = case(3, conflicts=[(1, [0], [])])

    assert told(suite, 0, 2, 1) == "ppf"
    assert told(suite, 1, 0) == "pp"


def test_polluters_together_break_only_together_in_either_order() -> None:
    suite = case(3, conflicts=[(2, [0, 1], [])])

    assert (told(suite, 0, 2), told(suite, 1, 2)) == ("pp", "pp")
    assert (told(suite, 0, 1, 2), told(suite, 1, 0, 2)) == ("ppf", "ppf")


def test_a_cleaner_cleans_only_after_the_last_polluter() -> None:
    suite = case(4, conflicts=[(3, [0, 1], [2])])

    assert told(suite, 0, 1, 2, 3)[-1] == "p"
    assert told(suite, 0, 2, 1, 3)[-1] == "f"
    assert told(suite, 2, 0, 1, 3)[-1] == "f"


def test_what_one_cleaner_does_not_clean_still_breaks() -> None:
    suite = case(4, conflicts=[(3, [0], [1]), (3, [2], [])])

    assert told(suite, 2, 0, 1, 3)[-1] == "f"


@pytest.mark.parametrize(("pollutes", "expected"), [(False, "fp"), (True, "ff")])
def test_a_failing_polluter_pollutes_only_if_failures_pollute(pollutes: bool, expected: str) -> None:
    suite = case(3, {1: [[0]]}, [(2, [1], [])], failures_pollute=pollutes)

    assert told(suite, 1, 2) == expected
    assert told(suite, 0, 1, 2) == "ppf"


@pytest.mark.parametrize("pollutes", [False, True])
def test_a_failing_cleaner_never_cleans(pollutes: bool) -> None:
    suite = case(4, {1: [[0]]}, [(3, [2], [1])], failures_pollute=pollutes)

    assert told(suite, 2, 1, 3)[-1] == "f"
    assert told(suite, 0, 2, 1, 3)[-1] == "p"


def flips(probability: float, seed: int) -> list[Outcome]:
    suite = case(1, flaky={0: probability})
    asked = [OrderRequest(suite.suite.tests, attempt) for attempt in range(200)]
    return [run.last for run in SimulatedOracle(suite.truth, seed=seed).run_orders(asked)]


def test_a_flaky_test_fails_about_as_often_as_stated() -> None:
    assert 40 < flips(0.3, seed=1).count(Outcome.FAILED) < 80
    assert set(flips(0.0, seed=1)) == {Outcome.PASSED}
    assert set(flips(1.0, seed=1)) == {Outcome.FAILED}


def test_the_same_seed_gives_the_same_flips_and_another_seed_others() -> None:
    assert flips(0.5, seed=3) == flips(0.5, seed=3)
    assert flips(0.5, seed=3) != flips(0.5, seed=4)


def executed(shares_prefixes: bool, batches: Sequence[Sequence[Sequence[int]]]) -> list[list[int]]:
    suite = case(4)
    oracle = SimulatedOracle(suite.truth, shares_prefixes=shares_prefixes)
    return [
        [run.executed for run in oracle.run_orders([OrderRequest(suite.suite.order(o)) for o in batch])]
        for batch in batches
    ]


def test_a_prefix_shared_within_a_batch_is_executed_once() -> None:
    assert executed(True, [[[0, 1, 2], [0, 1, 3], [0, 1], [1, 0]]]) == [[3, 1, 0, 2]]


def test_between_batches_nothing_is_shared() -> None:
    assert executed(True, [[[0, 1, 2]], [[0, 1, 2]]]) == [[3], [3]]


def test_without_sharing_every_test_of_an_order_is_executed() -> None:
    assert executed(False, [[[0, 1, 2], [0, 1, 3]]]) == [[3, 3]]


def test_seconds_are_the_clean_state_and_the_tests() -> None:
    suite = case(3, seconds=0.5)

    (run,) = SimulatedOracle(suite.truth, clean_state=2.0).run_orders([OrderRequest(suite.suite.tests)])

    assert [result.seconds for result in run.results] == [0.5, 0.5, 0.5]
    assert run.seconds == 3.5


@laws()
@given(mixed_suites(), st.randoms(use_true_random=False))
def test_the_same_order_gives_the_same_outcomes_whatever_was_run_before(suite: Case, chance: random.Random) -> None:
    orders = [tuple(chance.sample(suite.suite.tests, chance.randint(1, suite.size))) for _ in range(4)]
    oracle = SimulatedOracle(suite.truth)

    first = [run.results for run in oracle.run_orders([OrderRequest(order) for order in orders])]
    again = [run.results for run in oracle.run_orders([OrderRequest(order, 1) for order in reversed(orders)])]

    assert first == list(reversed(again))


@laws()
@given(mixed_suites(), st.randoms(use_true_random=False))
def test_what_comes_after_a_test_never_changes_what_came_out_of_it(suite: Case, chance: random.Random) -> None:
    order = tuple(chance.sample(suite.suite.tests, suite.size))

    whole = suite.outcomes(order)

    assert all(suite.outcomes(order[:cut]) == whole[:cut] for cut in range(suite.size))


needs_only = st.one_of(hidden_graphs("random"), hidden_graphs("layered"), either_or_suites())


@laws(150)
@given(needs_only, st.randoms(use_true_random=False))
def test_the_fast_simulation_of_needs_agrees_with_the_truth(suite: Case, chance: random.Random) -> None:
    tests = (*suite.suite.tests, TestId("a stranger to the truth"))
    # Tests may be missing, out of order, and in the order twice.
    orders = [tuple(chance.choices(tests, k=chance.randint(0, 2 * suite.size))) for _ in range(4)] + [suite.suite.tests]
    truth = replace(suite.truth, seconds={test: chance.random() for test in suite.suite.tests})

    runs = list(SimulatedOracle(truth, clean_state=0.5).run_orders([OrderRequest(order) for order in orders]))

    for order, run in zip(orders, runs, strict=True):
        expected = truth.outcomes(order, random.Random(0))
        assert [result.outcome for result in run.results] == expected
        assert [result.seconds for result in run.results] == [truth.seconds.get(test, 0.0) for test in order]
        assert run.seconds == pytest.approx(0.5 + sum(truth.seconds.get(test, 0.0) for test in order))


def test_the_fast_way_never_meets_an_empty_clause_and_lets_a_test_serve_only_after_it_passed() -> None:
    suite = case(4, {1: [[]], 2: [[0], [0, 1]], 3: [[1, 2]]})

    assert told(suite, 0, 1, 2, 3) == "pfpp"
    assert told(suite, 1, 3, 2, 0) == "fffp"
