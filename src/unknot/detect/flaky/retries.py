"""Repeats runs that a flaky test has spoilt.

Idea
    When a flaky test fails in a run, tests that need it fail too, and a search would blame another test. So a run in
    which a flaky test did not behave as expected, and after it a test that is not flaky did not either, is unreliable:
    the order is run again until the flaky test behaves as expected.
Assumptions
    A flaky test fails by chance about equally often everywhere. If it fails so often in a row that chance is no
    explanation any more, it fails for a reason (it may lack what it needs itself), and the run counts.
Guarantee
    A run that counts is wrong about a test that is not flaky with a probability of at most `_CHANCE`, or, for tests
    that fail more often than not, as far as `_MAX_TRIES` allows.
Cost
    Nothing while no test is known to be flaky. Then, for each unreliable run, up to three more for a test that fails in
    a tenth of its runs, twelve for one that fails every other time.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator

from unknot.detect.engine.findings import Findings
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest

_CHANCE = 0.0001
_MAX_TRIES = 12
_MIN_RATE = 0.1
_APART = 1000
"""Far away from the attempts that searches use."""


class Retries:
    """Counts how often each order was repeated."""

    def __init__(self) -> None:
        self._tries: Counter[OrderRequest] = Counter()

    def again(
        self, findings: Findings, request: OrderRequest, outcomes: Iterable[tuple[int, Outcome]]
    ) -> OrderRequest | None:
        """The request to run instead, if this run, given as outcomes by position, is unreliable."""
        if not self.is_unreliable(findings, request, outcomes):
            return None
        self._tries[request] += 1
        return OrderRequest(request.order, request.attempt + _APART * self._tries[request])

    def is_unreliable(self, findings: Findings, request: OrderRequest, outcomes: Iterable[tuple[int, Outcome]]) -> bool:
        most = max((_tries(findings, culprit) for culprit in _culprits(findings, outcomes)), default=0)
        return self._tries[request] < most


def _culprits(findings: Findings, outcomes: Iterable[tuple[int, Outcome]]) -> Iterator[int]:
    """The flaky tests that did not behave as expected before another test did not."""
    waiting: list[int] = []
    for test, outcome in outcomes:
        if outcome is findings.expected[test]:
            continue
        if test in findings.flaky:
            waiting.append(test)
        else:
            yield from waiting
            waiting.clear()


def _tries(findings: Findings, test: int) -> int:
    """After so many failures in a row, chance is no explanation."""
    known = findings.flakiness.get(test)
    rate = max(_MIN_RATE, known.differed / known.runs if known else 0.5)
    return min(_MAX_TRIES, math.ceil(math.log(_CHANCE) / math.log(rate)) - 1)
