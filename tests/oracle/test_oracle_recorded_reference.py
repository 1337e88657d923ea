"""A recorded run stands for the reference order only where every other run agrees with it."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from strategies import Case, case, names

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.oracle.protocol import Price
from unknot.oracle.recorded_reference import RecordedReferenceOracle
from unknot.oracle.simulated import SimulatedOracle

TESTS = names(3)
REFERENCE, REVERSE = OrderRequest(TESTS), OrderRequest(TESTS[::-1])
ALL_PASSED = dict.fromkeys(TESTS, Outcome.PASSED)

Recorded = Mapping[TestId, Outcome] | None


class Suite:
    """A suite whose recording ends with these outcomes. Writes down what is run, and how often the recording is waited
    for."""

    def __init__(self, told: Case, recorded: Recorded) -> None:
        self._inner = SimulatedOracle(told.truth, workers=2)
        self._recorded = recorded
        self.ran: list[OrderRequest] = []
        self.waited = 0
        self.oracle = RecordedReferenceOracle(self, told.suite, self._wait)

    def _wait(self) -> Recorded:
        self.waited += 1
        return self._recorded

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.ran += requests
        return self._inner.run_orders(requests)


def test_the_recorded_run_is_used_if_the_reverse_order_agrees() -> None:
    suite = Suite(case(3, seconds=0.5), ALL_PASSED)

    runs = list(suite.oracle.run_orders([REFERENCE, REVERSE]))

    assert suite.ran == [REVERSE]
    assert [run.request for run in runs] == [REVERSE, REFERENCE]
    assert [(result.outcome, result.seconds) for result in runs[1].results] == [(Outcome.PASSED, 0.5)] * 3
    assert runs[1].executed == 3


@pytest.mark.parametrize(
    "recorded",
    [
        None,
        {},
        {test: ALL_PASSED[test] for test in TESTS[:2]},
        {**ALL_PASSED, TESTS[1]: Outcome.FAILED},
        {**ALL_PASSED, TESTS[1]: Outcome.SKIPPED},
    ],
    ids=["none", "empty", "a test is missing", "a test fails", "a test is skipped"],
)
def test_the_order_is_run_if_the_recording_disagrees(recorded: Recorded) -> None:
    suite = Suite(case(3), recorded)

    *_, last = suite.oracle.run_orders([REVERSE, REFERENCE])

    assert suite.ran == [REVERSE, REFERENCE]
    assert [result.outcome for result in last.results] == [Outcome.PASSED] * 3


def test_a_test_that_fails_in_the_reverse_order_only_has_its_recorded_outcome() -> None:
    suite = Suite(case(3, {2: [[0]]}), ALL_PASSED)

    reverse, recorded = suite.oracle.run_orders([REVERSE, REFERENCE])

    assert suite.ran == [REVERSE]
    assert reverse.outcome(TESTS[2]) is Outcome.FAILED
    assert [result.outcome for result in recorded.results] == [Outcome.PASSED] * 3


def test_a_test_that_fails_in_every_order_is_run() -> None:
    suite = Suite(case(3, {0: [[1]], 1: [[0]]}), {**ALL_PASSED, TESTS[0]: Outcome.FAILED, TESTS[1]: Outcome.FAILED})

    list(suite.oracle.run_orders([REVERSE, REFERENCE]))

    assert suite.ran == [REVERSE, REFERENCE]


def test_nothing_is_waited_for_before_every_test_has_run_in_another_order() -> None:
    suite = Suite(case(3), ALL_PASSED)

    list(suite.oracle.run_orders([OrderRequest(TESTS[:2]), REFERENCE]))

    assert (suite.ran, suite.waited) == ([OrderRequest(TESTS[:2]), REFERENCE], 0)


def test_a_repetition_is_run() -> None:
    suite = Suite(case(3), ALL_PASSED)
    again = OrderRequest(TESTS, 1)

    list(suite.oracle.run_orders([REVERSE]))
    list(suite.oracle.run_orders([again]))

    assert suite.ran == [REVERSE, again]
