"""MEM-FAST: build passing sequences, the shortest first, until every test is at the end of one.

Reference
    Polverino, Di Lauro, Biagiola, Tonella, Carzaniga: Parallelization in System-level Testing, IEEE TSE 2025.
Idea
    Run each test alone and remember those that pass. Append each failing test to the remembered sequences, rank by
    rank, the shorter ones first; if it passes, the sequence is what it needs, and both together are remembered. A test
    at position r has at most r tests before it: if it still fails at that rank, it needs several sequences at once, and
    every passing sequence of earlier tests is extended and tried, length by length.
Assumptions
    Every need is a single test, all in reference order, and there are no polluters. Of a need with alternatives, the
    first that is tried is reported as a single need.
Guarantee
    Under these assumptions, if it reaches its end, the edges are the transitive reduction of the truth. It stops early,
    and the result says so, when more sequences would have to be remembered than allowed; an exhaustive search usually
    reaches that limit or the budget first. In any suite, what is reported was shown by two runs that differ in nothing
    but the prerequisite, and if the result is complete every closure passes; stopped at any moment, what was shown so
    far is reported.
Cost
    n orders of one test for an independent suite. If no test needs two that do not need each other, at most
    n + n(n - 1) / 2 orders. Otherwise exponential in the size of the largest closure, in orders and in memory.
    The ranks of all failing tests run side by side, which changes nothing in what is run. An exhaustive search runs one
    order at a time: it ends at the first that passes, and a batch would run more.
Differs from the paper
    Three corrections, without which the graph would be wrong under the paper's own assumptions: the exhaustive search
    is only for a test that still fails; a test that passes after a sequence needs all of it, not only its last test;
    and after an exhaustive search, which remembers sequences of any length, the ranks begin again at the shortest of
    these, or a longer sequence with a test too many would be taken first.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import count

from unknot.detect.engine.options import Options
from unknot.detect.engine.parallel import Search, run_searches
from unknot.detect.engine.session import SearchSession, is_claimable, last_test_failed
from unknot.detect.published.driver import PublishedDetector
from unknot.detect.published.graph import NeedGraph
from unknot.detect.published.repair import check_closures
from unknot.model.bits import positions
from unknot.model.run import OrderRequest, Run


class PassingSequences:
    """Remembers sequences of tests in reference order, each as a bitset; never more than `most`.

    Cost: an int and a table entry for each sequence, some 150 bytes and n bits.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[int] = set()
        self._by_length: dict[int, list[int]] = {}
        self.is_full = False
        """Whether one could not be remembered."""

    def remember(self, sequence: int) -> bool:
        """Returns whether it is new and there was room for it."""
        if sequence in self._known:
            return False
        if len(self._known) == self._most:
            self.is_full = True
            return False
        self._known.add(sequence)
        self._by_length.setdefault(sequence.bit_count(), []).append(sequence)
        return True

    def of_length(self, length: int, start: int = 0) -> Iterator[int]:
        """In the sequence remembered, starting at that number; includes those remembered meanwhile."""
        known = self._by_length.setdefault(length, [])
        for place in count(start):
            if place >= len(known):
                return
            yield known[place]


def _search(session: SearchSession, options: Options) -> bool:
    search = _MemFast(session, options.max_sequences)
    with search.edges.stored_if_stopped(session.findings):
        search.run()
    search.edges.reduce()
    search.edges.store_in(session.findings)
    session.findings.mark_unresolved(search.failing)
    return not search.failing


class _MemFast:
    """`failing` are the tests that are at the end of no passing sequence, in rising order."""

    def __init__(self, session: SearchSession, max_sequences: int) -> None:
        self._session = session
        self._passing = PassingSequences(max_sequences)
        self._tried: Counter[tuple[int, int]] = Counter()
        """By test and length: how many of the sequences of this length were tried before the test."""
        self.edges = NeedGraph(len(session.suite))
        self.failing: list[int] = []

    def run(self) -> None:
        self._isolate()
        rank = 1
        while rank <= len(self._session.suite) and self.failing and not self._passing.is_full:
            self._append_to_sequences_of(rank)
            last_chance = rank - 1
            if last_chance in self.failing and not self._passing.is_full:
                rank = self._search_exhaustively(last_chance) or rank + 1
            else:
                rank += 1

    def _isolate(self) -> None:
        tests = [test for test in range(len(self._session.suite)) if is_claimable(self._session, test)]
        self._session.start_step("running each test alone", len(tests))
        runs = self._session.runs([self._session.request([test]) for test in tests])
        for test, run in zip(tests, runs, strict=True):
            if self._session.is_as_expected(run):
                self._passing.remember(1 << test)
            else:
                self.failing.append(test)

    def _append_to_sequences_of(self, length: int) -> None:
        self._session.start_step(f"appending tests that fail to sequences of {length}", len(self.failing))
        run_searches({test: self._append(test, length) for test in self.failing}, self._session.run_orders)

    def _append(self, test: int, length: int) -> Search[None]:
        for sequence in self._passing.of_length(length, self._tried[test, length]):
            self._tried[test, length] += 1
            if sequence >> test == 0:
                (run,) = yield [self._after(sequence, test)]
                if self._session.is_as_expected(run):
                    self._serve(test, sequence)
                    return

    def _search_exhaustively(self, test: int) -> int:
        """Returns the length of the shortest sequence that it added, 0 if none."""
        self._session.start_step("growing every sequence that passes")
        shortest = 0
        for sequence in self._grown(test):
            (run,) = self._session.runs([self._after(sequence, test)])
            passes = self._session.is_as_expected(run)
            if (passes or self._grew(run)) and self._passing.remember(sequence):
                shortest = shortest or sequence.bit_count()
            if passes:
                self._serve(test, sequence)
            if passes or self._passing.is_full:
                break
        return shortest

    def _grown(self, test: int) -> Iterator[int]:
        """Sequences of tests before this one, each a passing sequence and one more test, the shorter first."""
        for length in range(1, test):
            for sequence in self._passing.of_length(length):
                for another in range(sequence.bit_length(), test):
                    yield sequence | 1 << another

    def _grew(self, run: Run) -> bool:
        """Whether the appended test, the last but one, behaved as expected."""
        appended = self._session.suite.index[run.order[-2]]
        return run.results[-2].outcome is self._session.findings.expected[appended]

    def _serve(self, test: int, sequence: int) -> None:
        self.failing.remove(test)
        self.edges.rows[test] = sequence
        self.edges.rows[test] = self.edges.not_implied(test, sequence)
        for needed in positions(self.edges.rows[test]):
            without = sequence & ~(1 << needed)
            run = self._session.known.get(self._after(without, test))
            if run is not None and last_test_failed(self._session, run):
                self._session.findings.observe_need(test, needed, positions(sequence), positions(without))
        self._passing.remember(sequence | 1 << test)

    def _after(self, sequence: int, test: int) -> OrderRequest:
        return self._session.request([*positions(sequence), test])


mem_fast = PublishedDetector("mem-fast", _search, check=check_closures)
