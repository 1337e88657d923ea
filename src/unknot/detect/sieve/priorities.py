"""What a recording suggests to a search: whom to try first.

Idea
    Before a search halves all candidates, it asks whether the few that were seen to have to do with the test are
    enough. Where they are, it goes on among them.
Guarantee
    A clue decides nothing: it only changes the sequence in which things are asked, so that a wrong one costs orders,
    and at most one for each narrower circle (two where setters are sought), never a result. Unless it is trusted.
"""

from collections.abc import Sequence

from unknot.hints.recorded import Recorded, Rows
from unknot.model.bits import positions


class Clues:
    """Over the positions of a session; none without a recording. One that is trusted rules out whom it does not
    name."""

    def __init__(self, size: int, recorded: Recorded | None = None, *, trusted: bool = False) -> None:
        nothing = (0,) * size
        self._needed: Rows = recorded.may_need if recorded else nothing
        self._broken: Rows = recorded.may_be_broken_by if recorded else nothing
        self._written: Rows = recorded.written_by if recorded else nothing
        self._is_trusted = trusted

    def needed(self, test: int) -> int:
        """Whose work the test found in the reference order, as a bitset."""
        return self._needed[test]

    def setters(self, test: int, pool: Sequence[int]) -> list[Sequence[int]]:
        """Circles of the pool that may be enough to serve the test, the narrowest first."""
        return _circles((self._needed[test], self._needed[test] | self._written[test]), pool)

    def polluters(self, victim: int, pool: Sequence[int]) -> list[Sequence[int]]:
        """Circles of the pool that may be enough to break the victim."""
        return _circles((self._broken[victim],), pool)

    def stand_ins(self, test: int) -> frozenset[int]:
        """Who may do to the test what another does: serve, break, or clean up."""
        return frozenset(positions(self._needed[test] | self._written[test]))

    def rules_out(self, test: int, other: int) -> bool:
        """Whether it is taken for granted that the other does nothing to the test."""
        return self._is_trusted and not (self._needed[test] | self._written[test]) >> other & 1


def _circles(rows: Sequence[int], pool: Sequence[int]) -> list[Sequence[int]]:
    """Without those too wide to save an order: halving the pool would tell as much."""
    found: list[Sequence[int]] = []
    for row in rows:
        circle = [test for test in pool if row >> test & 1]
        if circle and 2 * len(circle) <= len(pool) and circle not in found:
            found.append(circle)
    return found
