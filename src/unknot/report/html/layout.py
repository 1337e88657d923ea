"""The layout of a graph in pixels: the position of each box and the bends of the lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from rich.cells import cell_len

from unknot.report.html.layers import (
    Adjacency,
    Arrow,
    Bend,
    Column,
    Neighbours,
    Node,
    Vertex,
    assign_layers,
    components,
    in_direction_of_arrows,
    mean_or,
    neighbours_of,
    place_in_row,
    wrap_columns,
)
from unknot.report.html.packing import HEIGHT, Size, Spot, fold_wide, pack_components

_GAP = 14
_BEND = 0.4
"""Rows that a line occupies in a column that it crosses."""
_MOST_BENT, _MOST_LINES = 250, 400
"""Lines get bends in components of at most so many boxes and lines; in larger ones lines cannot be followed anyway."""
_CHARACTER, _PADDING, _NARROWEST = 7.9, 34, 84
_BETWEEN, _BESIDE = 64, 40
_FEWEST_ROWS = 14 * (HEIGHT + _GAP)
"""In pixels: columns up to this height are not split."""
_USUAL_WIDTH = 130


@dataclass(frozen=True)
class GraphLayout:
    """`bends`: the points that the line between two boxes passes, from the first to the second."""

    spots: Mapping[Vertex, Spot]
    bends: Mapping[Arrow, tuple[Spot, ...]]


def graph_layout(labels: Mapping[Vertex, str], arrows: Sequence[Arrow], card: Size | None = None) -> GraphLayout:
    """A spot for each of the labels, which are given in suite order; arrows lead to the right unless they form a
    circle. Connected components are drawn apart, the highest first. No two boxes overlap. Boxes have the size of their
    labels, or that of the `card`. Cost: that of `assign_layers`."""
    neighbours = neighbours_of(labels, arrows)
    vertices = in_direction_of_arrows(tuple(labels), arrows)
    parts = [_part(part, neighbours, labels, card) for part in components(vertices, neighbours)]
    places = pack_components(parts)
    bends: dict[Arrow, list[Spot]] = {}
    for node in sorted(node for node in places if isinstance(node, Bend)):
        bends.setdefault((node.first, node.second), []).append(places[node])
    return GraphLayout(
        {node: spot for node, spot in places.items() if not isinstance(node, Bend)},
        {pair: tuple(passed) for pair, passed in bends.items()},
    )


def _part(
    vertices: Sequence[Vertex], neighbours: Neighbours, labels: Mapping[Vertex, str], card: Size | None
) -> dict[Node, Spot]:
    usual, height = card or (_USUAL_WIDTH, HEIGHT)
    row = height + (2 * _GAP if card else _GAP)
    lines = sum(len(neighbours[vertex]) for vertex in vertices) // 2
    layers = assign_layers(vertices, neighbours, bends=len(vertices) <= _MOST_BENT and lines <= _MOST_LINES)
    columns = wrap_columns(layers.columns, _most_rows(len(vertices), usual, row))
    rows = _rows([column for column, _ in columns], layers.near)
    found: dict[Node, Spot] = {}
    x = 0
    for number, (column, goes_on) in enumerate(columns):
        x += (_BESIDE if goes_on else _BETWEEN) if number else 0
        texts = {node: "" if isinstance(node, Bend) else labels[node] for node in column}
        longest = max(cell_len(line) for text in texts.values() for line in (text.splitlines() or [""]))
        width = usual if card else max(_NARROWEST, int(_CHARACTER * longest) + _PADDING)
        for node in column:
            found[node] = Spot(x, round(rows[node] * row), width, texts[node], height)
        x += width
    return fold_wide(found)


def _most_rows(vertices: int, width: int, row: int) -> int:
    """Rows per column: a large component gets about the shape of a window, a small one is not split."""
    return max(_FEWEST_ROWS // row, ceil(sqrt(vertices * (_BETWEEN + width) / row / 2)))


def _rows(columns: Sequence[Column], near: Adjacency) -> dict[Node, float]:
    """The row of each node: as close to its neighbours as possible, in the given order and without overlap."""
    row = {node: at - len(column) / 2 for column in columns for at, node in enumerate(column)}
    sizes = [[_BEND if isinstance(node, Bend) else 1.0 for node in column] for column in columns]
    both = list(zip(columns, sizes, strict=True))
    for sweep in range(6):
        for column, of in both if sweep % 2 else reversed(both):
            wishes = [mean_or([row[other] for other in near[node]], row[node]) for node in column]
            row.update(zip(column, place_in_row(wishes, of), strict=True))
    return row
