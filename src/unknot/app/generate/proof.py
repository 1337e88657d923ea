"""Runs tests in order, alone and shuffled: what is not green each time is dropped, or what breaks it.

Cost: six times the suite, and a clean state for each test. For a test that others break, about the suite once more.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.model.web.generated_suite import DroppedTest

_TIMES = 3

_MOST_LETTERS = 300

Red = Mapping[TestId, "RedTest"]


@dataclass(frozen=True)
class RedTest:
    """A test that was not green after the tests `before`, in a run that `when` names."""

    before: Order
    when: str
    why: str


class SuiteProof:
    """Remembers what was green: a test is run alone once, however often the suite around it changes. `runs` are those
    of a runner that shares nothing between orders."""

    def __init__(self, runs: Callable[[Sequence[OrderRequest]], Iterator[Run]], seed: int) -> None:
        self._runs = runs
        self._seed = seed
        self._alone: set[TestId] = set()
        self.seconds: dict[TestId, float] = {}
        """How long each test took in its last run."""

    def first_run(self, tests: Order) -> Red:
        """One run in order: the tests that are not green."""
        return self._red([(OrderRequest(tests), "in order")])

    def red(self, tests: Order) -> Red:
        """All runs, but for those alone that were green already: the tests that are not green."""
        shuffled = list(tests)
        random.Random(self._seed).shuffle(shuffled)
        orders = [(OrderRequest(tests, attempt), "in order") for attempt in range(1, _TIMES + 1)]
        orders += [(OrderRequest((each,)), "alone") for each in tests if each not in self._alone]
        orders.append((OrderRequest(tuple(shuffled)), "shuffled"))
        red = self._red(orders)
        self._alone.update(each for each in tests if each not in red)
        return red

    def at_fault(self, red: Red) -> dict[TestId, DroppedTest]:
        """What has to go: a test that fails, or the one that breaks it, if it passes alone. A test that has changed
        what was not its own breaks many. Not empty if `red` is not; what is still broken without these fails again."""
        found: dict[TestId, DroppedTest] = {}
        for test, failed in red.items():
            if found.keys() & {*failed.before}:
                continue
            breaker = self._breaker(test, failed.before) if failed.before and self._is_green((test,)) else None
            if breaker is None:
                found[test] = DroppedTest(name_of(test), failed.when, failed.why)
            else:
                why = f"breaks {name_of(test)}, which passes alone: {failed.why}"
                found[breaker] = DroppedTest(name_of(breaker), failed.when, why)
        return found

    def _breaker(self, test: TestId, before: Order) -> TestId | None:
        """The one of the tests before it that breaks it alone, by halves; None if it takes several."""
        while len(before) > 1:
            middle = len(before) // 2
            halves = (before[middle:], before[:middle])
            broken = next((half for half in halves if not self._is_green((*half, test))), None)
            if broken is None:
                return None
            before = broken
        return before[0] if not self._is_green((*before, test)) else None

    def _is_green(self, order: Order) -> bool:
        """The last one of the order."""
        (run,) = self._runs([OrderRequest(order)])
        return run.last is Outcome.PASSED

    def _red(self, orders: Sequence[tuple[OrderRequest, str]]) -> Red:
        found: dict[TestId, RedTest] = {}
        names = {(request.order, request.attempt): name for request, name in orders}
        for run in self._runs([request for request, _ in orders]):
            when = names[run.order, run.request.attempt]
            for test, result in self._results(run):
                found.setdefault(test, RedTest(run.order[: run.order.index(test)], when, reason(result)))
        return found

    def _results(self, run: Run) -> Iterator[tuple[TestId, Result]]:
        """Those that are not green. A test that was never reached says nothing: another one ended the process."""
        for test, result in zip(run.order, run.results, strict=True):
            if result.outcome is Outcome.PASSED:
                self.seconds[test] = result.seconds
            elif result.outcome is not Outcome.NOT_RUN:
                yield test, result


def name_of(test: str) -> str:
    """That of its function: a conftest.py above may have given it parameters.

    >>> name_of("tests/generated/test_books.py::test_add_book[a::b]")
    'test_add_book'
    """
    return test.partition("[")[0].rpartition("::")[2]


def reason(result: Result) -> str:
    """The first line of pytest's explanation, or what came out."""
    lines = (line.removeprefix("E").strip() for line in result.story.splitlines() if line.startswith("E "))
    return shown(next(filter(None, lines), str(result.outcome))[:_MOST_LETTERS])
