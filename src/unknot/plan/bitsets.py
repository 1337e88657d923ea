"""Wide bitsets in bulk: their members and what they weigh, fast also where thousands are set."""

from collections.abc import Sequence

from unknot.model.bits import positions

_FEW = 64
"""Up to so many members, taking them out one by one beats looking at the whole width."""


def members(mask: int) -> list[int]:
    """The members in rising order. Cost: linear in the width, however many are set.

    >>> members(0b101)
    [0, 2]
    """
    if mask.bit_count() <= _FEW:
        return list(positions(mask))
    return [place for place, digit in enumerate(bin(mask)[:1:-1]) if digit == "1"]


class Scale:
    """Weighs sets of positions. A table of all 256 sets of each eight neighbours makes a dense set cost an eighth of
    its width; it is built when the first dense set comes, in time linear in the number of weights."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = weights
        self._table: list[list[float]] = []

    def weigh(self, mask: int) -> float:
        if mask.bit_count() <= _FEW:
            return sum(self._weights[place] for place in positions(mask))
        if not self._table:
            self._table = [_sums(self._weights[start : start + 8]) for start in range(0, len(self._weights), 8)]
        octets = mask.to_bytes(len(self._table), "little")
        return sum(sums[octet] for sums, octet in zip(self._table, octets, strict=True))


def _sums(weights: Sequence[float]) -> list[float]:
    """The weight of each subset, the subset being the index read as a bitset."""
    sums = [0.0]
    for weight in weights:
        sums += [weight + other for other in sums]
    return sums
