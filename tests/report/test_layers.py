"""Where tests stand in the drawing."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.knots import Conflict, Knots, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.report.layers import layered, places
from unknot.report.roles import Roles


def test_a_chain_has_a_column_for_each_link() -> None:
    tests = tuple(TestId(name) for name in "abcd")
    needs = tuple(Need(late, (early,), Proof((early, late), (late,))) for early, late in pairwise(tests))
    knots = Knots(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs=needs)
    assert layered(knots) == (("a",), ("b",), ("c",), ("d",))


def test_claims_in_a_circle_are_drawn_all_the_same() -> None:
    a, b = TestId("a"), TestId("b")
    proof = Proof((a,), (b, a))
    conflicts = (Conflict(a, (b,), (), proof), Conflict(b, (a,), (), Proof((b,), (a, b))))
    knots = Knots(Suite((a, b)), {a: Outcome.PASSED, b: Outcome.PASSED}, {}, conflicts=conflicts)
    assert layered(knots) == ((a,), (b,))


@given(data=st.data())
def test_each_test_that_takes_part_has_one_place_and_no_claim_stays_in_a_column(
    data: st.DataObject, any_knots: st.SearchStrategy[Knots]
) -> None:
    knots = data.draw(any_knots)
    columns = layered(knots)
    place = places(columns)
    assert sorted(test for column in columns for test in column) == sorted(Roles(knots).participants)
    for need in knots.needs:
        for option in need.any_of:
            assert place[need.dependent].column != place[option].column
    for conflict in knots.conflicts:
        for polluter in conflict.polluters:
            assert place[conflict.victim].column != place[polluter].column
