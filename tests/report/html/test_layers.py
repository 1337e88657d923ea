"""Which column each test stands in, and how few lines cross."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId
from unknot.report.html.layers import Bend, assign_layers, components, neighbours_of, wrap_columns
from unknot.report.roles import Roles


def of(tests: Order, *pairs: tuple[str, str]) -> Dependencies:
    needs = tuple(
        Need(TestId(late), (TestId(early),), Proof((TestId(early), TestId(late)), (TestId(late),)))
        for late, early in pairs
    )
    return Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs=needs)


def named(names: str) -> Order:
    return tuple(TestId(name) for name in names)


def test_a_chain_has_a_column_for_each_link() -> None:
    tests = named("abcd")
    dependencies = of(tests, *((late, early) for early, late in pairwise(tests)))
    assert assign_layers(tests, neighbours_of(dependencies), bends=True).columns == (("a",), ("b",), ("c",), ("d",))


def test_claims_in_a_circle_are_drawn_all_the_same() -> None:
    a, b = named("ab")
    conflicts = (Conflict(a, (b,), (), Proof((a,), (b, a))), Conflict(b, (a,), (), Proof((b,), (a, b))))
    dependencies = Dependencies(Suite((a, b)), {a: Outcome.PASSED, b: Outcome.PASSED}, {}, conflicts=conflicts)
    assert assign_layers((a, b), neighbours_of(dependencies), bends=True).columns == ((a,), (b,))


def test_a_prerequisite_of_one_late_test_is_placed_next_to_it() -> None:
    tests = named("abcxd")
    dependencies = of(tests, ("b", "a"), ("c", "b"), ("d", "c"), ("d", "x"))
    assert assign_layers(tests, neighbours_of(dependencies), bends=True).columns == (("a",), ("b",), ("c", "x"), ("d",))


def test_a_line_that_passes_a_column_has_a_place_in_it() -> None:
    tests = named("abc")
    dependencies = of(tests, ("b", "a"), ("c", "b"), ("c", "a"))
    columns = assign_layers(tests, neighbours_of(dependencies), bends=True).columns
    assert set(columns[1]) == {"b", Bend(TestId("a"), TestId("c"), 1)}
    assert assign_layers(tests, neighbours_of(dependencies), bends=False).columns == (("a",), ("b",), ("c",))


def test_lines_that_need_not_cross_do_not() -> None:
    tests = named("abcdxyzw")
    columns = assign_layers(
        tests, neighbours_of(of(tests, ("x", "d"), ("y", "c"), ("z", "b"), ("w", "a"))), bends=True
    ).columns
    assert [(left, right) for left, right in zip(*columns, strict=True)] == [
        ("a", "w"),
        ("b", "z"),
        ("c", "y"),
        ("d", "x"),
    ]


def test_a_column_that_is_too_long_goes_on_beside_itself() -> None:
    columns = (named("abcde"), named("xy"))
    assert wrap_columns(columns, 2) == (
        (named("ad"), False),
        (named("be"), True),
        (named("c"), True),
        (named("xy"), False),
    )


@laws(40)
@given(data=st.data())
def test_each_test_that_takes_part_has_one_place_and_no_claim_stays_in_a_column(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    beside = neighbours_of(dependencies)
    bends = data.draw(st.booleans())
    parts = components(Roles(dependencies).participants, beside)
    assert sorted(test for part in parts for test in part) == sorted(Roles(dependencies).participants)
    for part in parts:
        columns = assign_layers(part, beside, bends=bends).columns
        column = {node: at for at, nodes in enumerate(columns) for node in nodes}
        assert sorted(node for node in column if not isinstance(node, Bend)) == sorted(part)
        assert all(columns)
        for test in part:
            for other in beside[test]:
                # No claim leads out of a part.
                assert column[test] != column[other]
                low, high = sorted((column[test], column[other]))
                passed = [node for node in column if isinstance(node, Bend) and {*node[:2]} == {test, other}]
                assert sorted(node.column for node in passed) == (list(range(low + 1, high)) if bends else [])
