"""Sets of positions as Python ints: the fastest set of small integers that Python has."""

from collections.abc import Iterable, Iterator


def bits(positions: Iterable[int]) -> int:
    """
    >>> bits([0, 2])
    5
    """
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def positions(mask: int) -> Iterator[int]:
    """The members in rising order. Cost: linear in the number of members times the width of the mask.

    >>> list(positions(5))
    [0, 2]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
