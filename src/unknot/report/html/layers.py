"""Layered graph drawing: the column of each test, and its position in the column."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple


def place_in_row(wishes: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """Centres of boxes with these sizes, in the given order and without overlap, with the least sum of squared
    distances from `wishes`. Cost: linear.

    >>> place_in_row([0.0, 0.0, 5.0], [1.0, 1.0, 1.0])
    [-0.5, 0.5, 5.0]
    """
    # Isotonic regression: after subtracting the required distances, positions must not decrease. Neighbours that
    # would are pooled at their mean, which minimises the sum of squares.
    starts = list(accumulate(((one + other) / 2 for one, other in pairwise(sizes)), initial=0.0))
    blocks: list[tuple[float, int]] = []
    for wish, start in zip(wishes, starts, strict=False):
        blocks.append((wish - start, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (mean, count), (other, more) = blocks[-2:]
            blocks[-2:] = [((mean * count + other * more) / (count + more), count + more)]
    level = [mean for mean, count in blocks for _ in range(count)]
    return [mean + start for mean, start in zip(level, starts, strict=False)]


Vertex = str
"""A test, or a group of tests."""
Arrow = tuple[Vertex, Vertex]
"""From what runs first to what it affects."""
Neighbours = Mapping[Vertex, frozenset[Vertex]]


def neighbours_of(vertices: Iterable[Vertex], arrows: Iterable[Arrow]) -> Neighbours:
    """For every vertex those it is linked to, in both directions."""
    found: dict[Vertex, set[Vertex]] = {vertex: set() for vertex in vertices}
    for one, other in arrows:
        found[one].add(other)
        found[other].add(one)
    return {vertex: frozenset(others - {vertex}) for vertex, others in found.items()}


def in_direction_of_arrows(vertices: Sequence[Vertex], arrows: Iterable[Arrow]) -> tuple[Vertex, ...]:
    """The vertices in an order in which arrows lead forward, else in the given order. In a circle, the vertex that
    comes first in the given order opens it. Cost: linear in the arrows, but for sorting; more for each circle."""
    place = {vertex: number for number, vertex in enumerate(vertices)}
    after: dict[Vertex, set[Vertex]] = {vertex: set() for vertex in vertices}
    for first, second in arrows:
        after[first].add(second)
    waits = dict.fromkeys(vertices, 0)
    for others in after.values():
        for other in others:
            waits[other] += 1
    ready = [place[vertex] for vertex, many in waits.items() if not many]
    heapify(ready)
    found: dict[Vertex, None] = {}
    left = iter(vertices)
    while len(found) < len(vertices):
        vertex = vertices[heappop(ready)] if ready else next(other for other in left if other not in found)
        if vertex in found:
            continue
        found[vertex] = None
        for other in after[vertex]:
            waits[other] -= 1
            if not waits[other]:
                heappush(ready, place[other])
    return tuple(found)


def components(vertices: Iterable[Vertex], neighbours: Neighbours) -> tuple[tuple[Vertex, ...], ...]:
    """The connected components, each in the given order, by their first vertex."""
    vertices = tuple(vertices)
    number: dict[Vertex, int] = {}
    for count, vertex in enumerate(vertices):
        waiting = [] if vertex in number else [vertex]
        while waiting:
            here = waiting.pop()
            if here not in number:
                number[here] = count
                waiting.extend(neighbours.get(here, ()))
    parts: dict[int, list[Vertex]] = {}
    for vertex in vertices:
        parts.setdefault(number[vertex], []).append(vertex)
    return tuple(tuple(part) for part in parts.values())


_SWEEPS = 6


class Bend(NamedTuple):
    """A point where the line between two vertices crosses a column that contains neither; `first` is further left."""

    first: Vertex
    second: Vertex
    column: int


Node = Vertex | Bend
Adjacency = Mapping[Node, Sequence[Node]]
Column = tuple[Node, ...]


class Layers(NamedTuple):
    """`near`: the nodes that each node is directly linked to."""

    columns: tuple[Column, ...]
    near: Adjacency


def assign_layers(vertices: Sequence[Vertex], neighbours: Neighbours, *, bends: bool) -> Layers:
    """Assign the vertices to columns and order them within each column.

    A vertex's column is the length of the longest path of links that leads to it through earlier vertices. So no link
    joins two of one column, and if arrows lead forward in the given order, they lead to the right. A vertex without an
    earlier neighbour is placed next to its first neighbour. With `bends`, a line that crosses a column gets a place of
    its own in it, so that no line runs behind a box. Nodes are ordered to reduce crossings, by a few barycentre
    sweeps. Cost per sweep: linear in the lines and bends, plus sorting.
    """
    place = {vertex: number for number, vertex in enumerate(vertices)}
    column = _columns(place, neighbours)
    near: Adjacency = {vertex: sorted(neighbours[vertex]) for vertex in vertices}
    if bends:
        near = _bent(place, neighbours, column)
    columns: list[list[Node]] = [[] for _ in range(1 + max(column.values(), default=-1))]
    for node in near:
        columns[node.column if isinstance(node, Bend) else column[node]].append(node)
    _untangle(columns, near)
    return Layers(tuple(tuple(nodes) for nodes in columns), near)


def wrap_columns(columns: Sequence[Column], most: int) -> tuple[tuple[Column, bool], ...]:
    """Split columns longer than `most`. Each comes with a flag: whether it continues the column before it. Neighbours
    in a column end up at about the same height."""
    return tuple(
        (column[start::count], start > 0)
        for column, count in ((column, ceil(len(column) / most)) for column in columns)
        for start in range(count)
    )


def _columns(place: Mapping[Vertex, int], neighbours: Neighbours) -> dict[Vertex, int]:
    column: dict[Vertex, int] = {}
    for vertex in place:
        earlier = [column[other] for other in neighbours[vertex] if place[other] < place[vertex]]
        column[vertex] = 1 + max(earlier, default=-1)
    for vertex in place:
        if column[vertex] == 0 and neighbours[vertex]:
            column[vertex] = min(column[other] for other in neighbours[vertex]) - 1
    return column


def _bent(place: Mapping[Vertex, int], neighbours: Neighbours, column: Mapping[Vertex, int]) -> Adjacency:
    near: dict[Node, list[Node]] = {vertex: [] for vertex in place}
    for vertex in place:
        for other in sorted(neighbours[vertex], key=place.__getitem__):
            if column[vertex] < column[other]:
                crossed = range(column[vertex] + 1, column[other])
                way: list[Node] = [vertex, *(Bend(vertex, other, number) for number in crossed), other]
                for one, next_one in pairwise(way):
                    near.setdefault(one, []).append(next_one)
                    near.setdefault(next_one, []).append(one)
    return near


def _untangle(columns: list[list[Node]], near: Adjacency) -> None:
    """Barycentre sweeps: sort each column by the mean height of the neighbours on one side, finally on both sides."""
    height: dict[Node, float] = {}
    for column in columns:
        _settle(column, height)
    number = {node: at for at, column in enumerate(columns) for node in column}
    for sweep in range(_SWEEPS):
        forward, last = sweep % 2 == 0, sweep >= _SWEEPS - 2
        for at in range(len(columns)) if forward else range(len(columns) - 1, -1, -1):
            wish = {
                node: mean_or(
                    [height[other] for other in near[node] if last or (number[other] < at) == forward], height[node]
                )
                for node in columns[at]
            }
            # The sort is stable: ties stay in reference order.
            columns[at].sort(key=wish.__getitem__)
            _settle(columns[at], height)


def _settle(column: Sequence[Node], height: dict[Node, float]) -> None:
    """Heights from -1 to 1, so that columns of different lengths are comparable."""
    for row, node in enumerate(column):
        height[node] = (2 * row + 1) / len(column) - 1


def mean_or(heights: Sequence[float], otherwise: float) -> float:
    return sum(heights) / len(heights) if heights else otherwise
