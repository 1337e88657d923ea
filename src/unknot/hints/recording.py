"""Candidates from a recording of the suite: the flows between tests, as rows over positions.

A recording may lack flows that cannot be observed, and nearly all flows that it has are harmless. So it says what to
try first; unless the user chooses to trust it, nothing is concluded from it. Before a search halves all candidates, it
tries whether the few that share state with the test are sufficient. Wrong flows cost at most one order for each
narrower group, two in the search for setters.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unknot.model.bits import bits, positions
from unknot.model.candidates import Candidates
from unknot.model.recording import Recording
from unknot.model.suite import Suite

Rows = tuple[int, ...]
"""For each position a bitset: the tests that may affect it."""


@dataclass(frozen=True)
class RecordedFlows:
    """`may_need`: the tests whose state each test read when the suite ran in its own order. `may_be_broken_by`: the
    tests that write, at any time, something it reads. `written_by`: the same, with tests that only restore an earlier
    value; those may clean up. All three are over the positions of the same suite."""

    may_need: Rows
    may_be_broken_by: Rows
    written_by: Rows

    @classmethod
    def none(cls, size: int) -> "RecordedFlows":
        """For a suite of this size that was not recorded."""
        return cls((0,) * size, (0,) * size, (0,) * size)

    @classmethod
    def of(cls, recording: Recording, suite: Suite) -> "RecordedFlows":
        """All programs count as one location: one may read what another wrote. Cost: linear in the reads and writes of
        every location."""
        index = suite.index
        written, broken = [0] * len(suite), [0] * len(suite)
        needed = list(recording.may_need(suite).rows)
        programs = [account for account in recording.accounts if account.location.kind == "subprocess"]
        starting = bits(index[write.test] for each in programs for write in each.writes if write.test in index)
        for test in positions(starting):
            needed[test] |= starting & ((1 << test) - 1)
            written[test] = broken[test] = starting & ~(1 << test)
        for account in recording.accounts:
            writers = bits(index[write.test] for write in account.writes if write.test in index)
            restoring = bits(index[write.test] for write in account.writes if write.test in index and write.restored)
            for reader in {index[read.test] for read in account.reads if read.test in index}:
                written[reader] |= writers & ~(1 << reader)
                broken[reader] |= writers & ~restoring & ~(1 << reader)
        return cls(tuple(needed), tuple(broken), tuple(written))

    def among(self, whole: Suite, tests: Suite) -> "RecordedFlows":
        """The same over the positions of `tests`, a part of `whole`."""
        if whole.tests == tests.tests:
            return self
        return RecordedFlows(
            tuple(rows_among(self.may_need, whole, tests)),
            tuple(rows_among(self.may_be_broken_by, whole, tests)),
            tuple(rows_among(self.written_by, whole, tests)),
        )

    def related(self, test: int) -> int:
        """All tests, as a bitset, that this one shares state with: they may serve it, break it, or clean up."""
        return self.may_need[test] | self.written_by[test]

    def is_cleaned(self, test: int) -> bool:
        """Whether something that it reads is restored by other tests, which may hide that a writer breaks it."""
        return bool(self.written_by[test] & ~self.may_be_broken_by[test])

    def setters(self, test: int, pool: Sequence[int]) -> list[Sequence[int]]:
        """Groups of the pool that may be sufficient to serve the test, the smallest first."""
        return _small_groups((self.may_need[test], self.related(test)), pool)

    def polluters(self, victim: int, pool: Sequence[int]) -> list[Sequence[int]]:
        """Groups of the pool that may be sufficient to break the victim."""
        return _small_groups((self.may_be_broken_by[victim],), pool)


def _small_groups(rows: Sequence[int], pool: Sequence[int]) -> list[Sequence[int]]:
    """Without groups too large to save an order: halving the pool would show as much."""
    found: list[Sequence[int]] = []
    for row in rows:
        group = [test for test in pool if row >> test & 1]
        if group and 2 * len(group) <= len(pool) and group not in found:
            found.append(group)
    return found


def rows_among(rows: Sequence[int], whole: Suite, tests: Suite) -> list[int]:
    """Converts rows over the positions of `whole` to positions of `tests`, a part of it."""
    index = tests.index
    kept = (rows[whole.index[test]] for test in tests.tests)
    return [bits(index[whole.tests[other]] for other in positions(row) if whole.tests[other] in index) for row in kept]


def either_rows(some: Iterable[int], others: Iterable[int]) -> Rows:
    """Row by row what either of the two has."""
    return tuple(one | other for one, other in zip(some, others, strict=True))


def flows_from_candidates(candidates: Candidates) -> RecordedFlows:
    """Candidates as flows. A test may need the earlier tests that it forms a candidate with, and any of them may break
    it, whichever runs first: of two tests that use the same value, either can break the other."""
    rows = candidates.graph.rows
    either = either_rows(rows, transposed(rows))
    return RecordedFlows(tuple(rows), either, either)


def combine_flows(one: RecordedFlows | None, other: RecordedFlows | None) -> RecordedFlows | None:
    """Row by row what either of two has, over the same suite."""
    if one is None or other is None:
        return one or other
    return RecordedFlows(
        either_rows(one.may_need, other.may_need),
        either_rows(one.may_be_broken_by, other.may_be_broken_by),
        either_rows(one.written_by, other.written_by),
    )


def transposed(rows: Sequence[int]) -> list[int]:
    """For each position a bitset: the positions whose rows have it."""
    columns = [0] * len(rows)
    for position, row in enumerate(rows):
        for other in positions(row):
            columns[other] |= 1 << position
    return columns
