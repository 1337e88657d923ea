"""Where each test stands in the drawing."""

from collections.abc import Iterator
from dataclasses import dataclass

from unknot.model.knots import Knots
from unknot.model.suite import Order, TestId
from unknot.report.roles import Roles


def layered(knots: Knots) -> tuple[Order, ...]:
    """The tests that take part, in columns: a test's column is the longest path of claims that leads to it through
    tests earlier in the suite, so that no claim joins two tests of one column, whichever way it points, and claims
    in a circle do no harm. Inside a column a test stands near what it is joined to. Cost: linear in the claims, but
    for sorting."""
    roles = Roles(knots)
    position = knots.suite.index
    earlier: dict[TestId, set[TestId]] = {test: set() for test in roles.participants}
    for one, other in _joined(knots):
        first, second = sorted((one, other), key=position.__getitem__)
        if first != second:
            earlier[second].add(first)
    column: dict[TestId, int] = {}
    for test in roles.participants:
        column[test] = 1 + max((column[known] for known in earlier[test]), default=-1)
    columns: list[list[TestId]] = [[] for _ in range(1 + max(column.values(), default=-1))]
    for test in roles.participants:
        columns[column[test]].append(test)
    return _untangled(columns, earlier)


@dataclass(frozen=True)
class Place:
    """Column and row, from 0."""

    column: int
    row: int


def places(columns: tuple[Order, ...]) -> dict[TestId, Place]:
    return {test: Place(number, row) for number, column in enumerate(columns) for row, test in enumerate(column)}


def _joined(knots: Knots) -> Iterator[tuple[TestId, TestId]]:
    for need in knots.needs:
        for option in need.any_of:
            yield need.dependent, option
    for conflict in knots.conflicts:
        for other in (*conflict.polluters, *conflict.cleaners):
            yield conflict.victim, other


def _untangled(columns: list[list[TestId]], earlier: dict[TestId, set[TestId]]) -> tuple[Order, ...]:
    """One sweep from the left: each test at the mean row of those it is joined to; fewer lines cross."""
    row: dict[TestId, int] = {}
    arranged: list[Order] = []
    for column in columns:
        mean = {
            test: sum(row[known] for known in earlier[test]) / len(earlier[test]) if earlier[test] else 0.0
            for test in column
        }
        # The sort is stable: tests that pull nowhere stay in reference order.
        placed = tuple(sorted(column, key=mean.__getitem__))
        row.update((test, number) for number, test in enumerate(placed))
        arranged.append(placed)
    return tuple(arranged)
