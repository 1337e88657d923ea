"""Which test covers what."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from unknot.model.suite import TestId


@dataclass(frozen=True)
class Coverage:
    """Elements, and for each test those that it covers, as a bitset over their positions.

    An element is whatever was counted: a line, a branch, a requirement. There may be elements that no test covers, and
    tests that cover nothing.
    """

    elements: tuple[str, ...]
    rows: Mapping[TestId, int]

    @classmethod
    def of(cls, covered: Mapping[str, Iterable[str]], others: Iterable[str] = ()) -> "Coverage":
        """From the names of what each test covers; `others` are elements that perhaps nobody covers. An element stands
        where it is first named. Cost: linear in the names."""
        place: dict[str, int] = {}
        members = {
            TestId(test): [place.setdefault(name, len(place)) for name in names] for test, names in covered.items()
        }
        for name in others:
            place.setdefault(name, len(place))
        return cls(tuple(place), {test: wide_bits(found) for test, found in members.items()})

    @cached_property
    def covered(self) -> int:
        """What the tests cover together."""
        return reduce(or_, self.rows.values(), 0)

    @property
    def uncovered(self) -> tuple[str, ...]:
        """What no test covers."""
        return self.names(((1 << len(self.elements)) - 1) & ~self.covered)

    def names(self, mask: int) -> tuple[str, ...]:
        return tuple(self.elements[place] for place in wide_positions(mask))


def wide_bits(positions: Iterable[int]) -> int:
    """As `bits`, for thousands of positions: linear in their number and the greatest of them, not in the product.

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


def wide_positions(mask: int) -> list[int]:
    """The members in rising order. Cost: linear in their number, and in the width at the pace of a text search.

    >>> wide_positions(1 << 9 | 1)
    [0, 9]
    """
    octets = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    return [found.start() * 8 + bit for found in _NOT_ZERO.finditer(octets) for bit in _BITS[found[0][0]]]


_NOT_ZERO = re.compile(rb"[^\x00]")
_BITS = tuple(tuple(bit for bit in range(8) if octet >> bit & 1) for octet in range(256))
