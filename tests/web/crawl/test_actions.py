"""The actions of a page, what is entered, and what is left alone."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.element import CLICKABLE, COVERED, DISABLED, MODAL, READ_ONLY, TEXT, Element
from unknot.model.web.locator import Locator
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.headings import headings_of
from unknot.web.crawl.inputs.new_values import new_value
from unknot.web.crawl.safety import Safety

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
            Element("generic", "Tile", states=frozenset({CLICKABLE}), children=(Element(TEXT, text="Tile"),)),
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


def test_numbers_are_data_in_menus_of_pages_and_calendars() -> None:
    def title(name: str, href: str = "") -> str:
        (found,) = actions_of(page(Element("link" if href else "button", name, attributes=(("href", href),))))
        return found.title

    assert title("7", "/books?page=7") == title("8", "/books?page=8") == "/books?page"
    assert title("17") == title("18") == "*"
    assert title("Week 12 of 2026") == "Week * of *"
    assert title("H1") == "H1"
    assert title("Deutsch", "/lang/de") == title("Português", "/lang/pt_BR") == "/lang/*"


def test_links_of_a_menu_with_one_name_are_told_apart_by_where_they_lead() -> None:
    def link(href: str) -> Element:
        return Element("link", "Create new", attributes=(("href", href),))

    def keys(*links: Element) -> int:
        return len({each.key for each in actions_of(page(Element("navigation", children=links)))})

    assert keys(link("/issue/new"), link("/user/new")) == 2
    assert keys(link("/issue/1"), link("/issue/2")) == 1


def test_a_few_links_with_one_name_are_told_apart_and_many_are_data() -> None:
    def keys(*addresses: str) -> int:
        links = (Element("link", "JSON", attributes=(("href", each),)) for each in addresses)
        return len({each.key for each in actions_of(page(*links))})

    assert keys("/export/bills.json", "/export/people.json") == 2
    assert keys("/a/view", "/b/view", "/c/view", "/d/view") == 1


def test_boxes_whose_labels_are_data_make_no_other_form() -> None:
    def key(*people: str) -> str:
        boxes = (Element("checkbox", each, attributes=(("name", "payed_for"),)) for each in people)
        (found,) = actions_of(page(Element("form", children=(*boxes, Element("button", "Add")))))
        assert len(found.fields) == len(people)
        return found.key

    assert key("Ann") == key("Ann", "Bob")


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
    buttons = (Element("button", "Cancel"), Element("button", "Begin again", attributes=(("type", "reset"),)))
    form = Element("form", children=(Element("textbox", "Title"), *buttons))
    assert [each.fields for each in actions_of(page(form))] == [(), ()]


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
        ("Abmelden", "", "logs out"),
        ("Se déconnecter", "", "logs out"),
        ("Cerrar sesión", "", "logs out"),
        ("Esci", "", "logs out"),
        ("Sair", "", "logs out"),
        ("Uitloggen", "", "logs out"),
        ("Jetzt kaufen", "", "pays"),
        ("Payer", "", "pays"),
        ("Nachricht senden", "", "sends"),
        ("Enviar", "", ""),
        ("Absenden", "", ""),
        ("Konto löschen", "", "deletes an account"),
        ("Supprimer mon compte", "", "deletes an account"),
        ("⏻", "/auth/logout", "logs out"),
        ("✕", "/users/7/delete-account", "deletes an account"),
        ("✕", "/users/7/remove-profile-picture", ""),
        ("Catalogue", "/catalogout", ""),
    ],
)
def test_what_does_harm_or_leads_away_is_left_alone(name: str, href: str, why: str) -> None:
    safety = Safety(frozenset({ORIGIN}), writes=True)
    assert safety.why_not(action_named(name, href), f"{ORIGIN}/page") == why


@pytest.mark.parametrize("attributes", [(("id", "sign-out"),), (("class", "icon logout"),), (("title", "Logout"),)])
def test_a_button_with_a_picture_is_known_by_its_attributes(attributes: tuple[tuple[str, str], ...]) -> None:
    form = Element("form", attributes=(("method", "post"),), children=(Element("button", attributes=attributes),))
    (found,) = actions_of(page(form))
    assert Safety(frozenset({ORIGIN}), writes=True).why_not(found, ORIGIN) == "logs out"


def test_a_button_with_a_picture_is_known_by_where_its_form_leads() -> None:
    attributes = (("method", "post"), ("action", "/session/logout"))
    (found,) = actions_of(page(Element("form", attributes=attributes, children=(Element("button", "→"),))))
    assert Safety(frozenset({ORIGIN}), writes=True).why_not(found, ORIGIN) == "logs out"


def test_without_a_way_back_nothing_is_changed() -> None:
    safety = Safety(frozenset({ORIGIN}), writes=False)
    assert safety.why_not(action_named("Save", writes=True), ORIGIN) == "changes data"
    assert safety.why_not(action_named("Delete"), ORIGIN) == "changes data"
    assert not safety.why_not(action_named("Search"), ORIGIN)


def test_a_word_that_is_allowed_is_not_spared_but_still_stays_on_the_site() -> None:
    safety = Safety(frozenset({ORIGIN}), writes=True, allowed=("log out",))
    assert not safety.why_not(action_named("Log out"), ORIGIN)
    assert safety.why_not(action_named("Log out", "http://example.org"), ORIGIN)


def test_only_a_dialog_that_has_to_be_answered_hides_the_page_below() -> None:
    def seen(*states: str) -> Element:
        heading, button = Element("heading", "Cookies"), Element("button", "Accept")
        dialog = Element("dialog", states=frozenset(states), children=(heading, button))
        return page(Element("heading", "Books"), Element("button", "Add"), dialog)

    assert [each.name for each in actions_of(seen(MODAL))] == ["Accept"]
    assert headings_of(seen(MODAL)) == ("Cookies",)
    assert [each.name for each in actions_of(seen())] == ["Add", "Accept"]
    assert headings_of(seen()) == ("Books",)


def test_links_to_other_languages_are_left_alone() -> None:
    (link,) = actions_of(page(Element("link", "Deutsch", attributes=(("href", "/lang/de"),))))
    (other,) = actions_of(page(Element("link", "Español", attributes=(("href", "/lang/es_419"),))))
    safety = Safety(frozenset({"http://localhost:80"}), writes=True)
    for each in (link, other):
        assert safety.why_not(each, "http://localhost/") == "changes the language"
    assert not replace(safety, allowed=("deutsch",)).why_not(link, "http://localhost/")
