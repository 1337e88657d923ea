"""The actions of a page, what is entered, and what is left alone."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.web.application.element import CLICKABLE, COVERED, DISABLED, READ_ONLY, Element
from unknot.web.application.locator import Locator
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.new_values import new_value
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.view import Action, FormField

ORIGIN = "http://localhost:8000"


def page(*parts: Element) -> Element:
    return Element("document", children=parts)


def test_a_form_is_one_action_for_each_button_with_all_fields_that_can_be_filled() -> None:
    fields = (
        Element("textbox", "Title"),
        Element("textbox", "Number", states=frozenset({READ_ONLY})),
        Element("combobox", "Category", options=("Fiction", "Science")),
    )
    form = Element("form", children=(*fields, Element("button", "Add"), Element("button", "Preview")))
    found = actions_of(page(form))
    assert [(each.title, [part.label for part in each.fields]) for each in found] == [
        ("Add", ["Title", "Category"]),
        ("Preview", ["Title", "Category"]),
    ]


def test_what_is_disabled_or_covered_is_no_action_and_what_listens_for_clicks_is() -> None:
    found = actions_of(
        page(
            Element("button", "Off", states=frozenset({DISABLED})),
            Element("link", "Below", states=frozenset({CLICKABLE, COVERED})),
            Element("generic", "Tile", states=frozenset({CLICKABLE})),
        )
    )
    assert [each.name for each in found] == ["Tile"]


def test_equal_buttons_are_told_apart_by_their_number_and_have_one_key_in_rows() -> None:
    rows = tuple(Element("row", children=(Element("button", "Remove"),)) for _ in range(2))
    first, second = actions_of(page(Element("table", children=rows)))
    assert first.key == second.key
    assert [each.locators[0].nth for each in (first, second)] == [0, 1]


def test_in_rows_texts_are_data() -> None:
    row = Element(
        "row",
        children=(
            Element("link", "Emma", attributes=(("href", "/books/7"),)),
            Element("form", children=(Element("textbox", "Note for Emma"), Element("button", "Add to Emma"))),
        ),
    )
    assert [each.title for each in actions_of(page(Element("table", children=(row,))))] == ["/books/*", "Add to *"]


def test_an_element_without_a_name_is_found_by_an_attribute() -> None:
    (found,) = actions_of(page(Element("link", attributes=(("href", ""), ("class", "edit icon")))))
    assert found.locators == (Locator(attribute=("class", "edit icon")),)
    assert found.name == "edit icon"


def test_a_field_without_a_label_is_called_by_the_text_before_it() -> None:
    fields = (Element("text", text="Title:"), Element("textbox"), Element("textbox"))
    (found,) = actions_of(
        page(Element("form", children=(*fields, Element("button", "Save"), Element("button", "Cancel"))))
    )[:1]
    assert [each.label for each in found.fields] == ["Title", "textbox"]


def test_a_button_that_cancels_takes_nothing() -> None:
    form = Element("form", children=(Element("textbox", "Title"), Element("button", "Cancel")))
    (found,) = actions_of(page(form))
    assert found.fields == ()


def test_menus_are_shared() -> None:
    menu = Element(
        "navigation", children=(Element("list", children=(Element("listitem", children=(Element("link", "Books"),)),)),)
    )
    (found,) = actions_of(page(menu))
    assert found.is_shared
    assert found.title == "Books"


def test_repeated_fields_of_one_label_keep_their_values() -> None:
    field = FormField("Title", (Locator("textbox", "Title"),))
    action = Action("/Add", "Add", "Add", (Locator("button", "Add"),), (field,))
    assert [each.value for each in action.step({"Title": "Emma", "Other": "x"}).inputs] == ["Emma"]


@given(
    st.sampled_from(["E-mail", "Password", "Amount", "Birthday", "Phone", "?", ""]),
    st.sampled_from(["", "text", "number", "date", "email", "color", "time"]),
    st.integers(0, 10**6),
    st.integers(1, 40),
)
def test_a_new_value_fits_its_field(label: str, kind: str, number: int, longest: int) -> None:
    constraints = (("type", kind), ("min", "3"), ("max", "9"), ("maxlength", str(longest)))
    field = FormField(label, (), "spinbutton" if kind == "number" else "textbox", constraints=constraints)
    value = new_value(field, number, random.Random(number))
    assert value
    if kind == "number":
        assert 3 <= float(value) <= 9
    elif kind in ("", "text"):
        assert len(value) <= longest


def action_named(name: str, href: str = "", writes: bool = False) -> Action:
    return Action(name, name, name, (), href=href, writes=writes)


@pytest.mark.parametrize(
    ("name", "href", "why"),
    [
        ("Log out", "", "logs out"),
        ("Sign-out", "/leave", "logs out"),
        ("Buy", "", "pays"),
        ("Send", "", "sends"),
        ("Delete my account", "", "deletes an account"),
        ("Docs", "http://example.org/", "leads to another site"),
        ("Docs", "http://localhost:9000/", "leads to another site"),
        ("Write", "mailto:ada@example.org", "is a mailto link"),
        ("Broken", "http://[", "leads nowhere"),
        ("Books", "/books", ""),
        ("Books", "?page=2", ""),
        ("Delete", "", ""),
    ],
)
def test_what_does_harm_or_leads_away_is_left_alone(name: str, href: str, why: str) -> None:
    safety = Safety(frozenset({ORIGIN}), writes=True)
    assert safety.why_not(action_named(name, href), f"{ORIGIN}/page") == why


def test_without_a_way_back_nothing_is_changed() -> None:
    safety = Safety(frozenset({ORIGIN}), writes=False)
    assert safety.why_not(action_named("Save", writes=True), ORIGIN) == "changes data"
    assert safety.why_not(action_named("Delete"), ORIGIN) == "changes data"
    assert not safety.why_not(action_named("Search"), ORIGIN)


def test_a_word_that_is_allowed_is_not_spared_but_still_stays_on_the_site() -> None:
    safety = Safety(frozenset({ORIGIN}), writes=True, allowed=("log out",))
    assert not safety.why_not(action_named("Log out"), ORIGIN)
    assert safety.why_not(action_named("Log out", "http://example.org"), ORIGIN)
