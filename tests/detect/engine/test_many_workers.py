"""However many workers there are: the same is found, and more of them take no longer."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from strategies import Case, case, either_or_suites, laws, mixed_suites

from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.model.dependencies import Dependencies
from unknot.oracle.count import PredictedOracle
from unknot.oracle.simulated import SimulatedOracle

from ..judge import assert_nothing_false, failing_closures

MANY = 64


def _found(told: Case, workers: int) -> Dependencies:
    return sieve(told.suite, SimulatedOracle(told.truth, clean_state=0.01, workers=workers))


def _needs(dependencies: Dependencies) -> set[tuple[str, frozenset[str]]]:
    return {(need.dependent, frozenset(need.any_of)) for need in dependencies.needs}


@laws(80)
@given(either_or_suites(9))
def test_the_same_needs_are_found_and_nothing_claimed_is_false(told: Case) -> None:
    dependencies = _found(told, MANY)

    assert _needs(dependencies) == _needs(_found(told, 1))
    assert_nothing_false(told, dependencies)


@laws(60)
@given(mixed_suites(9))
def test_every_closure_of_a_complete_result_passes(told: Case) -> None:
    dependencies = _found(told, MANY)

    assert not (dependencies.complete and failing_closures(told, dependencies))


@pytest.mark.parametrize("reorders", [False, True])
def test_a_search_for_one_need_takes_less_time_the_more_workers_there_are(reorders: bool) -> None:
    told = replace(case(400, {399: [[7]], 200: [[30]]}), seconds=1.0)
    seconds = {}
    for workers in (1, 4, 16, 64):
        oracle = PredictedOracle(SimulatedOracle(told.truth, clean_state=1.0, workers=workers))
        found = sieve(told.suite, oracle, Options(reorders=reorders))
        assert _needs(found) == _needs(_found(told, 1))
        seconds[workers] = oracle.seconds(-1)

    # A few orders more or less are chance.
    assert all(more <= 1.02 * fewer for fewer, more in pairwise(seconds.values()))
