"""Positions as short texts: proofs and untried pairs of large suites are mostly neighbours."""

import re
from collections.abc import Iterable

_ONES = re.compile("1+")


def spans(positions: Iterable[int]) -> str:
    """The positions in the order given, neighbours that ascend put together. `model.js` reads it back.

    >>> spans([4, 5, 6, 2, 9])
    '4-6 2 9'
    """
    found: list[list[int]] = []
    for position in positions:
        if found and position == found[-1][1] + 1:
            found[-1][1] = position
        else:
            found.append([position, position])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def bit_spans(bits: int) -> str:
    """The same for the positions in a bitset, or the bitset in hexadecimal after an x where that is shorter. Cost:
    linear in its width.

    >>> bit_spans(0b101 << 90), bit_spans(0x5555)
    ('90 92', 'x5555')
    """
    dense = f"x{bits:x}"
    # Each run of ones takes a digit and a blank at least.
    if 2 * (bits & ~(bits << 1)).bit_count() > len(dense) + 1:
        return dense
    backwards = f"{bits:b}"[::-1]
    runs = ((found.start(), found.end() - 1) for found in _ONES.finditer(backwards))
    told = " ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
    return dense if len(dense) < len(told) else told
