"""Which column each test stands in, and how few lines cross."""

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.report.html.layers import (
    Arrow,
    Bend,
    Layers,
    assign_layers,
    components,
    in_direction_of_arrows,
    neighbours_of,
    wrap_columns,
)


def layered(vertices: Sequence[str], *arrows: Arrow, bends: bool = True) -> Layers:
    return assign_layers(in_direction_of_arrows(vertices, arrows), neighbours_of(vertices, arrows), bends=bends)


def test_a_chain_has_a_column_for_each_link() -> None:
    assert layered("abcd", *pairwise("abcd")).columns == (("a",), ("b",), ("c",), ("d",))


def test_arrows_lead_to_the_right_also_from_a_test_that_is_later_in_the_suite() -> None:
    assert layered("abc", ("c", "a"), ("a", "b")).columns == (("c",), ("a",), ("b",))


def test_claims_in_a_circle_are_drawn_all_the_same() -> None:
    assert layered("ab", ("b", "a"), ("a", "b")).columns == (("a",), ("b",))


def test_a_prerequisite_of_one_late_test_is_placed_next_to_it() -> None:
    columns = layered("abcxd", ("a", "b"), ("b", "c"), ("c", "d"), ("x", "d")).columns
    assert columns == (("a",), ("b",), ("c", "x"), ("d",))


def test_a_line_that_passes_a_column_has_a_place_in_it() -> None:
    arrows = (("a", "b"), ("b", "c"), ("a", "c"))
    assert set(layered("abc", *arrows).columns[1]) == {"b", Bend("a", "c", 1)}
    assert layered("abc", *arrows, bends=False).columns == (("a",), ("b",), ("c",))


def test_lines_that_need_not_cross_do_not() -> None:
    columns = layered("abcdxyzw", ("d", "x"), ("c", "y"), ("b", "z"), ("a", "w")).columns
    assert list(zip(*columns, strict=True)) == [("a", "w"), ("b", "z"), ("c", "y"), ("d", "x")]


def test_a_column_that_is_too_long_goes_on_beside_itself() -> None:
    columns = (tuple("abcde"), tuple("xy"))
    assert wrap_columns(columns, 2) == (
        (("a", "d"), False),
        (("b", "e"), True),
        (("c",), True),
        (("x", "y"), False),
    )


graphs = st.integers(1, 9).flatmap(
    lambda size: st.tuples(
        st.just([chr(ord("a") + number) for number in range(size)]),
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda ends: ends[0] != ends[1])),
    )
)


@laws(40)
@given(graph=graphs, bends=st.booleans())
def test_each_vertex_has_one_place_and_no_line_stays_in_a_column(
    graph: tuple[list[str], list[tuple[int, int]]], bends: bool
) -> None:
    vertices, ends = graph
    arrows = [(vertices[first], vertices[second]) for first, second in ends]
    beside = neighbours_of(vertices, arrows)
    ordered = in_direction_of_arrows(vertices, arrows)
    assert sorted(ordered) == vertices
    parts = components(ordered, beside)
    assert sorted(vertex for part in parts for vertex in part) == vertices
    for part in parts:
        columns = assign_layers(part, beside, bends=bends).columns
        column = {node: at for at, nodes in enumerate(columns) for node in nodes}
        assert sorted(node for node in column if not isinstance(node, Bend)) == sorted(part)
        assert all(columns)
        for vertex in part:
            for other in beside[vertex]:
                # No line leads out of a part.
                assert column[vertex] != column[other]
                low, high = sorted((column[vertex], column[other]))
                passed = [node for node in column if isinstance(node, Bend) and {*node[:2]} == {vertex, other}]
                assert sorted(node.column for node in passed) == (list(range(low + 1, high)) if bends else [])


@laws(40)
@given(graph=graphs)
def test_without_a_circle_every_arrow_leads_to_the_right(graph: tuple[list[str], list[tuple[int, int]]]) -> None:
    vertices, ends = graph
    # Against the order in which the vertices are given.
    arrows = [(vertices[max(pair)], vertices[min(pair)]) for pair in ends]
    column = {node: at for at, nodes in enumerate(layered(vertices, *arrows).columns) for node in nodes}
    assert all(column[first] < column[second] for first, second in arrows)
