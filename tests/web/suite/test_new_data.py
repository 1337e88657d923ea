"""Other data for drafts."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.web.suite.draft import Draft, DraftStep
from unknot.web.suite.new_data import NewData, is_free


def entering(value: str, **constraints: str) -> Draft:
    field = FormField("Value", (Locator("textbox", "Value"),), constraints=tuple(constraints.items()))
    action = Action("/button/Add", "Add", "Add", (Locator("button", "Add"),), (field,), writes=True)
    follow = Action("/row/link/x", "x", value, (Locator("link", value),), row="row", href="/x")
    steps = (DraftStep("A", action, (("Value", value),), "A"), DraftStep("A", follow, (), "B"))
    return Draft(steps, (value,))


@pytest.mark.parametrize(
    ("value", "constraints", "form"),
    [
        ("Value 3", {}, r"Value \d+"),
        ("reader3@example.org", {"type": "email"}, r"reader\d+@example\.org"),
        ("1957", {}, r"19\d\d"),
        ("ISBN-12-4", {}, r"ISBN-12-\d+"),
        ("AB-12", {"pattern": "[A-Z]{2}-[0-9]{2}"}, r"[A-Z]{2}-\d\d"),
    ],
)
def test_other_data_has_the_form_of_what_was_accepted(value: str, constraints: dict[str, str], form: str) -> None:
    data = NewData(1)
    seen = {value}
    for _ in range(5):
        (new,) = data.renewed(entering(value, **constraints))[0].data
        assert re.fullmatch(form, new)
        assert new not in seen
        seen.add(new)


def test_other_data_is_entered_and_found_again() -> None:
    renewed, data = NewData(1).renewed(entering("Value 3"))
    new = data["Value 3"]
    assert renewed.steps[0].values == (("Value", new),)
    assert renewed.steps[1].action.locators == (Locator("link", new),)
    assert renewed.steps[1].action.name == new


def test_a_form_in_which_nothing_was_entered_gets_one_value_of_its_own() -> None:
    data = NewData(1)
    first, second = entering("Value 3").steps
    filled = data.filled(Draft((replace(first, values=()),)))
    assert filled is not None
    assert filled.steps[-1].values == (("Value", filled.data[0]),)
    assert data.renewed(filled)[0].data != filled.data
    assert data.filled(Draft((first,))) is None
    assert data.filled(Draft((first, second))) is None
    (secret,) = entering("Value 3", type="password").steps[:1]
    assert data.filled(Draft((replace(secret, values=()),))) is None


def test_what_has_no_other_value_is_no_data() -> None:
    draft = entering("always")
    renewed, data = NewData(1).renewed(draft)
    assert data == {}
    assert renewed == Draft(draft.steps)


def test_values_of_walks_are_not_used_again() -> None:
    data = NewData(1)
    data.taken(f"Value {number}" for number in range(101, 110))
    assert data.renewed(entering("Value 3"))[1] == {"Value 3": "Value 110"}


@given(st.sampled_from(["number", "date", "range", "color", "file", "checkbox", "time"]))
def test_only_texts_are_data(kind: str) -> None:
    assert is_free(FormField("Value", ()))
    assert not is_free(FormField("Value", (), constraints=(("type", kind),)))
    assert not is_free(FormField("Value", (), options=("a", "b")))
