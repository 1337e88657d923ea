"""Simulated applications behind the protocol of all applications."""

from collections import Counter

import pytest

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.model.web.locator import Locator
from unknot.model.web.step import FieldInput, PageStep
from unknot.web.crawl.actions import actions_of
from unknot.web.simulated.simulated_application import SimulatedApplication, UndeclaredTransition
from unknot.web.simulated.site import Site, action, link
from unknot.web.simulated.trello import JOHN, LISTS, PASSWORD, Trello


class Notes(Site):
    start = "Notes"

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    @action("Notes", text=("milk", "eggs"))
    def add(self, text: str) -> None:
        self.notes.append(text)

    @action("Notes", to="Note", guard="the note is there", text=("milk", "eggs"))
    def show(self, text: str) -> None:
        self.require(text in self.notes, "there is no such note")

    def in_view(self) -> dict[str, list[str]]:
        return {"notes": self.notes}


def step(name: str, **values: str) -> PageStep:
    form = Locator("form", name)
    inputs = tuple(FieldInput((Locator("combobox", label, within=form),), value) for label, value in values.items())
    return PageStep((Locator("button", name),), inputs)


def test_an_action_changes_what_is_in_view_until_a_reset() -> None:
    notes = SimulatedApplication(Notes)
    notes.reset()
    assert "milk" in notes.perform(step("add", text="milk")).root.all_text()
    assert "milk" not in notes.reset().root.all_text()


def test_a_guard_that_does_not_hold_is_a_refusal() -> None:
    notes = SimulatedApplication(Notes)
    notes.reset()
    refused = notes.perform(step("show", text="milk"))
    assert (refused.title, refused.refusal) == ("Notes", "there is no such note")
    notes.perform(step("add", text="milk"))
    assert notes.perform(step("show", text="milk")).title == "Note"
    assert [each.action for each in notes.taken] == ["add", "show"]


def test_what_is_not_there_or_not_filled_is_a_refusal() -> None:
    notes = SimulatedApplication(Notes)
    notes.reset()
    assert notes.perform(step("remove")).refusal
    assert notes.perform(step("add")).refusal
    assert notes.perform(step("add", text="tea")).refusal
    assert not notes.taken


def test_every_action_of_a_page_is_found_on_it_with_its_fields() -> None:
    shown = actions_of(SimulatedApplication(Trello).reset().root)
    assert {each.name: [part.label for part in each.fields] for each in shown} == {
        "login_as_john": [],
        "login": ["email", "password"],
        "go_to_sign_up": [],
    }


def test_the_graph_has_parameters_values_guards_and_ways() -> None:
    graph = Notes.navigation_graph()
    text = (Parameter("text", values=("milk", "eggs")),)
    assert graph == NavigationGraph(
        "Notes",
        ("Notes", "Note"),
        (Transition("add", "Notes", "Notes", text), Transition("show", "Notes", "Note", text, "the note is there")),
    )


class Careless(Site):
    start = "One"

    @action("One", to="Two")
    def go(self) -> str:
        return "Three"

    @action("One")
    def refuse(self) -> None:
        self.require(False)

    @action("One", to=("One", "Two"))
    def hesitate(self) -> str:
        return "Two"


@pytest.mark.parametrize("wrong", ["go", "refuse"])
def test_what_an_action_does_without_declaring_it_is_an_error(wrong: str) -> None:
    careless = SimulatedApplication(Careless)
    careless.reset()
    with pytest.raises(UndeclaredTransition, match=wrong):
        careless.perform(step(wrong))


def test_a_page_that_nothing_leads_on_from_is_shown() -> None:
    careless = SimulatedApplication(Careless)
    careless.reset()
    assert careless.perform(step("hesitate")).title == "Two"
    assert careless.perform(step("hesitate")).refusal


def test_a_page_has_each_action_once() -> None:
    class Twice(Site):
        start = "One"
        first = link("One", named="go")
        second = link("One", named="go")

    with pytest.raises(UndeclaredTransition, match="One has two actions go"):
        SimulatedApplication(Twice)


def test_one_action_of_trello_may_lead_to_the_same_page_in_two_ways() -> None:
    trello = SimulatedApplication(Trello)
    trello.reset()
    person = {"first_name": "Ada", "last_name": "Bob", "email": "eve@example.org"}
    trello.perform(step("go_to_sign_up"))
    trello.perform(step("sign_up", **person, password="secret1", password_confirmation="secret1"))
    trello.perform(step("sign_out"))
    trello.perform(step("login", email=JOHN, password=PASSWORD))
    trello.perform(step("add_new_board", board_name="Plans"))
    for member in ("ada@example.org", "eve@example.org"):
        assert not trello.perform(step("add_new_member_to_current_board", new_member=member)).refusal
    ways = Counter(each.condition for each in trello.taken if each.source == LISTS)
    assert ways == {"no member added": 1, "member added": 1}
