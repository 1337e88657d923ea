"""Laws of sieve if the reference order is answered by a recording, after other orders."""

from collections.abc import Mapping

from hypothesis import given
from strategies import Case, case, either_or_suites, laws, polluted_suites

from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.recorded_reference import RecordedReferenceOracle
from unknot.oracle.simulated import SimulatedOracle

from ..judge import WHOLE, assert_nothing_false, cheap, dependencies_in


def _found(told: Case, recorded: Mapping[TestId, Outcome]) -> Dependencies:
    oracle = RecordedReferenceOracle(cheap(told), told.suite, lambda: recorded)
    return dependencies_in(told, oracle, Options(records_reference=True))


def _truth(told: Case) -> dict[TestId, Outcome]:
    (run,) = cheap(told).run_orders([OrderRequest(told.suite.tests)])
    return {test: result.outcome for test, result in zip(run.order, run.results, strict=True)}


@laws(60)
@given(either_or_suites() | polluted_suites())
def test_a_right_recording_changes_nothing_in_the_result(told: Case) -> None:
    plain = dependencies_in(told, cheap(told), WHOLE)
    recorded = _found(told, _truth(told))

    assert (recorded.needs, recorded.conflicts) == (plain.needs, plain.conflicts)
    assert (recorded.outcomes, recorded.complete) == (plain.outcomes, plain.complete)


@laws(60)
@given(either_or_suites() | polluted_suites())
def test_nothing_is_false_if_every_test_passes_only_while_it_is_recorded(told: Case) -> None:
    assert_nothing_false(told, _found(told, dict.fromkeys(told.suite.tests, Outcome.PASSED)))


def test_an_independent_suite_is_run_once_less() -> None:
    told = case(900, seconds=0.001)
    assert _tests_run(told, is_recorded=True) == _tests_run(told, is_recorded=False) - 900


def test_one_with_tests_that_fail_in_any_order_is_run_no_more_than_without_a_recording() -> None:
    told = case(900, {5: [[6]], 6: [[5]]}, seconds=0.001)
    assert _tests_run(told, is_recorded=True) <= _tests_run(told, is_recorded=False)


def _tests_run(told: Case, *, is_recorded: bool) -> int:
    counting = CountingOracle(SimulatedOracle(told.truth, clean_state=0.01, workers=2, shares_prefixes=True))
    oracle = RecordedReferenceOracle(counting, told.suite, lambda: _truth(told)) if is_recorded else counting
    options = Options(records_reference=True) if is_recorded else WHOLE
    found = dependencies_in(told, oracle, options)
    assert found.complete
    assert found.outcomes == _truth(told)
    return counting.tests
