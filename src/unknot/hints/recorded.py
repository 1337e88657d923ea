"""Whom a recording of the suite makes suspicious: the flows that were seen, as rows over positions.

A recording may lack flows that nobody can see, and nearly all that it has are true and harmless. So it says what to ask
first; unless one chooses to trust it, nothing is concluded from it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unknot.model.bits import bits, positions
from unknot.model.recording import Recording
from unknot.model.suite import Suite

Rows = tuple[int, ...]
"""For each position a bitset: the tests that it may have to do with."""


@dataclass(frozen=True)
class Recorded:
    """`may_need`: whose work each test found when the suite ran in its own order. `may_be_broken_by`: who writes, at
    whatever time, something that it reads. `written_by`: the same, with those who only put back what was there before;
    they may clean up. All three are over the positions of the same suite."""

    may_need: Rows
    may_be_broken_by: Rows
    written_by: Rows

    @classmethod
    def of(cls, recording: Recording, suite: Suite) -> "Recorded":
        """Cost: linear in the pairs of a read and a write of the same location."""
        index = suite.index
        written = [0] * len(suite)
        for account in recording.accounts:
            writers = bits(index[write.test] for write in account.writes if write.test in index)
            for reader in {index[read.test] for read in account.reads if read.test in index}:
                written[reader] |= writers & ~(1 << reader)
        needed, broken = recording.may_need(suite).rows, recording.may_be_broken_by(suite).rows
        return cls(tuple(needed), tuple(broken), either_rows(written, broken))

    def among(self, whole: Suite, tests: Suite) -> "Recorded":
        """The same over the positions of `tests`, some of the `whole`."""
        if whole.tests == tests.tests:
            return self
        return Recorded(
            tuple(rows_among(self.may_need, whole, tests)),
            tuple(rows_among(self.may_be_broken_by, whole, tests)),
            tuple(rows_among(self.written_by, whole, tests)),
        )

    @property
    def suspects(self) -> list[int]:
        """For each test, as a bitset, all that it has to do with in one way or another."""
        return list(either_rows(self.may_need, self.written_by))


def rows_among(rows: Sequence[int], whole: Suite, tests: Suite) -> list[int]:
    """Rows over the positions of `whole`, told over those of `tests`, some of them."""
    index = tests.index
    kept = (rows[whole.index[test]] for test in tests.tests)
    return [bits(index[whole.tests[other]] for other in positions(row) if whole.tests[other] in index) for row in kept]


def either_rows(some: Iterable[int], others: Iterable[int]) -> Rows:
    """Row by row what either of the two has."""
    return tuple(one | other for one, other in zip(some, others, strict=True))
