"""The graph that a published detector works on: single needs, each pointing from a test to an earlier one.

Idea
    One int for each test holds its presumed needs. As every edge points to an earlier test, a closure is found by going
    from the latest test to the earliest, each test once.
Assumptions
    None: edges are hypotheses, not findings. `store_in` and `stored_if_stopped` decide which of them are reported.
Guarantee
    `store_in` marks every need as possibly having alternatives: the published detectors search for one test that
    serves, and never for others that would.
Cost
    A closure takes one operation on ints of n bits for each of its members.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from unknot.detect.engine.findings import Clause, Findings
from unknot.detect.engine.options import Options
from unknot.detect.engine.session import SearchSession
from unknot.model.bits import bits, positions
from unknot.model.errors import BudgetExhausted
from unknot.model.graph import DependencyGraph


def candidate_rows(session: SearchSession, options: Options) -> list[int]:
    """For each test of the session, as a bitset, the tests it may need; without candidates, every earlier one."""
    if options.candidates is None:
        return [(1 << test) - 1 for test in range(len(session.suite))]
    return options.candidates.rows


def earlier_only(rows: list[int]) -> list[int]:
    """Without edges to later tests: the reference order says nothing about them."""
    return [row & ((1 << test) - 1) for test, row in enumerate(rows)]


def components(rows: list[int]) -> list[int]:
    """The weakly connected components that have an edge, as bitsets, in the order of their first tests.

    >>> components([0, 0, 0b1, 0b10, 0])
    [5, 10]
    """
    found: list[int] = []
    for test, row in enumerate(rows):
        if row:
            joined = row | 1 << test
            for touched in [other for other in found if other & joined]:
                found.remove(touched)
                joined |= touched
            found.append(joined)
    return sorted(found, key=lambda members: members & -members)


class NeedGraph:
    """`rows[t]` is the bitset of the presumed needs of t; all of them precede t."""

    def __init__(self, size: int) -> None:
        self.rows = [0] * size

    @classmethod
    def of(cls, findings: Findings, size: int) -> "NeedGraph":
        """The needs stored in the findings."""
        edges = cls(size)
        for test, clauses in findings.clauses.items():
            edges.rows[test] = bits(clause.any_of[0] for clause in clauses)
        return edges

    def reached_from(self, tests: int) -> int:
        """These tests and everything they need, directly or not."""
        reached = 0
        waiting = tests
        while waiting:
            latest = waiting.bit_length() - 1
            reached |= 1 << latest
            waiting = (waiting | self.rows[latest]) & ~reached
        return reached

    def closure(self, test: int) -> int:
        return self.reached_from(1 << test)

    def not_implied(self, test: int, among: int) -> int:
        """Those among the needs of the test that no other need of it implies."""
        reached = 0
        waiting = self.rows[test]
        while waiting and among:
            latest = waiting.bit_length() - 1
            reached |= 1 << latest
            among &= ~self.rows[latest]
            waiting = (waiting | self.rows[latest]) & ~reached
        return among

    def not_needed_by_others(self) -> list[int]:
        """The tests whose closures are part of no other closure: together these closures have every test."""
        needed = 0
        for row in self.rows:
            needed |= row
        return [test for test in range(len(self.rows)) if not needed >> test & 1]

    def reduce(self) -> None:
        """Transitive reduction: drops edges that follow from the rest."""
        whole = DependencyGraph(len(self.rows))
        whole.rows = self.rows
        self.rows = whole.reduction().rows

    def store_in(self, findings: Findings) -> None:
        for test, row in enumerate(self.rows):
            findings.learn(test, tuple(Clause((needed,), complete=False) for needed in positions(row)))

    @contextmanager
    def stored_if_stopped(self, findings: Findings) -> Iterator[None]:
        """If the search is stopped: stores the edges that two runs have shown, and marks every test as unresolved."""
        try:
            yield
        except (BudgetExhausted, KeyboardInterrupt):
            for test, row in enumerate(self.rows):
                self.rows[test] = bits(needed for needed in positions(row) if (test, needed) in findings.observed_needs)
            self.store_in(findings)
            findings.mark_unresolved(range(len(self.rows)))
            raise
