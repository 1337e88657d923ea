"""Which tests a search tries first, by what a recording shows.

Idea
    Before a search halves all candidates, it tries whether the few that share state with the test are sufficient. If
    so, it continues among them.
Guarantee
    Priorities change only the sequence of orders, never a result, unless the recording is trusted. Wrong priorities
    cost at most one order for each narrower group, two in the search for setters.
"""

from collections.abc import Sequence

from unknot.hints.recording import RecordedFlows, Rows
from unknot.model.bits import positions


class Priorities:
    """Over the positions of a session; empty without a recording. A trusted recording rules out the tests it does not
    name."""

    def __init__(self, size: int, recorded: RecordedFlows | None = None, *, trusted: bool = False) -> None:
        nothing = (0,) * size
        self._needed: Rows = recorded.may_need if recorded else nothing
        self._broken: Rows = recorded.may_be_broken_by if recorded else nothing
        self._written: Rows = recorded.written_by if recorded else nothing
        self._is_trusted = trusted

    def needed(self, test: int) -> int:
        """The tests whose state this one read in the reference order, as a bitset."""
        return self._needed[test]

    def setters(self, test: int, pool: Sequence[int]) -> list[Sequence[int]]:
        """Groups of the pool that may be sufficient to serve the test, the smallest first."""
        return _small_groups((self._needed[test], self._needed[test] | self._written[test]), pool)

    def polluters(self, victim: int, pool: Sequence[int]) -> list[Sequence[int]]:
        """Groups of the pool that may be sufficient to break the victim."""
        return _small_groups((self._broken[victim],), pool)

    def substitutes(self, test: int) -> frozenset[int]:
        """Tests that may do to this test what another does: serve it, break it, or clean up."""
        return frozenset(positions(self._needed[test] | self._written[test]))

    def rules_out(self, test: int, other: int) -> bool:
        """Whether the other test is taken to have no effect on this one."""
        return self._is_trusted and not (self._needed[test] | self._written[test]) >> other & 1


def _small_groups(rows: Sequence[int], pool: Sequence[int]) -> list[Sequence[int]]:
    """Without groups too large to save an order: halving the pool would show as much."""
    found: list[Sequence[int]] = []
    for row in rows:
        group = [test for test in pool if row >> test & 1]
        if group and 2 * len(group) <= len(pool) and group not in found:
            found.append(group)
    return found
