"""What is found does not depend on what was recorded, right or wrong."""

import random
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import Case, case, either_or_suites, hidden_graphs, laws, mixed_suites, polluted_suites

from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.oracle.count import CountingOracle
from unknot.oracle.simulated import SimulatedOracle

from ..judge import (
    MakeOracle,
    as_readable,
    assert_nothing_false,
    cheap,
    edges,
    expensive,
    failing_closures,
    mispredicted,
    true_reduction,
)
from ..recordings import RECORDINGS, Make, right
from ..trials import stopped

PLAIN = st.one_of(hidden_graphs("chain", 9), hidden_graphs("layered", 9), hidden_graphs("random", 9))
SEEDS = st.integers(0, 9)


def slow(told: Case, *, seed: int = 0) -> SimulatedOracle:
    """Tests of a second each: most suites are searched by whole orders."""
    return SimulatedOracle(replace(told, seconds=1.0).truth, clean_state=0.01, seed=seed)


def detected(told: Case, oracle: SimulatedOracle, options: Options) -> Dependencies:
    return ALGORITHMS["sieve"](told.suite, oracle, options)


def claims(dependencies: Dependencies) -> tuple[set[object], set[object]]:
    needs: set[object] = {(need.dependent, need.any_of) for need in dependencies.needs}
    conflicts: set[object] = {(c.victim, c.polluters, c.cleaners) for c in dependencies.conflicts}
    return needs, conflicts


recordings = pytest.mark.parametrize("make", RECORDINGS.values(), ids=RECORDINGS.keys())
prices = pytest.mark.parametrize("oracle", [cheap, slow, expensive])
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

    dependencies = detected(told, oracle(told), Options(reorders=reorders, recorded=recorded))

    assert edges(dependencies) == true_reduction(told), as_readable(dependencies)
    assert (dependencies.conflicts, dependencies.complete) == ((), True)
    assert_nothing_false(told, dependencies)


@recordings
@laws(60)
@given(told=either_or_suites(8), seed=SEEDS)
@example(told=case(8, {1: [[0]], 2: [[0]], 3: [[1, 4]], 5: [[0]], 7: [[4]]}), seed=0)
def test_all_alternatives_are_found_whatever_was_recorded(make: Make, told: Case, seed: int) -> None:
    dependencies = detected(told, cheap(told), Options(recorded=make(told, random.Random(seed))))

    wrong = mispredicted(told, dependencies)
    assert not wrong, (as_readable(dependencies), wrong[:2])
    assert dependencies.complete


@recordings
@laws(60)
@given(told=polluted_suites(8, together=1), seed=SEEDS)
def test_polluters_and_cleaners_are_found_whatever_was_recorded(make: Make, told: Case, seed: int) -> None:
    without = detected(told, cheap(told), Options())

    dependencies = detected(told, cheap(told), Options(recorded=make(told, random.Random(seed))))

    assert claims(dependencies) == claims(without)
    assert_nothing_false(told, dependencies)


@recordings
@prices
@laws(40)
@given(told=st.one_of(mixed_suites(7), mixed_suites(7, failures_pollute=True)), seed=SEEDS)
def test_every_closure_of_a_complete_result_passes_whatever_was_recorded(
    make: Make, oracle: MakeOracle, told: Case, seed: int
) -> None:
    dependencies = detected(told, oracle(told), Options(recorded=make(told, random.Random(seed))))

    assert not (dependencies.complete and failing_closures(told, dependencies)), as_readable(dependencies)


@recordings
@laws(15)
@given(told=st.one_of(hidden_graphs("random", 6), polluted_suites(6, together=1)), seed=SEEDS)
def test_stopped_at_any_moment_the_result_is_true_whatever_was_recorded(make: Make, told: Case, seed: int) -> None:
    options = Options(recorded=make(told, random.Random(seed)))
    counted = CountingOracle(cheap(told))
    whole = ALGORITHMS["sieve"](told.suite, counted, options)
    for orders in range(counted.orders):
        dependencies = ALGORITHMS["sieve"](told.suite, stopped(cheap(told), orders), options)

        assert_nothing_false(told, dependencies)
        assert not dependencies.complete
    assert ALGORITHMS["sieve"](told.suite, stopped(cheap(told), counted.orders), options) == whole


@pytest.mark.parametrize("seed", range(10))
def test_in_reference_order_a_recorded_polluter_behind_a_cleaner_is_found(seed: int) -> None:
    polluter, cleaner, victim = sorted(random.Random(seed).sample(range(40), 3))
    told = case(40, {}, [(victim, [polluter], [cleaner])], seconds=0.07)
    options = Options(reorders=False, recorded=right(told, random.Random(seed)))
    (found,) = detected(told, cheap(told), options).conflicts
    tests = told.suite.tests
    assert (found.victim, found.polluters, found.cleaners) == (tests[victim], (tests[polluter],), (tests[cleaner],))


def test_a_recorded_need_is_reported_before_whole_orders_are_run() -> None:
    told = case(60, {40: [[20]]})
    counted = CountingOracle(expensive(told))
    reported: list[tuple[int, Dependencies]] = []
    recorded = right(told, random.Random(0))
    options = Options(recorded=recorded, on_claims=lambda found: reported.append((counted.orders, found)))
    ALGORITHMS["sieve"](told.suite, counted, options)
    orders, first = reported[0]
    assert edges(first) == true_reduction(told)
    assert orders <= 10 < counted.orders


def test_a_recorded_need_stays_in_the_result_if_whole_orders_are_stopped() -> None:
    told = case(60, {40: [[20]]})
    counted = CountingOracle(expensive(told))
    reported: list[int] = []
    recorded = right(told, random.Random(0))
    options = Options(recorded=recorded, on_claims=lambda _: reported.append(counted.orders))
    ALGORITHMS["sieve"](told.suite, counted, options)
    for more in range(3):
        found = ALGORITHMS["sieve"](told.suite, stopped(expensive(told), reported[0] + more), options)
        assert edges(found) == true_reduction(told)
        assert not found.complete


def test_a_need_recorded_beside_the_search_is_reported_before_the_next_one_is_tried() -> None:
    told = case(60, {40: [[20]], 50: [[30]]})
    counted = CountingOracle(expensive(told))
    reported: list[tuple[int, Dependencies]] = []
    recorded = right(told, random.Random(0))
    options = Options(
        records_reference=True,
        recorded_so_far=lambda: recorded,
        recorded_meanwhile=lambda _: recorded,
        on_claims=lambda found: reported.append((counted.orders, found)),
    )
    ALGORITHMS["sieve"](told.suite, counted, options)
    (orders, first), (_, second), *_ = reported
    assert edges(first) < edges(second) == true_reduction(told)
    assert orders <= 8
