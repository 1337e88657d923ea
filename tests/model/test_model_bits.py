"""Sets of positions as ints."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.bits import bits, positions

SETS = st.sets(st.integers(0, 300))


@laws()
@given(SETS)
def test_positions_give_back_in_rising_order_what_bits_took(members: set[int]) -> None:
    assert list(positions(bits(members))) == sorted(members)


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
