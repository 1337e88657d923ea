"""Cuts a suite into pieces, each safe by itself, that can be shared out over lanes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unknot.model.bits import bits
from unknot.plan.bitsets import Scale, members
from unknot.plan.constraints.ties import Ban, Ties, strikes_any


@dataclass(frozen=True)
class Piece:
    """`members` is closed under needs and safe in reference order. `avoids` are bans that could strike if tests were
    added; pieces without any may be joined freely. `last` pieces go to the end of their lane, in orders of their own.
    `whole` pieces are safe because they are the reference order's beginning: nothing may be added or left out."""

    members: int
    weight: float
    avoids: frozenset[Ban] = frozenset()
    last: bool = False
    whole: bool = False

    @property
    def joins_freely(self) -> bool:
        return not (self.avoids or self.last or self.whole)

    def may_join(self, other: "Piece") -> bool:
        """Whether the two are safe as one order."""
        if self.last or self.whole or other.last or other.whole:
            return False
        return not strikes_any(self.avoids | other.avoids, self.members | other.members)


def cut(ties: Ties, targets: Sequence[int], scale: Scale, most: float, groups: Sequence[str]) -> list[Piece]:
    """Pieces that together hold every target, with up to about `most` seconds of work found in no earlier piece.

    A group is cut only where it is longer than that; groups shorter than a quarter of it share a piece with the next.
    So there are at most about 8 * work / most pieces, however many tests and groups there are, unless conflicts without
    a cleaner force more. Cost: linear in targets, times the width of a bitset, plus the members of all pieces.
    """
    untaken = sinks(ties, targets)
    joined = [sink for sink in untaken if sink not in ties.apart]
    kept_apart = [sink for sink in untaken if sink in ties.apart]
    pieces = _fill(ties, _by_group(joined, groups), scale, most, groups)
    # Those that must avoid the same polluters can share an order.
    kept_apart.sort(key=lambda sink: sorted((ban.polluters, ban.cleaners) for ban in ties.apart[sink]))
    return pieces + _fill(ties, kept_apart, scale, most, groups)


def sinks(ties: Ties, targets: Sequence[int]) -> list[int]:
    """Targets that no other target takes with it, in the sequence given."""
    taken = 0
    for target in targets:
        taken |= ties.rows[target] ^ (1 << target)
    untaken = set(members(bits(targets) & ~taken))
    return [target for target in targets if target in untaken]


def _by_group(untaken: Iterable[int], groups: Sequence[str]) -> list[int]:
    """Groups in the sequence of their first member; a group's members need not stand together in reference order."""
    members_of: dict[str, list[int]] = {}
    for sink in untaken:
        members_of.setdefault(groups[sink], []).append(sink)
    return [sink for together in members_of.values() for sink in together]


class _Filling:
    """One piece while it grows. `fresh` is the work that no earlier piece does: cutting by it, and not by the piece's
    whole work, keeps many tests behind one long chain from giving a piece each."""

    def __init__(self) -> None:
        self.members = 0
        self.fresh = 0.0
        self.group = ""
        self.avoids: frozenset[Ban] = frozenset()

    def admits(self, row: int, avoids: frozenset[Ban], fresh: float, group: str, most: float) -> bool:
        room = most if group == self.group else most / 4
        if self.fresh + fresh > room:
            return False
        return not strikes_any(self.avoids | avoids, self.members | row)

    def add(self, row: int, avoids: frozenset[Ban], fresh: float, group: str) -> None:
        self.members |= row
        self.fresh += fresh
        self.group = group
        if avoids:
            self.avoids |= avoids

    def piece(self, scale: Scale) -> Piece:
        return Piece(self.members, scale.weigh(self.members), self.avoids)


def _fill(ties: Ties, untaken: Sequence[int], scale: Scale, most: float, groups: Sequence[str]) -> list[Piece]:
    filled: list[_Filling] = []
    seen = 0
    for sink in untaken:
        row, avoids, name = ties.rows[sink], ties.apart.get(sink, frozenset()), groups[sink]
        fresh = scale.weigh(row & ~seen)
        seen |= row
        if not filled or not filled[-1].admits(row, avoids, fresh, name, most):
            filled.append(_Filling())
        filled[-1].add(row, avoids, fresh, name)
    return [filling.piece(scale) for filling in filled]
