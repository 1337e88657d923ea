"""Dependency-free values: strings that many tests share and that no test needs another for, such as a default login.

Biagiola and others, ESEC/FSE 2019, section 3.2.1: a value that all tests use is dropped by itself; the others are
ranked by how many tests use them, and the developer says which are free.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from unknot.model.candidates import StringUse
from unknot.web.hints.strings import Values

FEWEST_TESTS = 3
"""Of fewer it cannot be said what they have in common by chance."""

_MOST_COMPARED = 500_000
"""Edges of one value, each of which takes a place in memory."""


@dataclass(frozen=True)
class RankedValue:
    """`tests` use it. `edges` rest on it, and `only` of these on nothing else."""

    text: str
    tests: int
    edges: int
    only: int


def in_every_test(uses: Sequence[StringUse]) -> frozenset[str]:
    """Values that every test uses. Of one or two tests nothing can be said: what two have in common is all that there
    is to suspect them by."""
    if len(uses) < FEWEST_TESTS:
        return frozenset()
    return frozenset(value for value, users in Values(uses).used.items() if len(users) == len(uses))


def ranked(uses: Sequence[StringUse], free: Collection[str] = ()) -> tuple[RankedValue, ...]:
    """The submitted values on which an edge rests, those of most tests first, without those in `free`. Where a value
    has more edges than can be compared with those of others, all of them are taken to rest on nothing else."""
    values = Values(uses)
    rests: dict[str, set[tuple[int, int]]] = {}
    times: dict[tuple[int, int], int] = {}
    found: list[RankedValue] = []
    for value in sorted(values.submitted.keys() - set(free)):
        edges = _edges_by(values, value)
        if edges > _MOST_COMPARED:
            found.append(RankedValue(value, len(values.used[value]), edges, edges))
            continue
        pairs = {(user, by) for by in values.submitted[value] for user in values.used[value] if user > by}
        rests[value] = pairs
        for pair in pairs:
            times[pair] = times.get(pair, 0) + 1
    found += [
        RankedValue(value, len(values.used[value]), len(pairs), sum(times[pair] == 1 for pair in pairs))
        for value, pairs in rests.items()
        if pairs
    ]
    return tuple(sorted(found, key=lambda one: (-one.tests, -one.edges, one.text)))


def _edges_by(values: Values, value: str) -> int:
    """How many pairs of tests the value makes suspicious, without a list of them."""
    users = sorted(values.used[value])
    return sum(len(users) - bisect_right(users, submitter) for submitter in values.submitted[value])
