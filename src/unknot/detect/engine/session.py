"""Where a detector asks: one wrapper around the oracle that keeps what every answer says."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace

from unknot.detect.engine.findings import Findings
from unknot.detect.engine.pair_knowledge import Pairs
from unknot.detect.flaky.retries import Retrials
from unknot.detect.sieve.priorities import Clues
from unknot.hints.position import Suspects
from unknot.model.bits import bits
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle, Price

_LEAST_BREADTH = 4
"""Two halves at once would save little time, and cost every second request for nothing."""


@dataclass(frozen=True)
class Progress:
    """What a person may want to know while waiting. `planned` is how many orders the current step will ask, as far
    as is known."""

    step: str
    answered: int
    planned: int
    pairs_left: Callable[[], int]


class SearchSession:
    """Asks the oracle, counts, and remembers. Never asks the same request twice. `orders` and `tests` are what was
    run for the search, proofs and what was recalled aside. `clues` say whom to try first."""

    def __init__(
        self,
        suite: Suite,
        oracle: Oracle,
        suspects: Suspects,
        on_progress: Callable[[Progress], None],
        clues: Clues | None = None,
    ) -> None:
        self.suite = suite
        self.clues = clues or Clues(len(suite))
        self.findings = Findings([Outcome.PASSED] * len(suite))
        self.pairs = Pairs(len(suite))
        self.step = ""
        self.orders = 0
        self.tests = 0
        self._oracle = oracle
        self._on_progress = on_progress
        self._suspects: list[int] = []
        self.suspect(suspects)
        self.known: dict[OrderRequest, Run] = {}
        self._retrials = Retrials()
        self._is_proving = False
        self.knows_reference = False
        """Whether the reference order counts as seen although it was not asked."""

    @property
    def price(self) -> Price:
        return self._oracle.price

    def breadth(self, searches: int) -> int:
        """How many requests each of so many searches that go on side by side may ask at once, for none of them to
        wait for a worker; 1 where those would be too few to be worth it."""
        share = self.price.workers // max(1, searches)
        return share if share >= _LEAST_BREADTH else 1

    def request(self, positions: Iterable[int], attempt: int = 0) -> OrderRequest:
        return OrderRequest(self.suite.order(positions), attempt)

    def run_orders(self, requests: Sequence[OrderRequest]) -> Mapping[OrderRequest, Run]:
        """All answers, old and new. What was answered before a stop is kept."""
        new = [request for request in dict.fromkeys(requests) if request not in self.known]
        for answered, run in enumerate(self._oracle.run_orders(new) if new else (), start=1):
            self._keep(run.request, run)
            self._on_progress(Progress(self.step, answered, len(new), self.pairs_left))
        self._repeat_void(requests)
        return self.known

    def _keep(self, request: OrderRequest, run: Run) -> None:
        self.known[request] = run
        if not self._is_proving and run.executed:
            self.orders += 1
            self.tests += run.executed
        self.learn(run)

    @contextmanager
    def proving(self) -> Iterator[None]:
        """What is asked meanwhile is asked to show what is known, not to find it, and is not counted as its cost."""
        before, self._is_proving = self._is_proving, True
        try:
            yield
        finally:
            self._is_proving = before

    def _repeat_void(self, requests: Sequence[OrderRequest]) -> None:
        """Also of those answered before it was known who is flaky."""
        while self.findings.flaky:
            instead = {
                again: request
                for request in dict.fromkeys(requests)
                if (again := self._retrials.again(self.findings, request, self.outcomes(self.known[request])))
            }
            if not instead:
                break
            for run in self._oracle.run_orders(list(instead)):
                request = instead[run.request]
                self._keep(request, replace(run, request=request))

    def is_void(self, run: Run) -> bool:
        """Whether chance may have had a hand in it, so that it would be repeated if it were asked for again."""
        return self._retrials.is_void(self.findings, run.request, self.outcomes(run))

    def runs(self, requests: Sequence[OrderRequest]) -> list[Run]:
        answers = self.run_orders(requests)
        return [answers[request] for request in requests]

    def learn(self, run: Run) -> None:
        self.pairs.saw((test, outcome is self.findings.wanted[test]) for test, outcome in self.outcomes(run))

    def outcomes(self, run: Run) -> Iterator[tuple[int, Outcome]]:
        """The run's tests by position, each with what came out of it, in the order in which they ran."""
        index = self.suite.index
        return ((index[test], result.outcome) for test, result in zip(run.order, run.results, strict=True))

    def learn_again(self) -> None:
        """After what is wanted has changed."""
        self.pairs = Pairs(len(self.suite))
        if self.knows_reference:
            self.pairs.saw((test, not wanted.is_bad) for test, wanted in enumerate(self.findings.wanted))
        for run in self.known.values():
            self.learn(run)

    def is_as_wanted(self, run: Run) -> bool:
        """Whether the last test of the run did as wanted."""
        return run.last is self.findings.wanted[self.suite.index[run.order[-1]]]

    def after(self, group: Iterable[int], test: int, avoid: AbstractSet[int] = frozenset()) -> OrderRequest:
        """The test after the group and everything the group needs, without those to avoid where there is a choice."""
        company = self.findings.closed(group, avoid | {test})
        return self.request([*(other for other in company if other != test), test])

    def failing_closures(self, tests: Collection[int]) -> set[int]:
        """Which of these do not do as wanted with all that they are known to need, and nothing else."""
        runs = self.runs([self.request(self.findings.closure(test)) for test in tests])
        return {test for test, run in zip(tests, runs, strict=True) if not self.is_as_wanted(run)}

    def start_step(self, step: str, planned: int = 0) -> None:
        self.step = step
        self._on_progress(Progress(step, 0, planned, self.pairs_left))

    def suspect(self, suspects: Suspects) -> None:
        """From now on these may matter to each other, and nobody else."""
        size = len(self.suite)
        self._suspects = [suspects(test, size) for test in range(size)]

    def suspected(self, test: int) -> int:
        """All that may matter to the test when run before it, as a bitset."""
        return self._suspects[test]

    def suspects(self, test: int, other: int) -> bool:
        """Whether `other`, run before `test`, may matter to it."""
        return bool(self._suspects[test] >> other & 1)

    def pairs_left(self) -> int:
        """Ordered pairs about which nothing is known. Cost: a few operations on ints of n bits per test."""
        return sum(self.untried(test).bit_count() for test in range(len(self.suite)))

    def untried(self, test: int) -> int:
        """The tests, as a bitset, that may matter to this one and were never seen not to."""
        findings = self.findings
        if test in findings.flaky or findings.wanted[test].is_bad:
            return 0
        suspects = self._suspects[test]
        never_after = suspects & ~self.pairs.after[test]
        if never_after:
            # Neither who breaks it nor who cannot run without such a one, or without the test itself, can be tried.
            polluters = self.polluters_of(test)
            never_after &= ~bits(polluters | findings.stranded(polluters | {test}))
        never_without = 0
        if test not in findings.clauses or test in findings.unresolved:
            never_without = suspects & ((1 << test) - 1) & ~self.pairs.without[test]
        return never_without | never_after

    def polluters_of(self, test: int) -> frozenset[int]:
        return frozenset(
            polluter for known in self.findings.pollutions if known.victim == test for polluter in known.polluters
        )
