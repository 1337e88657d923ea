"""Runs that chance had a hand in are repeated.

Idea
    When a flaky test fails in a run, whoever needs it fails with it, and a search would blame somebody else. So a run
    in which a flaky test did not do as wanted, and after it a test that is not flaky did not either, is void: the
    order is run again until the flaky test does its part.
Assumptions
    A flaky test fails by chance about as often everywhere. Where it fails so often in a row that chance is no
    explanation any more, it fails there for a reason (it may lack what it needs itself), and the run stands.
Guarantee
    A run that stands is wrong about a test that is not flaky with a probability of at most `_CHANCE`, or, for tests
    that fail more often than not, so far as `_MOST_TRIES` allow.
Cost
    Nothing as long as nobody is known to be flaky. Then, for each void run, up to three more for a test that fails in
    a tenth of its runs, twelve for one that fails every other time.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator

from unknot.detect.engine.findings import Findings
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest

_CHANCE = 0.0001
_MOST_TRIES = 12
_LEAST_RATE = 0.1
_APART = 1000
"""Far enough from the attempts that a search asks for by itself."""


class Retrials:
    """Remembers how often each request was asked again."""

    def __init__(self) -> None:
        self._tries: Counter[OrderRequest] = Counter()

    def again(
        self, findings: Findings, request: OrderRequest, outcomes: Iterable[tuple[int, Outcome]]
    ) -> OrderRequest | None:
        """What to ask instead, if the answer, given as outcomes by position, is void."""
        if not self.is_void(findings, request, outcomes):
            return None
        self._tries[request] += 1
        return OrderRequest(request.order, request.attempt + _APART * self._tries[request])

    def is_void(self, findings: Findings, request: OrderRequest, outcomes: Iterable[tuple[int, Outcome]]) -> bool:
        most = max((_tries(findings, culprit) for culprit in _culprits(findings, outcomes)), default=0)
        return self._tries[request] < most


def _culprits(findings: Findings, outcomes: Iterable[tuple[int, Outcome]]) -> Iterator[int]:
    """The flaky tests that did not do as wanted before another did not."""
    waiting: list[int] = []
    for test, outcome in outcomes:
        if outcome is findings.wanted[test]:
            continue
        if test in findings.flaky:
            waiting.append(test)
        else:
            yield from waiting
            waiting.clear()


def _tries(findings: Findings, test: int) -> int:
    """After so many failures in a row, chance is no explanation."""
    known = findings.certainty.get(test)
    rate = max(_LEAST_RATE, known.differed / known.runs if known else 0.5)
    return min(_MOST_TRIES, math.ceil(math.log(_CHANCE) / math.log(rate)) - 1)
