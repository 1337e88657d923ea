"""Whether the application accepted a step, and which field it objects to."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from unknot.model.web.action import Action
from unknot.model.web.element import ERROR, TEXT, VALIDATION, Element
from unknot.web.application.observation import EventKind, Observation, PageEvent
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.rejections import Rejections, field_messages
from unknot.web.crawl.repairs import MOST, Repairs, learned_sort
from unknot.web.crawl.view import View


def page(*parts: Element) -> Element:
    return Element("document", children=parts)


def form(*parts: Element) -> Element:
    return Element("form", attributes=(("method", "post"),), children=(*parts, Element("button", "Save")))


def error(text: str) -> Element:
    return Element(TEXT, text=text, states=frozenset({ERROR}))


def view(root: Element, *events: PageEvent, kind: str = "form", rejection: str = "") -> View:
    observation = Observation("http://localhost/form", "", root, events)
    return View(observation, kind, actions_of(root), rejection=rejection)


def first(root: Element) -> Action:
    return actions_of(root)[0]


TITLE, SHARE = Element("textbox", "Title"), Element("textbox", "Share")
EMPTY = page(form(TITLE, SHARE))


def test_a_message_on_the_same_page_is_a_rejection_and_on_another_page_it_is_not() -> None:
    after = page(form(TITLE, SHARE, error("Share must be a number")))
    assert Rejections().why(view(EMPTY), first(EMPTY), view(after)) == "Share must be a number"
    elsewhere = page(Element("heading", "Bills"), error("Two bills are overdue"))
    assert not Rejections().why(view(EMPTY), first(EMPTY), view(elsewhere, kind="bills"))


def test_what_stands_there_anyway_is_no_message() -> None:
    standing = page(form(TITLE), error("Danger zone"))
    link = Action("/link/Edit", "Edit", "Edit", (), href="/edit")
    rejections = Rejections()
    assert not rejections.why(view(EMPTY, kind="start"), link, view(standing))
    assert not rejections.why(view(standing), first(standing), view(standing))


def test_a_link_that_leads_nowhere_makes_no_message_one_that_stands_there() -> None:
    rejected = page(form(TITLE), error("A title is required"))
    link = Action("/link/Help", "Help", "Help", (), href="#help")
    rejections = Rejections()
    assert not rejections.why(view(rejected), link, view(rejected))
    assert rejections.why(view(rejected), first(rejected), view(rejected)) == "A title is required"


def test_an_alert_in_place_of_sending_a_form_is_a_rejection_and_on_another_page_it_is_not() -> None:
    said = PageEvent(EventKind.DIALOG, "alert: A title is missing")
    assert Rejections().why(view(EMPTY), first(EMPTY), view(EMPTY, said)) == "A title is missing"
    elsewhere = page(Element("heading", "Bills"))
    assert not Rejections().why(view(EMPTY), first(EMPTY), view(elsewhere, said, kind="bills"))
    asked = PageEvent(EventKind.DIALOG, "confirm: Are you sure?")
    assert not Rejections().why(view(EMPTY), first(EMPTY), view(EMPTY, asked))


def test_an_error_of_the_client_is_a_rejection_also_of_a_link() -> None:
    link = Action("/link/Edit", "Edit", "Edit", (), href="/edit")
    answer = PageEvent(EventKind.REJECTED, "404 http://localhost/edit")
    assert Rejections().why(view(EMPTY), link, view(page(), answer)) == "the server answers 404"


def test_what_the_browser_objects_to_is_a_rejection() -> None:
    field = Element("textbox", "Title", attributes=((VALIDATION, "Please fill out this field."),))
    after = page(form(field))
    assert Rejections().why(view(after), first(after), view(after)) == "Title: Please fill out this field."
    assert field_messages(after, first(after)).by_label == {"Title": "Please fill out this field."}


@pytest.mark.parametrize(
    ("root", "label"),
    [
        (page(form(TITLE, SHARE, error("It must be a number"))), "Share"),
        (page(form(TITLE, error("It is too short"), SHARE)), "Title"),
        (page(error("property share: 'x' is not a number"), form(TITLE, SHARE)), "Share"),
        (page(error("Titles must be unique"), form(TITLE, SHARE)), "Title"),
        (page(error("Something is wrong"), form(TITLE, SHARE)), None),
    ],
)
def test_a_message_belongs_to_the_field_that_it_names_or_follows(root: Element, label: str | None) -> None:
    said = field_messages(root, first(root))
    assert list(said.by_label) == ([label] if label else [])
    assert bool(said.of_form) == (label is None)


def repaired(message: str, values: dict[str, str], *, tries: int = 1) -> dict[str, str]:
    repairs = Repairs(random.Random(0))
    after = view(page(error(message), form(TITLE, SHARE)), rejection=message)
    chosen: ChosenStep | None = ChosenStep(after.actions[0], tuple(values.items()))
    for _ in range(tries):
        assert chosen is not None
        repairs.learn(chosen, after)
        chosen = repairs.take(after)
    return dict(chosen.values) if chosen else {}


def test_a_value_that_the_message_quotes_is_the_one_that_changes() -> None:
    values = {"Title": "Title 7", "Share": "Share 8"}
    found = repaired("'Share 8' is not a number", values)
    assert found["Title"] == "Title 7"
    assert found["Share"].isdecimal()
    assert repaired("'Title 7' is not a user", values, tries=2)["Title"] == ""


@pytest.mark.parametrize(
    ("message", "fits"),
    [
        ("The title must consist of letters only", str.isalpha),
        ("The title must be a number", str.isdecimal),
        ("The title is not an e-mail address", lambda value: "@" in value),
        ("The title must have at least 40 characters", lambda value: len(value) >= 40),
        ("The title may have at most 5 characters", lambda value: 0 < len(value) <= 5),
        ("The title must be between 1450 and 2100", lambda value: 1450 <= int(value) <= 2100),
        ("Title 'x' exceeds the valid range [-23...23]", lambda value: -23 <= int(value) <= 23),
        ("Please type DELETE as the title", lambda value: value == "DELETE"),
        ("This title already exists", lambda value: value not in ("", "Title 7")),
        ("The title is not the same as above", lambda value: value == "other"),
    ],
)
def test_the_message_says_what_is_entered_next(message: str, fits: Callable[[str], bool]) -> None:
    assert fits(repaired(message, {"Title": "Title 7", "Share": "other"})["Title"])


def test_of_several_fields_in_a_message_the_empty_ones_are_filled() -> None:
    assert repaired("Title and share are needed", {"Title": "Title 7"}) == {"Title": "Title 7", "Share": "Share 501"}


def test_what_is_unknown_is_what_was_entered_elsewhere() -> None:
    repairs = Repairs(random.Random(0), lambda wanted: [f"{wanted.label} of before"])
    after = view(page(error("This title does not exists"), form(TITLE, SHARE)), rejection="it does not exist")
    repairs.learn(ChosenStep(after.actions[0], (("Title", "Title 7"), ("Share", "3"))), after)
    again = repairs.take(after)
    assert again is not None
    assert dict(again.values) == {"Title": "Title of before", "Share": "3"}


def test_what_a_field_has_asked_for_counts_in_other_forms_and_what_never_fits_is_left_out() -> None:
    repairs = Repairs(random.Random(0))
    other = replace(first(EMPTY), key="/button/Another")
    message = "Share must be a number"
    after = view(page(error(message), form(TITLE, SHARE)), rejection=message)
    chosen: ChosenStep | None = ChosenStep(after.actions[0], (("Title", "Title 7"), ("Share", "Share 8")))
    assert chosen is not None
    repairs.learn(chosen, after)
    repairs.learn(chosen, view(page(), kind="done"))
    share = next(each for each in other.fields if each.label == "Share")
    assert learned_sort(repairs.sorts, other, share) == "number"
    for _ in range(MOST):
        assert chosen is not None
        repairs.learn(chosen, after)
        chosen = repairs.take(after)
    assert chosen is not None
    repairs.learn(chosen, after)
    assert learned_sort(repairs.sorts, chosen.action, share) == "empty"
    assert learned_sort(repairs.sorts, other, share) == "number"


def test_another_message_is_progress() -> None:
    repairs = Repairs(random.Random(0))
    fields = (TITLE, SHARE)
    seen = [
        view(page(error(f"Share {word} wrong"), form(*fields)), rejection=f"Share {word} wrong")
        for word in ("is", "seems", "looks")
    ]
    chosen: ChosenStep | None = ChosenStep(seen[0].actions[0], (("Title", "Title 7"), ("Share", "Share 8")))
    tries = 0
    while chosen is not None:
        repairs.learn(chosen, seen[tries % len(seen)])
        chosen = repairs.take(seen[0])
        tries += chosen is not None
    assert tries > MOST


def test_it_is_given_up_after_a_few_tries() -> None:
    assert repaired("The title is wrong", {"Title": "Title 7"}, tries=MOST)
    assert not repaired("The title is wrong", {"Title": "Title 7"}, tries=MOST + 1)
