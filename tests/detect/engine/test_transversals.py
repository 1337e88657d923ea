"""Minimal sets that have a member in common with every given set."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.detect.engine.subsets import minimal_transversals

GROUPS = st.lists(st.frozensets(st.integers(0, 5), min_size=1, max_size=4), max_size=5)


def by_trying(groups: list[frozenset[int]]) -> set[frozenset[int]]:
    hits = [
        frozenset(chosen)
        for size in range(7)
        for chosen in combinations(range(6), size)
        if all(group & set(chosen) for group in groups)
    ]
    return {hit for hit in hits if not any(other < hit for other in hits)}


@laws(200)
@given(GROUPS)
def test_transversals_are_all_minimal_sets_that_hit_every_set(groups: list[frozenset[int]]) -> None:
    found = minimal_transversals(groups, most=1000)

    assert found is not None
    assert len(found) == len(set(found))
    assert set(found) == by_trying(groups)


@laws()
@given(GROUPS)
def test_transversals_of_the_transversals_are_the_smallest_of_the_sets(groups: list[frozenset[int]]) -> None:
    found = minimal_transversals(groups, most=1000)
    assert found is not None

    back = minimal_transversals(found, most=1000)

    assert back is not None
    assert set(back) == {group for group in groups if not any(other < group for other in groups)}


def test_a_set_without_members_cannot_be_hit() -> None:
    assert minimal_transversals([frozenset({1}), frozenset()], most=10) == []


def test_more_than_the_most_is_given_up() -> None:
    pairs = [frozenset({2 * number, 2 * number + 1}) for number in range(5)]

    assert minimal_transversals(pairs, most=31) is None
    assert len(minimal_transversals(pairs, most=32) or ()) == 32
