"""The layout of the graph in pixels: the position of each test and the bends of the lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from rich.cells import cell_len

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId
from unknot.report.html.layers import (
    Adjacency,
    Bend,
    Column,
    Neighbours,
    Node,
    assign_layers,
    components,
    mean_or,
    neighbours_of,
    place_in_row,
    wrap_columns,
)
from unknot.report.html.packing import HEIGHT, Spot, fold_wide, pack_components
from unknot.report.html.style import fitted_name

_ROW = HEIGHT + 14
_BEND = 0.4
"""Rows that a line occupies in a column that it crosses."""
_MOST_BENT = 250
"""Lines get bends in components of at most this many tests; in larger ones lines cannot be followed anyway."""
_CHARACTER, _PADDING, _NARROWEST, _MOST_CELLS = 7.3, 40, 120, 30
_BETWEEN, _BESIDE = 120, 66
_FEWEST_ROWS = 14


@dataclass(frozen=True)
class GraphLayout:
    """`bends`: the points that the line between two tests passes, from the first to the second."""

    spots: Mapping[TestId, Spot]
    bends: Mapping[tuple[TestId, TestId], tuple[Spot, ...]]


def graph_layout(dependencies: Dependencies) -> GraphLayout:
    """A spot for every test that is in a claim or flaky. Connected components are drawn apart, the highest first. No
    two boxes overlap. Cost: that of `assign_layers`."""
    neighbours: dict[TestId, frozenset[TestId]] = dict.fromkeys(dependencies.flaky, frozenset())
    neighbours.update(neighbours_of(dependencies))
    tests = sorted(neighbours, key=dependencies.suite.index.__getitem__)
    parts = [_part(part, neighbours) for part in components(tests, neighbours)]
    places = pack_components(parts)
    bends: dict[tuple[TestId, TestId], list[Spot]] = {}
    for node in sorted(node for node in places if isinstance(node, Bend)):
        bends.setdefault((node.first, node.second), []).append(places[node])
    return GraphLayout(
        {node: spot for node, spot in places.items() if not isinstance(node, Bend)},
        {pair: tuple(passed) for pair, passed in bends.items()},
    )


def _part(tests: Order, neighbours: Neighbours) -> dict[Node, Spot]:
    layers = assign_layers(tests, neighbours, bends=len(tests) <= _MOST_BENT)
    columns = wrap_columns(layers.columns, _most_rows(len(tests)))
    rows = _rows([column for column, _ in columns], layers.near)
    found: dict[Node, Spot] = {}
    x = 0
    for number, (column, goes_on) in enumerate(columns):
        x += (_BESIDE if goes_on else _BETWEEN) if number else 0
        labels = {node: "" if isinstance(node, Bend) else fitted_name(node, _MOST_CELLS) for node in column}
        width = max(_NARROWEST, *(int(_CHARACTER * cell_len(text)) + _PADDING for text in labels.values()))
        for node in column:
            found[node] = Spot(x, round(rows[node] * _ROW), width, labels[node])
        x += width
    return fold_wide(found)


def _most_rows(tests: int) -> int:
    """Rows per column: a large component gets about the shape of a window, a small one is not split."""
    return max(_FEWEST_ROWS, ceil(sqrt(tests * (_BETWEEN + 200) / _ROW / 2)))


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
