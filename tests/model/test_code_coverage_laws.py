"""Laws of sets of code: they behave as sets of offsets and lines do."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.code_coverage import CodeSet, CodeSize, Ranges, merged, ranges_of, size, without

NUMBERS = st.frozensets(st.integers(0, 60))
NAMES = st.dictionaries(st.sampled_from("abc"), NUMBERS, max_size=3)


def numbers(ranges: Ranges) -> set[int]:
    return {number for start, end in ranges for number in range(start, end)}


def is_apart(ranges: Ranges) -> bool:
    return all(start < end for start, end in ranges) and all(before[1] < after[0] for before, after in pairwise(ranges))


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))))
def test_merged_ranges_are_apart_and_hold_the_same_numbers(ranges: list[tuple[int, int]]) -> None:
    result = merged(ranges)
    assert is_apart(result)
    assert numbers(result) == {number for start, end in ranges for number in range(start, end)}


@given(NUMBERS, NUMBERS)
def test_without_is_the_difference_of_sets(left: frozenset[int], right: frozenset[int]) -> None:
    result = without(ranges_of(left), ranges_of(right))
    assert is_apart(result)
    assert numbers(result) == left - right
    assert size(result) == len(left - right)


def code(sides: tuple[dict[str, frozenset[int]], ...]) -> CodeSet:
    return CodeSet(*({name: ranges_of(each) for name, each in side.items() if each} for side in sides))


CODE = st.tuples(NAMES, NAMES, NAMES).map(code)


def members(code: CodeSet) -> set[tuple[int, str, int]]:
    sides = code.client_bytes, code.functions, code.server_lines
    return {
        (place, name, number)
        for place, side in enumerate(sides)
        for name, ranges in side.items()
        for number in numbers(ranges)
    }


@given(CODE, CODE)
def test_union_and_difference_are_those_of_sets(left: CodeSet, right: CodeSet) -> None:
    assert members(left.union(right)) == members(left) | members(right)
    assert members(left.difference(right)) == members(left) - members(right)


@given(CODE, CODE)
def test_equal_sets_have_one_form(left: CodeSet, right: CodeSet) -> None:
    assert left.union(right) == right.union(left)
    assert left.difference(right).union(right) == left.union(right)
    assert bool(left) == bool(members(left))


@given(CODE)
def test_the_size_counts_each_side(given: CodeSet) -> None:
    counts = [sum(place == side for place, _, _ in members(given)) for side in range(3)]
    assert given.size() == CodeSize(*counts)
    assert bool(given.size()) == bool(given)
