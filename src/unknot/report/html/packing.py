"""Parts of a drawing, put together so that they fill a window."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

from unknot.report.html.layers import Node
from unknot.report.html.shelves import Size, best_packing
from unknot.report.html.spot import Spot, extent

_APART = 44
_WIDE = 1.9
"""The drawing is about so many times as wide as high, as most windows are."""
_LONG = 4000
"""Pixels. What is not wider than this is never cut."""
Spots = Mapping[Node, Spot]


def folded(spots: Spots) -> dict[Node, Spot]:
    """What is very long is cut into bands, one below the other, as a long line of text is."""
    around = extent(spots.values())
    bands = max(1, round(sqrt(around.width / (around.height + _APART) / _WIDE))) if around.width > _LONG else 1
    cut: list[dict[Node, Spot]] = [{} for _ in range(bands)]
    for node, spot in spots.items():
        cut[int((spot.x - around.left) / around.width * bands)][node] = spot
    found: dict[Node, Spot] = {}
    below = 0
    for band in filter(None, cut):
        found |= _moved(band, 0, below)
        below += extent(band.values()).height + 2 * _APART
    return found


def packed(parts: Sequence[Spots]) -> dict[Node, Spot]:
    """All parts on one drawing, the high ones first, in about the form of a window."""
    ranked = sorted(parts, key=lambda part: -extent(part.values()).height)
    sizes = [Size(around.width, around.height) for around in (extent(part.values()) for part in ranked)]
    corners = best_packing(sizes, _WIDE, _APART)
    return {
        node: spot for part, corner in zip(ranked, corners, strict=True) for node, spot in _moved(part, *corner).items()
    }


def _moved(spots: Spots, left: int, top: int) -> dict[Node, Spot]:
    """The same with its upper left corner there."""
    around = extent(spots.values())
    return {
        node: replace(spot, x=spot.x - around.left + left, y=spot.y - around.top + top) for node, spot in spots.items()
    }
