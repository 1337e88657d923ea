"""The graph that a published detector works on: single needs, each pointing from a test to an earlier one.

Idea
    One int for each test holds what it is thought to need. As every edge points to an earlier test, whatever is
    reached is found by going from the latest to the earliest, each test once.
Assumptions
    None: these are thoughts, not findings. What is told of them, `store_in` and `stored_if_stopped` decide.
Guarantee
    `store_in` marks every need as perhaps not the only way: the published detectors look for one test that serves, and
    never ask who else would.
Cost
    A closure takes one operation on ints of n bits for each of its members.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from unknot.detect.engine.findings import Clause, Findings
from unknot.model.bits import bits, positions
from unknot.model.errors import BudgetExhausted
from unknot.model.graph import DependencyGraph


class Edges:
    """`rows[t]` is the bitset of what t is thought to need; all of it stands before t."""

    def __init__(self, size: int) -> None:
        self.rows = [0] * size

    @classmethod
    def of(cls, findings: Findings, size: int) -> "Edges":
        """What was told."""
        edges = cls(size)
        for test, clauses in findings.clauses.items():
            edges.rows[test] = bits(clause.any_of[0] for clause in clauses)
        return edges

    def reached_from(self, tests: int) -> int:
        """These tests and whatever they need, directly or not."""
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
        """Those among what the test needs that do not come along with something else that it needs."""
        reached = 0
        waiting = self.rows[test]
        while waiting and among:
            latest = waiting.bit_length() - 1
            reached |= 1 << latest
            among &= ~self.rows[latest]
            waiting = (waiting | self.rows[latest]) & ~reached
        return among

    def needed_by_nobody(self) -> list[int]:
        """The tests whose closures are no part of another's: together these closures hold every test."""
        needed = 0
        for row in self.rows:
            needed |= row
        return [test for test in range(len(self.rows)) if not needed >> test & 1]

    def reduce(self) -> None:
        """Leaves out what follows from the rest."""
        whole = DependencyGraph(len(self.rows))
        whole.rows = self.rows
        self.rows = whole.reduction().rows

    def store_in(self, findings: Findings) -> None:
        for test, row in enumerate(self.rows):
            findings.learn(test, tuple(Clause((needed,), complete=False) for needed in positions(row)))

    @contextmanager
    def stored_if_stopped(self, findings: Findings) -> Iterator[None]:
        """Whatever stops the search: the edges that two runs have shown are told, and nobody counts as understood."""
        try:
            yield
        except (BudgetExhausted, KeyboardInterrupt):
            for test, row in enumerate(self.rows):
                self.rows[test] = bits(needed for needed in positions(row) if (test, needed) in findings.sights)
            self.store_in(findings)
            findings.give_up_on(range(len(self.rows)))
            raise
