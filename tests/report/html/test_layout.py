"""Where tests stand on the drawing: all of them, none on another, in the form of a window."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.cause import causes
from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.html.claims import graph_claims
from unknot.report.html.layers import place_in_row
from unknot.report.html.layout import GraphLayout, graph_layout
from unknot.report.html.packing import HEIGHT, Size, Spot, best_packing, extent_of
from unknot.report.html.style import fitted_name
from unknot.report.html.views import graph_views
from unknot.report.roles import Roles


def overlap(one: Spot, other: Spot) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + HEIGHT
        and other.y < one.y + HEIGHT
    )


def chained(length: int, width: int) -> GraphLayout:
    """Rows of so many tests, each of which needs one of the row before."""
    names = [f"test_{number}" for number in range(length * width)]
    arrows = [*zip(names, names[width:], strict=False), *((names[0], names[number]) for number in range(1, width))]
    return graph_layout({name: name for name in names}, arrows)


def without_overlap(spots: Iterable[Spot]) -> bool:
    return not any(overlap(*pair) for pair in combinations(spots, 2))


@laws(40)
@given(data=st.data())
def test_every_test_that_takes_part_or_is_flaky_has_a_spot_of_its_own(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    known = causes(dependencies)
    drawn = graph_views(dependencies, graph_claims(dependencies, known), known)[0].layout
    assert set(drawn.spots) == {*Roles(dependencies).participants, *dependencies.flaky}
    assert without_overlap(drawn.spots.values())
    # No line runs behind a test, either: where it passes a column there is no test.
    passed = [replace(spot, y=spot.y + HEIGHT // 2 - 1) for bends in drawn.bends.values() for spot in bends]
    thin = [(bend, spot) for bend in passed for spot in drawn.spots.values() if spot.y < bend.y < spot.y + HEIGHT]
    assert not [
        pair for pair in thin if pair[0].x < pair[1].x + pair[1].width and pair[1].x < pair[0].x + pair[0].width
    ]


def test_a_very_long_chain_is_folded_into_the_form_of_a_window() -> None:
    around = extent_of(chained(120, 4).spots.values())
    assert 0.5 < around.width / around.height < 6


def test_very_many_tests_side_by_side_are_too() -> None:
    around = extent_of(chained(3, 400).spots.values())
    assert 0.5 < around.width / around.height < 6


def test_no_two_boxes_of_a_large_drawing_overlap() -> None:
    spots = chained(12, 30).spots
    assert len(spots) == 360
    assert without_overlap(spots.values())


def test_a_fitted_name_is_the_end_of_the_id_and_not_too_long() -> None:
    assert fitted_name(TestId("tests/test_a.py::TestB::test_c[x]"), 30) == "test_c[x]"
    assert fitted_name(TestId("a::"), 30) == "a::"
    assert fitted_name(TestId("t.py::test_" + "long_" * 9), 30) == "long_long_long_long_long_long…"
    assert fitted_name(TestId("t.py::" + "日" * 40), 30) == "日" * 14 + "…"


@given(st.lists(st.tuples(st.integers(-50, 50), st.sampled_from((0.5, 1.0, 2.0))), min_size=1, max_size=30))
def test_things_are_spread_so_that_none_is_upon_another(wishes: list[tuple[int, float]]) -> None:
    sizes = [size for _, size in wishes]
    places = place_in_row([float(wish) for wish, _ in wishes], sizes)
    ends = [place + size / 2 for place, size in zip(places, sizes, strict=True)]
    begins = [place - size / 2 for place, size in zip(places, sizes, strict=True)]
    assert all(begin >= end - 1e-9 for end, begin in zip(ends, begins[1:], strict=False))


def test_boxes_with_enough_room_keep_their_position() -> None:
    assert place_in_row([0.0, 3.0, 9.0], [1.0, 2.0, 1.0]) == [0.0, 3.0, 9.0]


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(1, 300)), max_size=15))
def test_packed_boxes_do_not_touch(sizes: list[Size]) -> None:
    ranked = sorted(sizes, key=lambda size: -size[1])
    placed = list(zip(ranked, best_packing(ranked, 1.9, 10), strict=True))
    for (one, (x, y)), (other, (left, top)) in combinations(placed, 2):
        beside = x + one[0] + 10 <= left or left + other[0] + 10 <= x
        above = y + one[1] + 10 <= top or top + other[1] + 10 <= y
        assert beside or above
