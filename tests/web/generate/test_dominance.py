"""Which solutions are better than others."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from unknot.web.generate.dominance import dominates, fronts

SOLUTIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=12)


@given(SOLUTIONS)
def test_every_solution_is_in_one_front_and_dominated_by_one_of_the_front_before(
    solutions: list[tuple[int, int, int]],
) -> None:
    found = list(fronts(solutions))
    assert sorted(place for front in found for place in front) == list(range(len(solutions)))
    for front in found:
        assert not any(dominates(solutions[one], solutions[other]) for one in front for other in front)
    for before, front in itertools.pairwise(found):
        for place in front:
            assert any(dominates(solutions[better], solutions[place]) for better in before)
