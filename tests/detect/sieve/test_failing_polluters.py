"""Tests that break others only when they fail themselves."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, names

from unknot.detect.incremental.detector import detect_incrementally
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle
from unknot.plan.check import check_plan
from unknot.plan.makers.registry import best_plan

SIZE = 20
TESTS = names(SIZE)


def hidden(triples: list[tuple[int, int, int]]) -> HiddenTruth:
    """Of each setter, polluter and victim, the polluter needs the setter and breaks the victim without it."""
    return HiddenTruth(
        {TESTS[polluter]: (frozenset({TESTS[setter]}),) for setter, polluter, _ in triples},
        tuple(
            HiddenConflict(TESTS[victim], frozenset({TESTS[polluter]}), when_failed=True)
            for _, polluter, victim in triples
        ),
        seconds=dict.fromkeys(TESTS, 0.01),
    )


def detected(truth: HiddenTruth, seconds: float = 0.01) -> Dependencies:
    return sieve(Suite(TESTS), SimulatedOracle(truth, clean_state=seconds, shares_prefixes=True))


def outcomes(truth: HiddenTruth, order: Order) -> list[Outcome]:
    return truth.outcomes(order, random.Random(0))


@st.composite
def triples(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    drawn = draw(st.lists(st.integers(0, SIZE - 1), min_size=3, max_size=12, unique=True))
    groups = [drawn[start : start + 3] for start in range(0, len(drawn) - 2, 3)]
    return [(min(group[:2]), max(group[:2]), group[2]) for group in groups]


@laws(40)
@given(triples())
def test_they_are_found_and_proved_beside_the_other_claims(planted: list[tuple[int, int, int]]) -> None:
    truth = hidden(planted)

    found = detected(truth)

    when_failing = {(one.polluters, one.victim) for one in found.conflicts_when_failing}
    assert when_failing == {((TESTS[polluter],), TESTS[victim]) for _, polluter, victim in planted}
    for one in found.conflicts_when_failing:
        assert outcomes(truth, one.proof.passes)[-1] is Outcome.PASSED
        assert outcomes(truth, one.proof.fails)[-2:] == [Outcome.FAILED, Outcome.FAILED]
    assert found.conflicts == ()
    assert found.complete


def test_a_plan_ignores_them() -> None:
    truth = hidden([(0, 3, 5), (8, 11, 13)])
    found = detected(truth)

    plan = best_plan(found, 2, clean_state=0.01, can_share=False)

    assert len(found.conflicts_when_failing) == 2
    assert not check_plan(plan, found)
    assert all(set(outcomes(truth, order)) == {Outcome.PASSED} for lane in plan.lanes for order in lane.orders)


@pytest.mark.parametrize(("changed", "left"), [((), 2), ((TESTS[3],), 1)])
def test_a_later_detection_keeps_those_of_unchanged_tests(changed: Order, left: int) -> None:
    truth = hidden([(0, 3, 5), (8, 11, 13)])
    oracle = SimulatedOracle(truth, clean_state=0.01, shares_prefixes=True)

    again = detect_incrementally(Suite(TESTS), oracle, detected(truth), changed)

    assert len(again.conflicts_when_failing) == left
