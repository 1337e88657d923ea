"""Pack the connected components of the graph into roughly the shape of a window."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from unknot.report.html.layers import Node

_TRIES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.7, 2.0)


Size = tuple[int, int]
"""Width and height."""
Corner = tuple[int, int]


@dataclass
class _Slot:
    """A stack of boxes on a shelf; `used` is its height."""

    left: int
    width: int
    used: int


def best_packing(sizes: Sequence[Size], wide: float, apart: int) -> list[Corner]:
    """The upper left corner of each box. Assumes that the highest come first. Tries several widths and takes the one
    that allows the largest scale in a window `wide` times as wide as high. Cost: quadratic in the worst case."""
    area = sum((width + apart) * (height + apart) for width, height in sizes)
    least = max((width for width, _ in sizes), default=0)
    tries = [pack_shelves(sizes, max(least, int(sqrt(area * wide) * part)), apart) for part in _TRIES]
    return min(tries, key=lambda corners: _needed(sizes, corners, wide))


def pack_shelves(sizes: Sequence[Size], full: int, apart: int) -> list[Corner]:
    """Shelf packing: left to right until a shelf of width `full` is full, then a new shelf below. Low boxes are stacked
    within the height of the first box of the shelf."""
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
    """The height of the smallest window of that shape that holds all boxes."""
    placed = list(zip(sizes, corners, strict=True))
    right = max((left + width for (width, _), (left, _) in placed), default=0)
    bottom = max((top + height for (_, height), (_, top) in placed), default=0)
    return max(right / wide, float(bottom))


HEIGHT = 40
"""Height of a box with a name, in pixels."""


@dataclass(frozen=True)
class Spot:
    """The upper left corner of a box, its width and its label (empty for a bend)."""

    x: int
    y: int
    width: int
    label: str
    height: int = HEIGHT


@dataclass(frozen=True)
class Extent:
    """A bounding box."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top


def extent_of(spots: Iterable[Spot]) -> Extent:
    """The bounding box of at least one spot."""
    all_of_them = tuple(spots)
    return Extent(
        min(spot.x for spot in all_of_them),
        min(spot.y for spot in all_of_them),
        max(spot.x + spot.width for spot in all_of_them),
        max(spot.y + spot.height for spot in all_of_them),
    )


_APART = 44
_WIDE = 1.9
"""The target aspect ratio, that of most windows."""
_LONG = 4000
"""Pixels. Narrower drawings are not folded."""
Spots = Mapping[Node, Spot]


def fold_wide(spots: Spots) -> dict[Node, Spot]:
    """Fold a very wide drawing into bands, one below the other."""
    around = extent_of(spots.values())
    bands = max(1, round(sqrt(around.width / (around.height + _APART) / _WIDE))) if around.width > _LONG else 1
    cut: list[dict[Node, Spot]] = [{} for _ in range(bands)]
    for node, spot in spots.items():
        cut[int((spot.x - around.left) / around.width * bands)][node] = spot
    found: dict[Node, Spot] = {}
    below = 0
    for band in filter(None, cut):
        found |= _moved(band, 0, below)
        below += extent_of(band.values()).height + 2 * _APART
    return found


def pack_components(parts: Sequence[Spots]) -> dict[Node, Spot]:
    """All components in one drawing of about the target aspect ratio, the highest first."""
    ranked = sorted(parts, key=lambda part: -extent_of(part.values()).height)
    sizes = [(around.width, around.height) for around in (extent_of(part.values()) for part in ranked)]
    corners = best_packing(sizes, _WIDE, _APART)
    return {
        node: spot for part, corner in zip(ranked, corners, strict=True) for node, spot in _moved(part, *corner).items()
    }


def _moved(spots: Spots, left: int, top: int) -> dict[Node, Spot]:
    """The same, moved so that the upper left corner is at (left, top)."""
    around = extent_of(spots.values())
    return {
        node: replace(spot, x=spot.x - around.left + left, y=spot.y - around.top + top) for node, spot in spots.items()
    }
