"""Sets of positions as ints."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.bits import WeightTable, bits, members, positions

SETS = st.sets(st.integers(0, 300))
SPARSE_OR_DENSE = st.one_of(SETS, SETS.map(lambda few: set(range(301)) - few))


@laws()
@given(SETS)
def test_positions_give_back_in_rising_order_what_bits_took(places: set[int]) -> None:
    assert list(positions(bits(places))) == sorted(places)


@laws()
@given(SETS, SETS)
def test_and_or_and_not_are_the_operations_of_sets(one: set[int], other: set[int]) -> None:
    assert bits(one) | bits(other) == bits(one | other)
    assert bits(one) & bits(other) == bits(one & other)
    assert bits(one) & ~bits(other) == bits(one - other)


def test_a_position_given_twice_is_in_the_set_once() -> None:
    assert bits([3, 3, 3]) == 0b1000


def test_the_empty_set_is_zero_and_has_no_positions() -> None:
    assert bits([]) == 0
    assert list(positions(0)) == []


@given(SPARSE_OR_DENSE)
def test_members_are_in_rising_order(places: set[int]) -> None:
    assert members(bits(places)) == sorted(places)


@given(SPARSE_OR_DENSE, st.integers(301, 311))
def test_the_weight_of_a_set_is_the_sum_over_its_members(places: set[int], size: int) -> None:
    assert WeightTable([float(place) for place in range(size)]).weigh(bits(places)) == sum(places)
