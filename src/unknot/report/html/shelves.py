"""Boxes on shelves: where each must stand so that all of them together have about the form of a window."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

_TRIES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.7, 2.0)


class Size(NamedTuple):
    width: int
    height: int


Corner = tuple[int, int]


@dataclass
class _Slot:
    """A pile of boxes on a shelf; `used` is how high it is."""

    left: int
    width: int
    used: int


def best_packing(sizes: Sequence[Size], wide: float, apart: int) -> list[Corner]:
    """The upper left corner of each box. Assumes that the highest come first. Of some widths that are tried, that is
    taken in which all can be shown largest in a window `wide` times as wide as high. Cost: quadratic at worst."""
    area = sum((size.width + apart) * (size.height + apart) for size in sizes)
    least = max((size.width for size in sizes), default=0)
    tries = [shelved(sizes, max(least, int(sqrt(area * wide) * part)), apart) for part in _TRIES]
    return min(tries, key=lambda corners: _needed(sizes, corners, wide))


def shelved(sizes: Sequence[Size], full: int, apart: int) -> list[Corner]:
    """From left to right until a shelf of the width `full` is full, then below it; what is low enough stands on top of
    another, within the height of the shelf's first box."""
    corners: list[Corner] = []
    slots: list[_Slot] = []
    top = shelf = 0
    for width, height in sizes:
        room = next((slot for slot in slots if slot.used + height <= shelf and width <= slot.width), None)
        right = slots[-1].left + slots[-1].width + apart if slots else 0
        if room is None and slots and right + width > full:
            top, slots, right = top + shelf + apart, [], 0
        if room is None:
            shelf = shelf if slots else height
            room = _Slot(right, width, 0)
            slots.append(room)
        corners.append((room.left, top + room.used))
        room.used += height + apart
    return corners


def _needed(sizes: Sequence[Size], corners: Sequence[Corner], wide: float) -> float:
    """How high a window of that form must be."""
    placed = list(zip(sizes, corners, strict=True))
    width = max((left + size.width for size, (left, _) in placed), default=0)
    height = max((top + size.height for size, (_, top) in placed), default=0)
    return max(width / wide, float(height))
