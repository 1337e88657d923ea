"""Layered graph drawing: the column of each test, and its position in the column."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId


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


Neighbours = Mapping[TestId, frozenset[TestId]]


def neighbours_of(dependencies: Dependencies) -> Neighbours:
    """For every test in a claim, the tests it is linked to, in both directions."""
    found: dict[TestId, set[TestId]] = {}
    for one, other in _pairs(dependencies):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {test: frozenset(others - {test}) for test, others in found.items()}


def components(tests: Iterable[TestId], neighbours: Neighbours) -> tuple[Order, ...]:
    """The connected components, each in the given order, by their first test."""
    tests = tuple(tests)
    number: dict[TestId, int] = {}
    for count, test in enumerate(tests):
        waiting = [] if test in number else [test]
        while waiting:
            here = waiting.pop()
            if here not in number:
                number[here] = count
                waiting.extend(neighbours.get(here, ()))
    parts: dict[int, list[TestId]] = {}
    for test in tests:
        parts.setdefault(number[test], []).append(test)
    return tuple(tuple(part) for part in parts.values())


def _pairs(dependencies: Dependencies) -> Iterator[tuple[TestId, TestId]]:
    for need in dependencies.needs:
        for option in need.any_of:
            yield need.dependent, option
    for conflict in dependencies.conflicts:
        for other in (*conflict.polluters, *conflict.cleaners):
            yield conflict.victim, other


_SWEEPS = 6


class Bend(NamedTuple):
    """A point where the line between two tests crosses a column that contains neither; `first` is further left."""

    first: TestId
    second: TestId
    column: int


Node = TestId | Bend
Adjacency = Mapping[Node, Sequence[Node]]
Column = tuple[Node, ...]


class Layers(NamedTuple):
    """`near`: the nodes that each node is directly linked to."""

    columns: tuple[Column, ...]
    near: Adjacency


def assign_layers(tests: Order, neighbours: Neighbours, *, bends: bool) -> Layers:
    """Assign the tests to columns and order them within each column.

    Assumes that `tests` are in reference order. A test's column is the length of the longest path of links that leads
    to it through earlier tests. So no link joins two tests of one column, and cycles do no harm. A test without an
    earlier neighbour is placed next to its first neighbour. With `bends`, a line that crosses a column gets a place of
    its own in it, so that no line runs behind a test. Nodes are ordered to reduce crossings, by a few barycentre
    sweeps. Cost per sweep: linear in the lines and bends, plus sorting.
    """
    column = _columns(tests, neighbours)
    near: Adjacency = {test: sorted(neighbours[test]) for test in tests}
    if bends:
        near = _bent(tests, neighbours, column)
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


def _columns(tests: Order, neighbours: Neighbours) -> dict[TestId, int]:
    place = {test: number for number, test in enumerate(tests)}
    column: dict[TestId, int] = {}
    for test in tests:
        column[test] = 1 + max((column[other] for other in neighbours[test] if place[other] < place[test]), default=-1)
    for test in tests:
        if column[test] == 0 and neighbours[test]:
            column[test] = min(column[other] for other in neighbours[test]) - 1
    return column


def _bent(tests: Order, neighbours: Neighbours, column: Mapping[TestId, int]) -> Adjacency:
    near: dict[Node, list[Node]] = {test: [] for test in tests}
    for test in tests:
        for other in sorted(neighbours[test], key=tests.index):
            if column[test] < column[other]:
                crossed = range(column[test] + 1, column[other])
                way: list[Node] = [test, *(Bend(test, other, number) for number in crossed), other]
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
