"""By what a collected test is known in the lock file."""

from collections.abc import Iterable

from unknot.model.suite import TestId


def names_of(node_ids: Iterable[str]) -> list[TestId]:
    """Node ids; where pytest gives two tests the same one, the later ones get a number, as in the lock file.

    >>> names_of(["a", "b", "a"])
    ['a', 'b', 'a#2']
    """
    seen: dict[str, int] = {}
    names = []
    for node_id in node_ids:
        count = seen[node_id] = seen.get(node_id, 0) + 1
        names.append(TestId(node_id if count == 1 else f"{node_id}#{count}"))
    return names
