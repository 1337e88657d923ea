"""Minimal sets that have a member in common with every given set."""

from collections.abc import Iterable


def minimal_transversals(sets: Iterable[frozenset[int]], most: int) -> list[frozenset[int]] | None:
    """All of them, by adding one set after another (Berge); None if there are more than `most` on the way.

    >>> [sorted(found) for found in minimal_transversals([frozenset({0, 1}), frozenset({1, 2})], 10)]
    [[1], [0, 2]]
    """
    found: list[frozenset[int]] = [frozenset()]
    for group in sets:
        meeting = [old for old in found if old & group]
        extended = [old | {member} for old in found if not old & group for member in group]
        found = _smallest([*meeting, *extended])
        if len(found) > most:
            return None
    return found


def _smallest(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    kept: list[frozenset[int]] = []
    for candidate in sorted(sets, key=lambda members: (len(members), sorted(members))):
        if not any(smaller <= candidate for smaller in kept):
            kept.append(candidate)
    return kept
