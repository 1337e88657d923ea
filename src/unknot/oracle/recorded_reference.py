"""Answers the reference order by a recorded run of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Oracle, Price


class RecordedReferenceOracle:
    """Saves a run of the reference order if the suite is recorded anyway: `recorded` waits for the outcomes, and
    returns None if there are none.

    Guarantee
        The recorded outcomes are used only if no test has had a bad outcome so far, there or in any other order, and
        every test had the same outcome in another order as there. Otherwise the order is run like all others.
    Assumptions
        Recording a test does not turn a bad outcome into a good one. Seconds are those of another order, without the
        recorder.
    Cost
        If a test has failed before, nothing is waited for. Otherwise the reference order comes after all others of its
        batch.
    """

    def __init__(self, inner: Oracle, suite: Suite, recorded: Callable[[], Mapping[TestId, Outcome] | None]) -> None:
        self._inner = inner
        self._request = OrderRequest(suite.tests)
        self._recorded = recorded
        self._seen: dict[TestId, Result] = {}
        self._is_clean = True

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        if not self._is_clean:
            yield from self._inner.run_orders(requests)
            return
        others = [request for request in requests if request != self._request]
        for run in self._inner.run_orders(others) if others else ():
            self._learn(run)
            yield run
        if len(others) < len(requests):
            recorded = self._recorded_run()
            yield from [recorded] if recorded else self._inner.run_orders([self._request])

    def _learn(self, run: Run) -> None:
        for test, result in zip(run.order, run.results, strict=True):
            known = self._seen.setdefault(test, result)
            self._is_clean &= not result.outcome.is_bad and result.outcome is known.outcome

    def _recorded_run(self) -> Run | None:
        tests = self._request.order
        if not self._is_clean or any(test not in self._seen for test in tests):
            return None
        outcomes = self._recorded()
        if outcomes is None or any(outcomes.get(test) is not self._seen[test].outcome for test in tests):
            return None
        results = tuple(self._seen[test] for test in tests)
        return Run(self._request, results, len(tests), sum(result.seconds for result in results))
