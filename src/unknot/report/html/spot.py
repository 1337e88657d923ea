"""A place on the drawing."""

from collections.abc import Iterable
from dataclasses import dataclass

HEIGHT = 40
"""Of every box, in pixels."""


@dataclass(frozen=True)
class Spot:
    """The upper left corner of a box, its width, and what is written in it; nothing where a line passes."""

    x: int
    y: int
    width: int
    label: str


@dataclass(frozen=True)
class Extent:
    """The smallest box around some others."""

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


def extent(spots: Iterable[Spot]) -> Extent:
    """Assumes that there is one."""
    all_of_them = tuple(spots)
    return Extent(
        min(spot.x for spot in all_of_them),
        min(spot.y for spot in all_of_them),
        max(spot.x + spot.width for spot in all_of_them),
        max(spot.y for spot in all_of_them) + HEIGHT,
    )
