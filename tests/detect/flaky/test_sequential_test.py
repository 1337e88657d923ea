"""The sequential test: its thresholds, its error rates computed exactly and by simulation, and which test is blamed."""

import itertools
import math
import random
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from strategies import Case, case

from unknot.detect.engine.parallel import run_searches
from unknot.detect.engine.session import SearchSession
from unknot.detect.flaky.sequential_test import (
    DEFAULT_RATES,
    FIRST_ATTEMPT,
    Rates,
    decide_flakiness,
    flakiness_verdict,
    inconsistent_tests,
    repeat_until_decided,
)
from unknot.hints.position import any_other
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.oracle.simulated import SimulatedOracle

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def session_for(told: Case, seed: int = 0) -> SearchSession:
    return SearchSession(told.suite, SimulatedOracle(told.truth, seed=seed), any_other, lambda progress: None)


def add_run(session: SearchSession, order: list[int], failing: list[int], attempt: int = 0) -> None:
    """As if this order had been run, and these had failed."""
    results = tuple(Result(FAILED if test in failing else PASSED) for test in order)
    request = session.request(order, attempt)
    session.known[request] = Run(request, results, len(order))


def test_the_borders_are_walds() -> None:
    assert DEFAULT_RATES.flaky_threshold == pytest.approx(math.log(99))
    assert DEFAULT_RATES.stable_threshold == pytest.approx(-math.log(99))
    assert DEFAULT_RATES.evidence(1, 1) == pytest.approx(math.log(10))
    assert DEFAULT_RATES.evidence(1, 0) == pytest.approx(math.log(10 / 11))
    assert DEFAULT_RATES.evidence(12, 2) == pytest.approx(2 * math.log(10) + 10 * math.log(10 / 11))
    assert math.ceil(DEFAULT_RATES.stable_threshold / DEFAULT_RATES.evidence(1, 0)) == 49


def test_how_sure_it_is_is_the_posterior_of_even_odds() -> None:
    assert DEFAULT_RATES.probability(0, 0) == 0.5
    # By Bayes' rule, with binomial likelihoods.
    flaky, steady = 0.1**3 * 0.9**17, 0.01**3 * 0.99**17
    assert DEFAULT_RATES.probability(20, 3) == pytest.approx(flaky / (flaky + steady))


@pytest.mark.parametrize(
    ("outcomes", "is_flaky", "runs"),
    [
        ([PASSED] * 60, False, 49),
        ([FAILED] * 60, False, 49),
        ([PASSED, FAILED] * 10, True, 6),
        ([FAILED, *[PASSED] * 80], False, 74),
        ([PASSED, PASSED, FAILED, FAILED, FAILED, FAILED, FAILED], None, 0),
        ([PASSED] * 30 + [FAILED] * 3, None, 0),
        ([PASSED] * 30 + [FAILED] * 4, True, 34),
    ],
)
def test_the_first_border_crossed_decides(outcomes: list[Outcome], is_flaky: bool | None, runs: int) -> None:
    said = flakiness_verdict(outcomes)

    assert (is_flaky, runs) == (None, 0) if said is None else (said.is_flaky, said.runs) == (is_flaky, runs)


def test_the_usual_outcome_is_part_of_the_verdict() -> None:
    said = flakiness_verdict([FAILED] * 49)

    assert said is not None
    assert (said.usual, said.differed, said.runs) == (FAILED, 0, 49)
    assert said.probability == pytest.approx(1 / (1 + (1.1**49)))


def test_in_doubt_a_test_that_differed_counts_as_flaky_and_one_that_did_not_does_not() -> None:
    bounded = Rates(max_runs=10)

    once = flakiness_verdict([PASSED] * 9 + [FAILED], bounded)
    never = flakiness_verdict([PASSED] * 10, bounded)

    assert once is not None
    assert never is not None
    assert (once.is_flaky, never.is_flaky) == (True, False)
    assert flakiness_verdict([PASSED] * 9, bounded) is None
    assert flakiness_verdict([], bounded, is_over=True) is None


def exact_chances(rate: float, rates: Rates) -> tuple[float, float]:
    """That a test that differs at this rate is called flaky, and steady: by following every way the runs can go."""
    ways = {(0, 0): 1.0}
    flaky = steady = 0.0
    for runs in range(1, rates.max_runs + 1):
        after: dict[tuple[int, int], float] = {}
        for (agreed, differed), chance in ways.items():
            for way, share in (((agreed + 1, differed), 1 - rate), ((agreed, differed + 1), rate)):
                few = min(way)
                likelier = (rates.often / rates.rare) ** few * ((1 - rates.often) / (1 - rates.rare)) ** (runs - few)
                if likelier >= (1 - rates.miss) / rates.false_alarm:
                    flaky += chance * share
                elif likelier <= rates.miss / (1 - rates.false_alarm):
                    steady += chance * share
                else:
                    after[way] = after.get(way, 0.0) + chance * share
        ways = after
    # No test that never differed is left by then.
    return flaky + sum(ways.values()), steady


def test_the_stated_error_rates_hold_exactly() -> None:
    false_alarm, _ = exact_chances(DEFAULT_RATES.rare, DEFAULT_RATES)
    _, miss = exact_chances(DEFAULT_RATES.often, DEFAULT_RATES)

    assert false_alarm == pytest.approx(0.0059, abs=1e-4)
    assert miss == pytest.approx(0.0094, abs=1e-4)
    assert false_alarm <= DEFAULT_RATES.false_alarm
    assert miss <= DEFAULT_RATES.miss


@pytest.mark.parametrize(("rate", "is_flaky", "most_wrong"), [(0.01, False, 20), (0.1, True, 22), (0.3, True, 0)])
def test_the_stated_error_rates_hold_by_trial(rate: float, is_flaky: bool, most_wrong: int) -> None:
    """Of a thousand; three standard deviations above what is stated."""
    chance = random.Random(1)
    wrong = 0
    for _ in range(1000):
        said = flakiness_verdict([FAILED if chance.random() < rate else PASSED for _ in range(DEFAULT_RATES.max_runs)])
        assert said is not None
        wrong += said.is_flaky is not is_flaky

    assert wrong <= most_wrong


@pytest.mark.parametrize(("needs", "usual"), [({}, PASSED), ({3: [[1]]}, FAILED)])
def test_the_last_of_an_order_is_judged_by_fresh_runs(needs: dict[int, list[list[int]]], usual: Outcome) -> None:
    told = case(4, needs)
    session = session_for(told)

    found = run_searches({3: repeat_until_decided(session, told.suite.order([0, 3]))}, session.run_orders)

    assert (found[3].usual, found[3].is_flaky, found[3].runs) == (usual, False, 49)
    assert min(request.attempt for request in session.known) == FIRST_ATTEMPT


def test_nothing_is_run_for_a_stable_suite() -> None:
    session = session_for(case(6))
    session.run_orders([OrderRequest(session.suite.tests, attempt) for attempt in range(3)])

    decide_flakiness(session)

    assert session.orders == 3


def test_the_first_test_that_differs_is_to_blame() -> None:
    session = session_for(case(6))
    add_run(session, [0, 1, 2, 3], [])
    add_run(session, [0, 1, 2, 3], [1, 3], attempt=1)

    assert inconsistent_tests(session) == {1: session.suite.order([0, 1])}


def test_what_begins_alike_was_repeated() -> None:
    session = session_for(case(6))
    add_run(session, [0, 1, 2, 3], [2])
    add_run(session, [0, 1, 2, 5], [])
    add_run(session, [0, 2, 1], [1])

    assert list(inconsistent_tests(session)) == [2]


def test_no_test_is_blamed_for_what_a_known_flaky_test_may_have_done() -> None:
    session = session_for(case(6))
    add_run(session, [0, 1, 2, 3], [])
    add_run(session, [0, 1, 2, 3], [1, 3], attempt=1)
    add_run(session, [0, 1, 2, 3], [1], attempt=2)
    session.findings.flaky.add(1)

    # Test 3 differs between two runs in which test 1 did the same: that is its own doing.
    assert list(inconsistent_tests(session)) == [3]


def decided(told: Case, seed: int = 0, reference: Mapping[int, Outcome] = MappingProxyType({})) -> SearchSession:
    """After the reference order was run three times; `reference` are expected outcomes by position."""
    session = session_for(told, seed)
    session.run_orders([OrderRequest(session.suite.tests, attempt) for attempt in range(3)])
    for test, outcome in reference.items():
        session.findings.expected[test] = outcome
    session.rebuild_pairs()
    decide_flakiness(session)
    return session


@pytest.mark.parametrize("seed", range(20))
def test_flaky_tests_are_found_by_short_orders_and_their_dependents_are_not_flaky(seed: int) -> None:
    told = case(30, {9: [[4]], 20: [[9]], 25: [[20], [4]]}, flaky={4: 0.5, 17: 0.5})

    session = decided(told, seed)

    assert session.findings.flaky <= {4, 17}
    long = [request for request in session.known if len(request.order) > 1]
    assert len(long) <= 3 + 12


def test_the_usual_outcome_is_expected_of_a_flaky_test_and_of_those_that_need_it() -> None:
    told = case(10, {7: [[3]]}, flaky={3: 0.5})
    seeds = (seed for seed in range(100) if random.Random(seed).random() < 0.5)
    found = [decided(told, seed, {3: FAILED, 7: FAILED}) for seed in itertools.islice(seeds, 10)]

    for session in found:
        if session.findings.flaky:
            assert (session.findings.expected[3], session.findings.expected[7]) == (PASSED, PASSED)
            assert session.findings.usual == {3: PASSED, 7: PASSED}
    assert any(session.findings.flaky for session in found)


def test_a_victim_that_was_rescued_stays_rescued() -> None:
    told = case(10, conflicts=[(7, [3], [])], flaky={2: 0.5})
    session = session_for(told, seed=next(seed for seed in range(100) if random.Random(seed).random() < 0.5))
    session.findings.reference_victims.add(7)
    session.run_orders([OrderRequest(session.suite.tests, attempt) for attempt in range(3)])

    decide_flakiness(session)

    assert session.findings.expected[7] is PASSED
