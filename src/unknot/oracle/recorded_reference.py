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
        The recorded outcomes are used only if none of them is bad, and every test had the same outcome in each other
        order so far, or a bad one. Otherwise the order is run like all others.
    Assumptions
        Recording a test does not turn a bad outcome into a good one. Seconds are those of another order, without the
        recorder.
    Cost
        The reference order comes after all others of its batch. If a test has not run in any of these, or its good
        outcomes differ, nothing is waited for.
    """

    def __init__(self, inner: Oracle, suite: Suite, recorded: Callable[[], Mapping[TestId, Outcome] | None]) -> None:
        self._inner = inner
        self._request = OrderRequest(suite.tests)
        self._recorded = recorded
        self._seen: dict[TestId, Result] = {}
        """A result of each test, a good one if there is any."""
        self._is_settled = True
        """Whether the good outcomes of each test agree."""

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        others = [request for request in requests if request != self._request]
        for run in self._inner.run_orders(others) if others else ():
            self._learn(run)
            yield run
        if len(others) < len(requests):
            recorded = self._recorded_run()
            yield from [recorded] if recorded else self._inner.run_orders([self._request])

    def _learn(self, run: Run) -> None:
        for test, result in zip(run.order, run.results, strict=True):
            known = self._seen.get(test)
            if known is None or known.outcome.is_bad:
                self._seen[test] = result
            elif not result.outcome.is_bad:
                self._is_settled &= result.outcome is known.outcome

    def _recorded_run(self) -> Run | None:
        tests = self._request.order
        if not self._is_settled or any(test not in self._seen for test in tests):
            return None
        outcomes = self._recorded()
        if outcomes is None or any(not _agree(outcomes.get(test), self._seen[test].outcome) for test in tests):
            return None
        results = tuple(Result(outcomes[test], self._seen[test].seconds) for test in tests)
        return Run(self._request, results, len(tests), sum(result.seconds for result in results))


def _agree(recorded: Outcome | None, seen: Outcome) -> bool:
    if recorded is None or recorded.is_bad or not recorded.is_verdict:
        return False
    return seen.is_bad or recorded is seen
