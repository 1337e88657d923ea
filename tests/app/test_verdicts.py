"""When the verdict of a test is passed on."""

from collections.abc import Mapping

import pytest

from unknot.app.progress import ProgressListener
from unknot.app.run.record import RunRecord
from unknot.app.run.scope import RunScope
from unknot.app.run.verdicts import EnoughFailures, Verdicts
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite, TestId

A, B = TestId("a"), TestId("b")
PASSED, FAILED = Result(Outcome.PASSED), Result(Outcome.FAILED)


class _Listener(ProgressListener):
    def __init__(self, most: int) -> None:
        self.most = most
        self.got: list[tuple[TestId, Outcome]] = []

    def verdict(self, test: TestId, result: Result) -> None:
        self.got.append((test, result.outcome))

    def has_enough(self, failures: int) -> bool:
        return 0 < self.most <= failures


class _Case:
    def __init__(
        self,
        *orders: Order,
        expected: Mapping[TestId, Outcome] | None = None,
        repairs: bool = True,
        most: int = 0,
    ) -> None:
        outcomes = {A: Outcome.PASSED, B: Outcome.PASSED, **(expected or {})}
        dependencies = Dependencies(Suite((A, B)), outcomes, dict.fromkeys((A, B), 0.0), ())
        # Neither a runner nor settings are used.
        scope = RunScope(None, None, Suite((A, B)), dependencies, (), ())  # type: ignore[arg-type]
        self.listener = _Listener(most)
        self.record = RunRecord()
        plan = Plan(tuple(Lane((order,)) for order in orders), 0.0)
        self.verdicts = Verdicts(scope, plan, self.record, self.listener, repairs=repairs)

    def ends(self, order: Order, *results: Result) -> None:
        self.record.take(Run(OrderRequest(order), results, len(results)))


def test_a_test_that_passes_is_passed_on_at_once() -> None:
    case = _Case((A, B))
    case.verdicts.after_test(A, PASSED)
    assert case.listener.got == [(A, Outcome.PASSED)]


def test_a_test_that_the_plan_repeats_waits_for_its_last_run() -> None:
    case = _Case((A, B), (A,))
    case.verdicts.after_test(A, PASSED)
    assert case.listener.got == []
    case.verdicts.after_test(A, PASSED)
    assert case.listener.got == [(A, Outcome.PASSED)]


def test_an_unexpected_failure_waits_until_it_is_settled() -> None:
    case = _Case((A, B))
    case.verdicts.after_test(A, FAILED)
    case.verdicts.after_test(B, PASSED)
    assert case.listener.got == [(B, Outcome.PASSED)]
    case.ends((A, B), FAILED, PASSED)
    case.record.settle(A, PASSED)
    case.verdicts.pass_on_settled()
    assert case.listener.got == [(B, Outcome.PASSED), (A, Outcome.PASSED)]


@pytest.mark.parametrize("expected", [True, False])
def test_a_failure_that_needs_no_investigation_is_passed_on_at_once(*, expected: bool) -> None:
    case = _Case((A, B), expected={A: Outcome.FAILED} if expected else None, repairs=expected)
    case.verdicts.after_test(A, FAILED)
    assert case.listener.got == [(A, Outcome.FAILED)]


def test_the_run_is_broken_off_when_enough_tests_seem_to_have_failed_and_goes_on_if_they_have_not() -> None:
    case = _Case((A, B), most=1)
    with pytest.raises(EnoughFailures):
        case.verdicts.after_test(A, FAILED)
    assert not case.verdicts.is_enough(), "it may be the plan's fault"
    case.record.settle(A, FAILED)
    case.verdicts.pass_on_settled()
    assert case.verdicts.is_enough()


def test_a_test_that_fails_after_it_was_passed_on_is_passed_on_again() -> None:
    case = _Case((A, B))
    case.verdicts.after_test(A, PASSED)
    case.ends((A, B), FAILED, PASSED)
    case.verdicts.pass_on_settled()
    assert case.listener.got == [(A, Outcome.PASSED), (A, Outcome.FAILED), (B, Outcome.PASSED)]
