"""Finding elements again."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.element import Element
from unknot.model.web.locator import Locator

ROW = Element("row", children=(Element("link", "Emma"), Element("button", "Remove")))
OTHER = Element("row", children=(Element("link", "Moby Dick"), Element("button", "Remove", attributes=(("id", "x"),))))
TABLE = Element("document", children=(Element("table", children=(ROW, OTHER)),))


def test_role_and_name_find_all_that_fit_in_document_order() -> None:
    assert Locator("button", "Remove").find(TABLE) == [ROW.children[1], OTHER.children[1]]
    assert Locator("button", "Remove", nth=1).find(TABLE) == [OTHER.children[1]]
    assert Locator("button", "Remove", nth=2).find(TABLE) == []


def test_an_attribute_limits_what_is_found() -> None:
    assert Locator("button", attribute=("id", "x")).find(TABLE) == [OTHER.children[1]]


def test_a_search_may_be_limited_to_what_is_below_others() -> None:
    table = Element(
        "table", children=(Element("row", children=(Element("text", text="Emma"), Element("button", "x"))),)
    )
    wanted = Locator("button", "x", within=Locator("row", text="Emma"))
    assert len(wanted.find(table)) == 1
    assert Locator("button", "x", within=Locator("row", text="Ulysses")).find(table) == []


TREES = st.recursive(
    st.builds(Element, st.sampled_from(["row", "link", "button"]), st.sampled_from(["", "a", "b"])),
    lambda below: st.builds(Element, st.just("table"), children=st.lists(below, max_size=4).map(tuple)),
    max_leaves=12,
)


@given(TREES, st.sampled_from(["row", "link", "button", "table", ""]), st.sampled_from(["", "a", "b"]))
def test_the_numbers_of_a_locator_divide_what_it_finds(tree: Element, role: str, name: str) -> None:
    found = Locator(role, name).find(tree)
    assert [each for number in range(len(found)) for each in Locator(role, name, nth=number).find(tree)] == found
