"""The views of the graph: what is collapsed, what is drawn in which, and how they lead to each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.cause import causes
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.suite import Suite, TestId
from unknot.report.html.claims import graph_claims
from unknot.report.html.folders import MOST_FILES, folders_of
from unknot.report.html.views import GraphView, graph_views
from unknot.report.roles import Roles


def views_of(dependencies: Dependencies) -> list[GraphView]:
    known = causes(dependencies)
    return graph_views(dependencies, graph_claims(dependencies, known), known)


def need(late: TestId, early: TestId, location: str) -> Need:
    why = (Reason(ReasonKind.FLOW, early, late, Location("memory", location)),)
    return Need(late, (early,), Proof((early, late), (late,)), why=why)


@pytest.fixture(scope="module")
def shop() -> Dependencies:
    """Two files: tests of the second need one of the first, and one of them breaks a test of the first."""
    opens, totals, prices, sells = tests = tuple(
        TestId(name)
        for name in ("a/test_1.py::opens", "a/test_1.py::totals", "a/test_2.py::prices", "a/test_2.py::sells")
    )
    needs = (need(totals, opens, "cart"), need(prices, opens, "cart"), need(sells, opens, "cart"))
    why = (Reason(ReasonKind.FLOW, sells, totals, Location("memory", "stock")),)
    conflict = Conflict(totals, (sells,), (), Proof((opens, totals), (opens, sells, totals)), why=why)
    return Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs, (conflict,))


def test_there_are_views_of_all_tests_by_file_and_by_cause(shop: Dependencies) -> None:
    assert [(view.title, view.kind, view.parent) for view in views_of(shop)] == [
        ("All tests", "tests", None),
        ("Files", "files", None),
        ("test_1.py", "files", 1),
        ("test_2.py", "files", 1),
        ("Causes", "causes", None),
        ("cart", "causes", 4),
        ("stock", "causes", 4),
    ]


def test_a_line_between_files_counts_the_claims_that_it_stands_for(shop: Dependencies) -> None:
    files = views_of(shop)[1]
    names = {vertex: group.name for vertex, group in files.groups.items()}
    lines = {(names[first], names[second]): (needs, conflicts) for first, second, needs, conflicts in files.lines}
    assert lines == {("test_1.py", "test_2.py"): (2, 0), ("test_2.py", "test_1.py"): (0, 1)}
    assert files.claims == ()


def test_in_the_view_of_a_file_other_files_are_collapsed(shop: Dependencies) -> None:
    file = views_of(shop)[3]
    (group,) = file.groups.values()
    assert (group.name, group.view) == ("test_1.py", 2)
    assert {"a/test_2.py::prices", "a/test_2.py::sells"} < set(file.layout.spots)
    assert len(file.layout.spots) == 3


def test_the_view_of_a_cause_has_its_claims_only(shop: Dependencies) -> None:
    claims = graph_claims(shop, causes(shop))
    cart, stock = views_of(shop)[5:]
    assert {claims[number].test for number in cart.claims} == {claim.dependent for claim in shop.needs}
    assert [claims[number].is_need for number in stock.claims] == [False]


def test_one_cause_comes_before_another_that_its_tests_take_part_in(shop: Dependencies) -> None:
    overview = views_of(shop)[4]
    names = {vertex: group.name for vertex, group in overview.groups.items()}
    assert [(names[first], names[second]) for first, second, *_ in overview.lines] == [("cart", "stock")]


def test_files_beyond_a_screenful_are_collapsed_by_folder() -> None:
    paths = [("tests", f"folder_{number % 3}", f"test_{number}.py") for number in range(MOST_FILES + 2)]
    found = folders_of(paths)
    top = [path for path, parent in found.items() if parent == ("tests",)]
    assert top == [("tests", "folder_0"), ("tests", "folder_1"), ("tests", "folder_2")]
    assert found[paths[0]] == ("tests", "folder_0")
    assert set(folders_of(paths[:MOST_FILES])) == {("tests",), *paths[:MOST_FILES]}


@laws(40)
@given(data=st.data())
def test_every_test_is_in_one_box_of_each_view_by_file(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    drawn = {*Roles(dependencies).participants, *dependencies.flaky}
    views = views_of(dependencies)
    for view in views:
        boxes = set(view.layout.spots)
        assert set(view.groups) <= boxes
        assert {end for line in view.lines for end in line[:2]} <= boxes
        members = [
            test for vertex in boxes for test in (view.groups[vertex].tests if vertex in view.groups else [vertex])
        ]
        assert set(members) <= drawn
        if view.kind != "causes" or view.parent is not None:
            assert len(members) == len(set(members))
        if view.parent is None and view.kind != "causes":
            assert set(members) == drawn
        for group in view.groups.values():
            assert group.view is None or group.view < len(views)
