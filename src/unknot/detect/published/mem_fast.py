"""MEM-FAST: build sequences that pass, the shortest first, until every test stands at the end of one.

Polverino, Di Lauro, Biagiola, Tonella, Carzaniga: Parallelization in System-level Testing, IEEE TSE 2025.

Idea
    Run each test alone and remember those that pass. Append each failing test to the remembered sequences, rank by
    rank, the shorter ones first; where it passes, the sequence is what it needs, and the two together are remembered.
    A test at position r has at most r tests before it: if it still fails at that rank, it needs several sequences at
    once, and every sequence of earlier tests that passes is grown and tried, length by length.
Assumptions
    Every need is a single test, all in reference order, and nobody pollutes.
    The published lines are read with three corrections, or the graph would be wrong under its own assumptions: the
    exhaustive search is for a test that still fails only; a test that passes after a sequence needs all of it, not
    only its last test; and after an exhaustive search, which remembers sequences of any length, the ranks begin again
    at the shortest of these, or a longer sequence with a test too many would be taken first.
    An either-or need is met by the first alternative that is tried, and told as a plain one.
Guarantee
    Under these assumptions, if it comes to its end, the edges are the transitive reduction of the truth. It ends early,
    and the result says so, when more sequences would have to be remembered than allowed; an exhaustive search usually
    meets that bound or the budget first. In any suite what is told was seen in two runs that differ in nothing but the
    prerequisite, and if the result is complete every closure passes; stopped at any moment, what was seen so far is
    told.
Cost
    n orders of one test for an independent suite. Where no test needs two that do not need each other, at most
    n + n(n - 1) / 2 orders. Otherwise exponential in the size of the largest closure, in orders and in memory.
    The ranks of all failing tests go on side by side, which changes nothing in what is asked. An exhaustive search
    asks one order at a time: it ends at the first that passes, and a batch would ask for more.
"""

from collections import Counter
from collections.abc import Iterator

from unknot.detect.engine.deviation import failed_in_the_end, may_be_claimed_about
from unknot.detect.engine.findings import Sight
from unknot.detect.engine.options import DEFAULT_OPTIONS, Options, ProgressCallback, no_progress
from unknot.detect.engine.parallel import Search, side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.published.edges import Edges
from unknot.detect.published.refinement import carry_out
from unknot.detect.published.repair import check_closures
from unknot.detect.published.sequences import Sequences
from unknot.model.bits import positions
from unknot.model.dependencies import Dependencies
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Suite
from unknot.oracle.protocol import Oracle


def mem_fast(
    suite: Suite, oracle: Oracle, options: Options = DEFAULT_OPTIONS, on_progress: ProgressCallback = no_progress
) -> Dependencies:
    """A detector; see the module for what it guarantees."""
    return carry_out("mem-fast", _search, suite, oracle, options, on_progress, check=check_closures)


def _search(session: SearchSession, options: Options) -> bool:
    search = _MemFast(session, options.most_sequences)
    with search.edges.stored_if_stopped(session.findings):
        search.run()
    search.edges.reduce()
    search.edges.store_in(session.findings)
    session.findings.give_up_on(search.failing)
    return not search.failing


class _MemFast:
    """`failing` are the tests that stand at the end of no sequence that passes, rising."""

    def __init__(self, session: SearchSession, most_sequences: int) -> None:
        self._session = session
        self._passing = Sequences(most_sequences)
        self._tried: Counter[tuple[int, int]] = Counter()
        """How many of the sequences of a length were tried before a test, by test and length."""
        self.edges = Edges(len(session.suite))
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
        tests = [test for test in range(len(self._session.suite)) if may_be_claimed_about(self._session, test)]
        self._session.start_step("running each test alone", len(tests))
        runs = self._session.runs([self._session.request([test]) for test in tests])
        for test, run in zip(tests, runs, strict=True):
            if self._session.is_as_wanted(run):
                self._passing.remember(1 << test)
            else:
                self.failing.append(test)

    def _append_to_sequences_of(self, length: int) -> None:
        self._session.start_step(f"appending tests that fail to sequences of {length}", len(self.failing))
        side_by_side({test: self._append(test, length) for test in self.failing}, self._session.run_orders)

    def _append(self, test: int, length: int) -> Search[None]:
        for sequence in self._passing.of_length(length, self._tried[test, length]):
            self._tried[test, length] += 1
            if sequence >> test == 0:
                (run,) = yield [self._after(sequence, test)]
                if self._session.is_as_wanted(run):
                    self._serve(test, sequence)
                    return

    def _search_exhaustively(self, test: int) -> int:
        """Returns the length of the shortest sequence that it added, 0 if none."""
        self._session.start_step("growing every sequence that passes")
        shortest = 0
        for sequence in self._grown(test):
            (run,) = self._session.runs([self._after(sequence, test)])
            passes = self._session.is_as_wanted(run)
            if (passes or self._grew(run)) and self._passing.remember(sequence):
                shortest = shortest or sequence.bit_count()
            if passes:
                self._serve(test, sequence)
            if passes or self._passing.is_full:
                break
        return shortest

    def _grown(self, test: int) -> Iterator[int]:
        """Sequences of tests before this one, each a sequence that passes and one test more, the shorter first."""
        for length in range(1, test):
            for sequence in self._passing.of_length(length):
                for another in range(sequence.bit_length(), test):
                    yield sequence | 1 << another

    def _grew(self, run: Run) -> bool:
        """Whether the last but one, which was appended, did as wanted."""
        appended = self._session.suite.index[run.order[-2]]
        return run.results[-2].outcome is self._session.findings.wanted[appended]

    def _serve(self, test: int, sequence: int) -> None:
        self.failing.remove(test)
        self.edges.rows[test] = sequence
        self.edges.rows[test] = self.edges.not_implied(test, sequence)
        for needed in positions(self.edges.rows[test]):
            without = sequence & ~(1 << needed)
            run = self._session.known.get(self._after(without, test))
            if run is not None and failed_in_the_end(self._session, run):
                self._session.findings.sights[test, needed] = Sight(
                    tuple(positions(sequence)), tuple(positions(without))
                )
        self._passing.remember(sequence | 1 << test)

    def _after(self, sequence: int, test: int) -> OrderRequest:
        return self._session.request([*positions(sequence), test])
