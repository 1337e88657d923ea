"""Sets of small integers (positions in a suite, numbers of elements) as Python ints."""

import re
from collections.abc import Iterable, Iterator, Sequence

_FEW = 64
"""Up to this many members, extracting them one by one is faster than scanning the whole width."""

_NOT_ZERO = re.compile(rb"[^\x00]")
_BITS = tuple(tuple(bit for bit in range(8) if octet >> bit & 1) for octet in range(256))


def bits(positions: Iterable[int]) -> int:
    """The bitset of a few positions.

    >>> bits([0, 2])
    5
    """
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def wide_bits(positions: Iterable[int]) -> int:
    """Like `bits`, for thousands of positions: linear in their number and the greatest of them, not in the product.

    >>> wide_bits([0, 9]) == 1 << 9 | 1
    True
    """
    octets = bytearray()
    for position in positions:
        place = position >> 3
        if place >= len(octets):
            octets.extend(bytes(place + 1 - len(octets)))
        octets[place] |= 1 << (position & 7)
    return int.from_bytes(octets, "little")


def positions(mask: int) -> Iterator[int]:
    """The members in rising order, one by one. Cost: linear in the number of members times the width of the mask.

    >>> list(positions(5))
    [0, 2]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def members(mask: int) -> list[int]:
    """The members in rising order, all at once, also for thousands of them. Cost: linear in their number and the width.

    >>> members(1 << 9 | 1)
    [0, 9]
    """
    if mask.bit_count() <= _FEW:
        return list(positions(mask))
    octets = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    return [found.start() * 8 + bit for found in _NOT_ZERO.finditer(octets) for bit in _BITS[found[0][0]]]


class WeightTable:
    """Weighs sets of positions.

    A table of all 256 sets of each eight neighbours makes a dense set cost an eighth of its width. It is built for the
    first dense set, in time linear in the number of weights.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = weights
        self._table: list[list[float]] = []

    def weigh(self, mask: int) -> float:
        if mask.bit_count() <= _FEW:
            return sum(self._weights[place] for place in positions(mask))
        if not self._table:
            self._table = [_subset_sums(self._weights[start : start + 8]) for start in range(0, len(self._weights), 8)]
        octets = mask.to_bytes(len(self._table), "little")
        return sum(sums[octet] for sums, octet in zip(self._table, octets, strict=True))


def _subset_sums(weights: Sequence[float]) -> list[float]:
    """The weight of each subset, the subset being the index read as a bitset."""
    sums = [0.0]
    for weight in weights:
        sums += [weight + other for other in sums]
    return sums
