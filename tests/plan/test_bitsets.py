"""Wide bitsets give the same answers as plain sets, sparse or dense."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.bits import bits
from unknot.plan.bitsets import Scale, members

sets = st.one_of(st.sets(st.integers(0, 299)), st.sets(st.integers(0, 299)).map(lambda few: set(range(300)) - few))


@given(sets)
def test_members_are_those_put_in_rising(places: set[int]) -> None:
    assert members(bits(places)) == sorted(places)


@given(sets, st.integers(300, 310))
def test_a_set_weighs_what_its_members_weigh(places: set[int], size: int) -> None:
    assert Scale([float(place) for place in range(size)]).weigh(bits(places)) == sum(places)
