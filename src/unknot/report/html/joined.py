"""Who is joined to whom by a claim."""

from collections.abc import Iterable, Iterator, Mapping

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId

Joined = Mapping[TestId, frozenset[TestId]]


def joined(dependencies: Dependencies) -> Joined:
    """Both ways, for every test that a claim names."""
    found: dict[TestId, set[TestId]] = {}
    for one, other in _pairs(dependencies):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {test: frozenset(others - {test}) for test, others in found.items()}


def components(tests: Iterable[TestId], beside: Joined) -> tuple[Order, ...]:
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
