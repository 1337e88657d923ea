"""What is found does not depend on what was recorded, right or wrong."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, either_or_suites, hidden_graphs, laws, mixed_suites, polluted_suites

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.model.knots import Knots
from unknot.oracle.count import CountingOracle
from unknot.oracle.simulated import SimulatedOracle

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    dear,
    edges,
    failing_closures,
    mispredicted,
    true_reduction,
)
from ..recordings import RECORDINGS, Make
from ..trials import stopped

PLAIN = st.one_of(hidden_graphs("chain", 9), hidden_graphs("layered", 9), hidden_graphs("random", 9))
SEEDS = st.integers(0, 9)


def slow(told: Case, *, seed: int = 0) -> SimulatedOracle:
    """Tests of a second each: most suites are searched by whole orders."""
    return SimulatedOracle(replace(told, seconds=1.0).truth, clean_state=0.01, seed=seed)


def detected(told: Case, oracle: SimulatedOracle, options: Options) -> Knots:
    return ALGORITHMS["sieve"](told.suite, oracle, options)


def claims(knots: Knots) -> tuple[set[object], set[object]]:
    needs: set[object] = {(need.dependent, need.any_of) for need in knots.needs}
    conflicts: set[object] = {(c.victim, c.polluters, c.cleaners) for c in knots.conflicts}
    return needs, conflicts


recordings = pytest.mark.parametrize("make", RECORDINGS.values(), ids=RECORDINGS.keys())
prices = pytest.mark.parametrize("oracle", [cheap, slow, dear])
order = pytest.mark.parametrize("reorders", [False, True], ids=["kept", "any"])


# --- whatever was recorded


@recordings
@prices
@order
@laws(40)
@given(told=PLAIN, seed=SEEDS)
def test_single_needs_are_found_whatever_was_recorded(
    make: Make, oracle: MakeOracle, reorders: bool, told: Case, seed: int
) -> None:
    recorded = make(told, random.Random(seed))

    knots = detected(told, oracle(told), Options(reorders=reorders, recorded=recorded))

    assert edges(knots) == true_reduction(told), as_readable(knots)
    assert (knots.conflicts, knots.complete) == ((), True)
    assert_nothing_false(told, knots)


@recordings
@laws(60)
@given(told=either_or_suites(8), seed=SEEDS)
def test_all_alternatives_are_found_whatever_was_recorded(make: Make, told: Case, seed: int) -> None:
    knots = detected(told, cheap(told), Options(recorded=make(told, random.Random(seed))))

    wrong = mispredicted(told, knots)
    assert not wrong, (as_readable(knots), wrong[:2])
    assert knots.complete


@recordings
@laws(60)
@given(told=polluted_suites(8, together=1), seed=SEEDS)
def test_polluters_and_cleaners_are_found_whatever_was_recorded(make: Make, told: Case, seed: int) -> None:
    without = detected(told, cheap(told), Options())

    knots = detected(told, cheap(told), Options(recorded=make(told, random.Random(seed))))

    assert claims(knots) == claims(without)
    assert_nothing_false(told, knots)


@recordings
@prices
@laws(40)
@given(told=st.one_of(mixed_suites(7), mixed_suites(7, failures_pollute=True)), seed=SEEDS)
def test_every_closure_of_a_complete_result_passes_whatever_was_recorded(
    make: Make, oracle: MakeOracle, told: Case, seed: int
) -> None:
    knots = detected(told, oracle(told), Options(recorded=make(told, random.Random(seed))))

    assert not (knots.complete and failing_closures(told, knots)), as_readable(knots)


@recordings
@laws(15)
@given(told=st.one_of(hidden_graphs("random", 6), polluted_suites(6, together=1)), seed=SEEDS)
def test_stopped_at_any_moment_what_is_told_is_true_whatever_was_recorded(make: Make, told: Case, seed: int) -> None:
    options = Options(recorded=make(told, random.Random(seed)))
    counted = CountingOracle(cheap(told))
    whole = ALGORITHMS["sieve"](told.suite, counted, options)
    for orders in range(counted.orders):
        knots = ALGORITHMS["sieve"](told.suite, stopped(cheap(told), orders), options)

        assert_nothing_false(told, knots)
        assert not knots.complete
    assert ALGORITHMS["sieve"](told.suite, stopped(cheap(told), counted.orders), options) == whole
