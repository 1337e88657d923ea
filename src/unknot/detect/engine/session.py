"""The search session: the one wrapper through which a detector runs orders. It records what every run shows."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from math import sqrt
from operator import or_

from unknot.detect.engine.findings import Findings
from unknot.detect.engine.outlook import SearchFacts, Stage, Work, work_left
from unknot.detect.flaky.retries import Retries
from unknot.hints.position import CandidateSource
from unknot.hints.recording import RecordedFlows
from unknot.model.bits import bits, positions
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle, Price

_MAX_SETS = 32
"""So many sets of tests after which a test failed, and as many after which it did not, are kept: the largest, and of
the latter the smallest too."""


class PairFacts:
    """For every test, as bitsets: which tests it behaved as expected *without*, *after*, and *directly after*; and the
    sets of working tests after which it did, and did not, as a whole.

    A fact is never withdrawn. One run without a test shows that this test alone is not needed. One run after it shows
    that it alone does not break the test, unless a third test in between hid that; "directly after" leaves no room for
    a third.
    """

    def __init__(self, size: int) -> None:
        self.without = [0] * size
        self.after = [0] * size
        self.directly_after = [0] * size
        self.worked_after: list[list[int]] = [[] for _ in range(size)]
        self.worked_after_few: list[list[int]] = [[] for _ in range(size)]
        self.failed_after: list[list[int]] = [[] for _ in range(size)]
        self._all_tests = (1 << size) - 1

    def record_order(self, order: Iterable[tuple[int, bool]]) -> None:
        """Takes an order as positions, each with whether the test behaved as expected. Cost: a few int operations per
        test."""
        before = worked = previous = 0
        for position, as_expected in order:
            mine = 1 << position
            if as_expected:
                self.without[position] |= self._all_tests & ~before
                self.after[position] |= worked
                self.directly_after[position] |= previous
                _keep(self.worked_after[position], worked, min)
                _keep(self.worked_after_few[position], worked, max)
                worked |= mine
            else:
                _keep(self.failed_after[position], worked, min)
            before |= mine
            # A failed test may not have changed the state that it usually changes.
            previous = mine if as_expected else 0


def _keep(sets: list[int], new: int, drop: Callable[..., int]) -> None:
    """Adds the set, and drops the smallest or largest one if there are too many."""
    if new in sets:
        return
    sets.append(new)
    if len(sets) > _MAX_SETS:
        sets.remove(drop(sets, key=int.bit_count))


_TINY = 12
"""In suites of so many tests each test is tried by itself where longer orders have ruled it out in company."""

_MIN_BREADTH = 4
"""Running only two halves at once would save little time and waste every second order."""


@dataclass(frozen=True)
class Outlook:
    """What was found so far, and seconds of work, done and left, by the predicted cost of orders. `left` is None as
    long as it cannot be predicted."""

    needs: int = 0
    conflicts: int = 0
    flaky: int = 0
    done: float = 0.0
    left: float | None = None

    def seconds_left(self, elapsed: float) -> float | None:
        """Until the end, for a search that has taken so long. Halfway between the predicted pace and the measured one,
        which differ most while the suite is recorded beside the search."""
        if self.left is None or not self.done:
            return None
        return self.left * sqrt(elapsed / self.done)


@dataclass(frozen=True)
class Progress:
    """What a user may want to know while waiting. `planned` is how many orders the current step will run, as far as
    known. `outlook` is about the whole search."""

    step: str
    answered: int
    planned: int
    pairs_left: Callable[[], int]
    outlook: Callable[[], Outlook] = Outlook


class SearchSession:
    """Runs orders, counts them, and keeps the runs. Never runs the same request twice. `orders` and `tests` count what
    was executed for the search, without proofs and recalled runs. `flows` say which tests to try first; if they are
    trusted, a test that they do not name has no effect. `reorders`: problems in any order count, not only among tests
    that keep the reference order."""

    def __init__(
        self,
        suite: Suite,
        oracle: Oracle,
        source: CandidateSource,
        on_progress: Callable[[Progress], None],
        flows: RecordedFlows | None = None,
        *,
        trusts_flows: bool = False,
        reorders: bool = False,
    ) -> None:
        self.suite = suite
        self.reorders = reorders
        self.is_small = False
        """Whether every test can be tried directly after every other."""
        self.flows = flows or RecordedFlows.none(len(suite))
        self.is_recorded = flows is not None
        self._trusts_flows = trusts_flows
        self.findings = Findings([Outcome.PASSED] * len(suite))
        self.pairs = PairFacts(len(suite))
        self.step = ""
        self.orders = 0
        self.tests = 0
        self._oracle = oracle
        self._on_progress = on_progress
        self._candidates: list[int] = []
        self.set_candidates(source)
        self.known: dict[OrderRequest, Run] = {}
        self._failures: defaultdict[int, list[Run]] = defaultdict(list)
        self._retries = Retries()
        self._is_proving = False
        self.stage = Stage.FIRST_RUNS
        self._brittle: AbstractSet[int] = frozenset()
        self._done = self._done_before_stage = Work()
        self._seconds = 0.0
        self.knows_reference = False
        """Whether the outcomes of the reference order are known although it was not run."""
        self.unchanged: frozenset[int] = frozenset()
        """Tests that an earlier detection has tried without and after each other. What such a test did without others,
        it did without new tests, too."""

    @property
    def price(self) -> Price:
        return self._oracle.price

    @property
    def branches(self) -> bool:
        """Whether orders that begin alike are worth more than short ones: the runner runs what they share once, the
        order of tests is free, and the suite is not small."""
        return self.reorders and self.price.shares_prefixes and not self.is_small

    @property
    def is_tiny(self) -> bool:
        """Whether nothing is ruled out by what was seen in company: each test is tried by itself."""
        return self.is_small and len(self.suite) <= _TINY

    def breadth(self, searches: int) -> int:
        """How many orders each of so many parallel searches may run at once without waiting for a worker; 1 if those
        would be too few to be worth it."""
        share = self.price.workers // max(1, searches)
        return share if share >= _MIN_BREADTH else 1

    def request(self, positions: Iterable[int], attempt: int = 0) -> OrderRequest:
        return OrderRequest(self.suite.order(positions), attempt)

    def run_orders(self, requests: Sequence[OrderRequest]) -> Mapping[OrderRequest, Run]:
        """Returns all runs, old and new. Runs that finished before a stop are kept."""
        new = [request for request in dict.fromkeys(requests) if request not in self.known]
        for answered, run in enumerate(self._oracle.run_orders(new) if new else (), start=1):
            self._keep(run.request, run)
            self._on_progress(Progress(self.step, answered, len(new), self.pairs_left, self.outlook))
        self._repeat_unreliable(requests)
        return self.known

    def _keep(self, request: OrderRequest, run: Run) -> None:
        self.known[request] = run
        if run.executed:
            self._done += Work(1, run.executed)
            self._seconds += sum(result.seconds for result in run.results[-run.executed :])
        if not self._is_proving and run.executed:
            self.orders += 1
            self.tests += run.executed
        self.learn(run)

    @contextmanager
    def proving(self) -> Iterator[None]:
        """Orders run meanwhile prove what is known and do not count as the cost of the search."""
        before, self._is_proving = self._is_proving, True
        try:
            yield
        finally:
            self._is_proving = before

    def _repeat_unreliable(self, requests: Sequence[OrderRequest]) -> None:
        """Includes runs that finished before a test in them was known to be flaky."""
        while self.findings.flaky:
            instead = {
                again: request
                for request in dict.fromkeys(requests)
                if (again := self._retries.again(self.findings, request, self.outcomes(self.known[request])))
            }
            if not instead:
                break
            for run in self._oracle.run_orders(list(instead)):
                request = instead[run.request]
                self._keep(request, replace(run, request=request))

    def is_unreliable(self, run: Run) -> bool:
        """Whether a flaky test may have spoilt the run, so that `run_orders` would repeat it."""
        return self._retries.is_unreliable(self.findings, run.request, self.outcomes(run))

    def runs(self, requests: Sequence[OrderRequest]) -> list[Run]:
        answers = self.run_orders(requests)
        return [answers[request] for request in requests]

    def learn(self, run: Run) -> None:
        expected = self.findings.expected
        tests = [
            (test, outcome is expected[test]) for test, outcome in self.outcomes(run) if outcome is not Outcome.NOT_RUN
        ]
        self.pairs.record_order(tests)
        for test, as_expected in tests:
            if not as_expected:
                self._failures[test].append(run)

    def failures(self, test: int) -> Sequence[Run]:
        """The runs in which the test did not behave as expected."""
        return self._failures[test]

    def fails_after(self, test: int, company: Iterable[int]) -> bool:
        """Whether runs imply that the test does not behave as expected after these: it did not after more, none of
        which breaks it, as another run shows."""
        members = bits(company)
        polluters = bits(self.polluters_of(test))
        return any(
            not members & ~failed
            and not failed & polluters
            and any(not failed & ~worked for worked in self.pairs.worked_after[test])
            for failed in self.pairs.failed_after[test]
        )

    def outcomes(self, run: Run) -> Iterator[tuple[int, Outcome]]:
        """The tests of the run by position, each with its outcome, in the order in which they ran."""
        index = self.suite.index
        return ((index[test], result.outcome) for test, result in zip(run.order, run.results, strict=True))

    def rebuild_pairs(self) -> None:
        """Call this after expected outcomes have changed."""
        self.pairs = PairFacts(len(self.suite))
        self._failures.clear()
        if self.knows_reference:
            self.pairs.record_order((test, not expected.is_bad) for test, expected in enumerate(self.findings.expected))
        for run in self.known.values():
            self.learn(run)
        for test in self.unchanged:
            self.pairs.without[test] = (1 << len(self.suite)) - 1
            self.pairs.after[test] |= bits(self.unchanged)

    def is_as_expected(self, run: Run) -> bool:
        """Whether the last test of the run behaved as expected."""
        return run.last is self.findings.expected[self.suite.index[run.order[-1]]]

    def worked_without(self, test: int, others: Iterable[int]) -> list[int] | None:
        """The tests that had worked before this one in some run in which it behaved as expected without any of the
        others; None if there is no such run."""
        gone = bits(others)
        found = [worked for worked in self.pairs.worked_after_few[test] if not worked & gone]
        return list(positions(min(found, key=int.bit_count))) if found else None

    def shown_harmless(self, test: int, hiding: Iterable[int] = ()) -> int:
        """The tests, as a bitset, after which the test behaved as expected in a run without those that might have
        hidden that they break it."""
        hidden_by = bits(hiding)
        return reduce(or_, (worked for worked in self.pairs.worked_after[test] if not worked & hidden_by), 0)

    def after(self, group: Iterable[int], test: int, avoid: AbstractSet[int] = frozenset()) -> OrderRequest:
        """The test after the group and everything the group needs. Tests in `avoid` are left out where there is a
        choice."""
        return self.request([*self.company(group, test, avoid), test])

    def company(self, group: Iterable[int], test: int, avoid: AbstractSet[int] = frozenset()) -> list[int]:
        """The group and everything it needs, without the test, as they run before it."""
        return [other for other in self.findings.closure_of(group, avoid | {test}) if other != test]

    def directly_after(self, first: int, second: int) -> OrderRequest:
        """The second test directly after the first, both with all that they need: no cleaner can hide a conflict."""
        closure = self.findings.closure
        company = self.findings.closure_of([*closure(first)[:-1], *closure(second)[:-1]], frozenset({second}))
        return self.request([*(member for member in company if member not in (first, second)), first, second])

    def after_untried(self, test: int) -> OrderRequest | None:
        """The test after all tests that may affect it and were never shown not to; None if there are none."""
        lost = self.findings.unrunnable_without({test, *self.polluters_of(test)})
        left = [other for other in positions(self.untried(test)) if other not in lost]
        return self.after([*left, *self.findings.closure(test)[:-1]], test) if left else None

    def failing_closures(self, tests: Collection[int]) -> set[int]:
        """Which of these do not behave as expected with all that they are known to need, and nothing else."""
        runs = self.runs([self.request(self.findings.closure(test)) for test in tests])
        return {test for test, run in zip(tests, runs, strict=True) if not self.is_as_expected(run)}

    def start_step(self, step: str, planned: int = 0) -> None:
        self.step = step
        self._on_progress(Progress(step, 0, planned, self.pairs_left, self.outlook))

    def enter(self, stage: Stage, brittle: AbstractSet[int] | None = None) -> None:
        """Says how far the search has got, for `outlook` only; and which tests are brittle, once that is known."""
        self.stage = stage
        self._done_before_stage = self._done
        if brittle is not None:
            self._brittle = frozenset(brittle)

    def outlook(self) -> Outlook:
        """Cost: linear in the tests."""
        findings = self.findings
        brittle = (self._brittle | findings.clauses.keys()) - findings.flaky
        victims = [
            test for test, runs in self._failures.items() if runs and test not in brittle and is_claimable(self, test)
        ]
        facts = SearchFacts(
            len(self.suite),
            self.stage,
            len(brittle),
            len(victims),
            sum(max(1, self.flows.may_be_broken_by[test].bit_count()) for test in victims),
            self.is_recorded,
            self.is_small,
        )
        mean_test = self._seconds / self._done.tests if self._done.tests else 0.0
        return Outlook(
            sum(map(len, findings.clauses.values())),
            len(findings.pollutions),
            len(findings.flaky),
            self._done.seconds(mean_test, self.price),
            work_left(facts, self._done - self._done_before_stage, mean_test, self.price),
        )

    def set_candidates(self, source: CandidateSource) -> None:
        """From now on only these tests may affect each other."""
        size = len(self.suite)
        self._candidates = [source(test, size) for test in range(size)]

    def candidates(self, test: int) -> int:
        """All tests that may affect this one when run before it, as a bitset."""
        return self._candidates[test]

    def rules_out(self, test: int, other: int) -> bool:
        """Whether trusted flows say that the other test has no effect on this one."""
        return self._trusts_flows and not self.flows.related(test) >> other & 1

    def may_affect(self, test: int, other: int) -> bool:
        """Whether `other`, run before `test`, may affect it."""
        return bool(self._candidates[test] >> other & 1)

    def pairs_left(self) -> int:
        """Ordered pairs about which nothing is known. Cost: a few operations on ints of n bits per test."""
        return sum(self.untried(test).bit_count() for test in range(len(self.suite)))

    def untried(self, test: int) -> int:
        """The tests, as a bitset, that may affect this one and were never shown not to."""
        findings = self.findings
        if test in findings.flaky or findings.expected[test].is_bad:
            return 0
        candidates = self._candidates[test]
        never_after = candidates & ~self.pairs.after[test]
        if never_after:
            # Polluters, tests that need one, and tests that need this test cannot be tried.
            polluters = self.polluters_of(test)
            never_after &= ~bits(polluters | findings.unrunnable_without(polluters | {test}))
        never_without = 0
        if test not in findings.clauses or test in findings.unresolved:
            never_without = candidates & ((1 << test) - 1) & ~self.pairs.without[test]
        return never_without | never_after

    def never_directly_after(self, test: int) -> int:
        """The tests, as a bitset, that may affect this one and directly after which it never behaved as expected, but
        might: without its polluters, what it needs, and tests that need it. None if nothing is claimed about it."""
        if not is_claimable(self, test):
            return 0
        left = self._candidates[test] & ~self.pairs.directly_after[test]
        if not left:
            return 0
        findings = self.findings
        return left & ~bits({*findings.closure(test), *self.polluters_of(test), *findings.unrunnable_without({test})})

    def polluters_of(self, test: int) -> frozenset[int]:
        return frozenset(
            polluter for known in self.findings.pollutions if known.victim == test for polluter in known.polluters
        )


def unexpected_tests(session: SearchSession, run: Run) -> Iterator[int]:
    """Tests that did not behave as expected, in the order in which they ran. Tests that were not reached do not
    count."""
    expected = session.findings.expected
    for test, outcome in session.outcomes(run):
        if outcome is not expected[test] and outcome is not Outcome.NOT_RUN:
            yield test


def is_claimable(session: SearchSession, test: int) -> bool:
    """Whether claims can be made about the test: it is not flaky and is expected to pass."""
    return test not in session.findings.flaky and not session.findings.expected[test].is_bad


def unexpected_claimable(session: SearchSession, run: Run) -> Iterator[int]:
    """The `unexpected_tests` about which claims can be made."""
    return (test for test in unexpected_tests(session, run) if is_claimable(session, test))


def last_test_failed(session: SearchSession, run: Run) -> bool:
    """Whether the last test of the run has a verdict, and not the expected one. A test that crashed or was not reached
    has none."""
    return run.last.is_verdict and not session.is_as_expected(run)
