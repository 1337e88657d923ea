"""Runs tests in order, alone and shuffled: what is not green each time is dropped.

Cost: six times the suite, and a clean state for each test.
"""

import random
from collections.abc import Iterator, Sequence

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.model.web.generated_suite import DroppedTest
from unknot.runners.protocol import Runner

_TIMES = 3

_MOST_LETTERS = 300


class Proof:
    """Remembers what was green: a test is run alone once, however often the suite around it changes."""

    def __init__(self, runner: Runner, seed: int) -> None:
        self._runner = runner
        self._seed = seed
        self._alone: set[TestId] = set()
        self.seconds: dict[TestId, float] = {}
        """How long each test took in its last run."""

    def first_run(self, tests: Order) -> dict[TestId, DroppedTest]:
        """One run in order: the tests that are not green."""
        return self._red([(OrderRequest(tests), "in order")])

    def red(self, tests: Order) -> dict[TestId, DroppedTest]:
        """All runs, but for those alone that were green already: the tests that are not green."""
        shuffled = list(tests)
        random.Random(self._seed).shuffle(shuffled)
        orders = [(OrderRequest(tests, attempt), "in order") for attempt in range(1, _TIMES + 1)]
        orders += [(OrderRequest((each,)), "alone") for each in tests if each not in self._alone]
        orders.append((OrderRequest(tuple(shuffled)), "shuffled"))
        red = self._red(orders)
        self._alone.update(each for each in tests if each not in red)
        return red

    def _red(self, orders: Sequence[tuple[OrderRequest, str]]) -> dict[TestId, DroppedTest]:
        found: dict[TestId, DroppedTest] = {}
        names = {(request.order, request.attempt): name for request, name in orders}
        for run in self._runner.run_in_turn([request for request, _ in orders]):
            when = names[run.order, run.request.attempt]
            for test, result in self._results(run):
                found.setdefault(test, DroppedTest(name_of(test), when, reason(result)))
        return found

    def _results(self, run: Run) -> Iterator[tuple[TestId, Result]]:
        """Those that are not green. A test that was never reached says nothing: another one ended the process."""
        for test, result in zip(run.order, run.results, strict=True):
            if result.outcome is Outcome.PASSED:
                self.seconds[test] = result.seconds
            elif result.outcome is not Outcome.NOT_RUN:
                yield test, result


def name_of(test: str) -> str:
    return test.rpartition("::")[2]


def reason(result: Result) -> str:
    """The first line of pytest's explanation, or what came out."""
    lines = (line.removeprefix("E").strip() for line in result.story.splitlines() if line.startswith("E "))
    return shown(next(filter(None, lines), str(result.outcome))[:_MOST_LETTERS])
