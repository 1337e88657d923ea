"""Which column of the drawing each test stands in, and in what sequence within it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId


# Things in a row that all want to be somewhere, and must not stand on each other's feet.
def place_in_row(wishes: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """The middles of things of these sizes, in the sequence given and none upon another, with the least sum of squared
    distances from what was wished. Cost: linear.

    >>> spread([0.0, 0.0, 5.0], [1.0, 1.0, 1.0])
    [-0.5, 0.5, 5.0]
    """
    # Without the distances that they must keep, the places only must not descend: neighbours that would are put
    # together at their mean, and that is the least sum of squares.
    starts = list(accumulate(((one + other) / 2 for one, other in pairwise(sizes)), initial=0.0))
    blocks: list[tuple[float, int]] = []
    for wish, start in zip(wishes, starts, strict=False):
        blocks.append((wish - start, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (mean, count), (other, more) = blocks[-2:]
            blocks[-2:] = [((mean * count + other * more) / (count + more), count + more)]
    level = [mean for mean, count in blocks for _ in range(count)]
    return [mean + start for mean, start in zip(level, starts, strict=False)]


# Who is neighbours_of to whom by a claim.
Neighbours = Mapping[TestId, frozenset[TestId]]


def neighbours_of(dependencies: Dependencies) -> Neighbours:
    """Both ways, for every test that a claim names."""
    found: dict[TestId, set[TestId]] = {}
    for one, other in _pairs(dependencies):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {test: frozenset(others - {test}) for test, others in found.items()}


def components(tests: Iterable[TestId], beside: Neighbours) -> tuple[Order, ...]:
    """The tests, cut into parts that no claim joins; within a part and between parts in the sequence given."""
    tests = tuple(tests)
    number: dict[TestId, int] = {}
    for count, test in enumerate(tests):
        waiting = [] if test in number else [test]
        while waiting:
            here = waiting.pop()
            if here not in number:
                number[here] = count
                waiting.extend(beside.get(here, ()))
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
    """Where the line between two tests passes a column in which neither stands; `first` is the one further left."""

    first: TestId
    second: TestId
    column: int


Node = TestId | Bend
Adjacency = Mapping[Node, Sequence[Node]]
Column = tuple[Node, ...]


class Layers(NamedTuple):
    """`near` has, for each node, those that a line leads to directly."""

    columns: tuple[Column, ...]
    near: Adjacency


def assign_layers(tests: Order, beside: Neighbours, *, bends: bool) -> Layers:
    """The tests in columns. Assumes that they come in reference order. A test's column is the longest path of claims
    that leads to it through tests earlier in the suite, so that no claim joins two tests of one column, whichever way
    it points, and claims in a circle do no harm; a test that nothing leads to stands close to the first that it is
    joined to. With `bends` lines that pass a column have a place of their own in it, so that none runs behind a test.
    Inside a column nodes stand where few lines cross. Cost: linear in the lines, and in the columns that they pass if
    these get bends, for each of a few sweeps, but for sorting."""
    column = _columns(tests, beside)
    near = _bent(tests, beside, column) if bends else _straight(tests, beside)
    columns: list[list[Node]] = [[] for _ in range(1 + max(column.values(), default=-1))]
    for node in near:
        columns[node.column if isinstance(node, Bend) else column[node]].append(node)
    _untangle(columns, near)
    return Layers(tuple(tuple(nodes) for nodes in columns), near)


def wrap_columns(columns: Sequence[Column], most: int) -> tuple[tuple[Column, bool], ...]:
    """The same with no column longer than `most`; with each, whether it goes on with the column before it. Those that
    were close to each other in a column are at about the same height afterwards."""
    return tuple(
        (column[start::count], start > 0)
        for column, count in ((column, ceil(len(column) / most)) for column in columns)
        for start in range(count)
    )


def _columns(tests: Order, beside: Neighbours) -> dict[TestId, int]:
    place = {test: number for number, test in enumerate(tests)}
    column: dict[TestId, int] = {}
    for test in tests:
        column[test] = 1 + max((column[other] for other in beside[test] if place[other] < place[test]), default=-1)
    for test in tests:
        if column[test] == 0 and beside[test]:
            column[test] = min(column[other] for other in beside[test]) - 1
    return column


def _straight(tests: Order, beside: Neighbours) -> Adjacency:
    return {test: sorted(beside[test]) for test in tests}


def _bent(tests: Order, beside: Neighbours, column: Mapping[TestId, int]) -> Adjacency:
    near: dict[Node, list[Node]] = {test: [] for test in tests}
    for test in tests:
        for other in sorted(beside[test], key=tests.index):
            if column[test] < column[other]:
                way: list[Node] = [test, *_between(test, other, column), other]
                for one, next_one in pairwise(way):
                    near.setdefault(one, []).append(next_one)
                    near.setdefault(next_one, []).append(one)
    return near


def _between(test: TestId, other: TestId, column: Mapping[TestId, int]) -> Iterator[Bend]:
    return (Bend(test, other, number) for number in range(column[test] + 1, column[other]))


def _untangle(columns: list[list[Node]], near: Adjacency) -> None:
    """Sweeps to and fro: each node at the mean height of those it is joined to on one side, at last on both."""
    height: dict[Node, float] = {}
    for column in columns:
        _settle(column, height)
    number = {node: at for at, column in enumerate(columns) for node in column}
    for sweep in range(_SWEEPS):
        forward, last = sweep % 2 == 0, sweep >= _SWEEPS - 2
        for at in range(len(columns)) if forward else range(len(columns) - 1, -1, -1):
            wish = {
                node: _mean(
                    [height[other] for other in near[node] if last or (number[other] < at) == forward], height[node]
                )
                for node in columns[at]
            }
            # The sort is stable: what pulls nowhere stays in reference order.
            columns[at].sort(key=wish.__getitem__)
            _settle(columns[at], height)


def _settle(column: Sequence[Node], height: dict[Node, float]) -> None:
    """Heights from -1 to 1, so that columns of different lengths lie side by side."""
    for row, node in enumerate(column):
        height[node] = (2 * row + 1) / len(column) - 1


def _mean(heights: Sequence[float], otherwise: float) -> float:
    return sum(heights) / len(heights) if heights else otherwise
