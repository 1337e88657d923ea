"""A test before it is written: steps from a clean state, the data that it enters, and what it checks at the end.

Everything is literal: a test is replayed with other data by replacing texts, in values, locators and checks alike.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator


@dataclass(frozen=True)
class DraftStep:
    """An action on a page of this kind, with what to enter, by the labels of its fields, and the kind of page that
    followed."""

    kind: str
    action: Action
    values: tuple[tuple[str, str], ...]
    leads_to: str


class CheckKind(Enum):
    """What can be seen after a step that was not so before."""

    PAGE = "page"
    """A page of the kind `text` is in view, and it was of another kind before."""
    MESSAGE = "message"
    """The page shows `text`."""
    LISTED = "listed"
    """`text` is in the list `values`."""
    GONE = "gone"
    """`text` is no longer in the list `values`."""
    COUNT = "count"
    """The list `values` has `by` values more than before the step; less, if that is negative."""
    FIELD = "field"
    """The field `values` (its label) holds `text`."""


@dataclass(frozen=True)
class Check:
    """See `CheckKind`. Lists are those of `View.lists`, by name."""

    kind: CheckKind
    text: str = ""
    values: str = ""
    by: int = 0


@dataclass(frozen=True)
class Draft:
    """The last step is what the test is about, those before it prepare it. `data` are the values that it enters and
    that may be any others of their sort: each different one once."""

    steps: tuple[DraftStep, ...]
    data: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()

    def with_checks(self, checks: tuple[Check, ...]) -> "Draft":
        return replace(self, checks=checks)

    def with_data(self, data: Mapping[str, str]) -> "Draft":
        """The same test with other values, wherever they show up."""
        return Draft(
            tuple(_step(each, data) for each in self.steps),
            tuple(data.get(each, each) for each in self.data),
            tuple(replace(each, text=replaced(each.text, data)) for each in self.checks),
        )

    def field_of(self, value: str) -> FormField | None:
        """The one into which it is entered first."""
        for step in self.steps:
            labels = [label for label, entered in step.values if entered == value]
            for field in step.action.fields:
                if field.label in labels:
                    return field
        return None


def replaced(text: str, data: Mapping[str, str]) -> str:
    """With other data, where it stands as a word: "Title 1" is no part of "Title 12".

    >>> replaced("Title 1, Title 12", {"Title 1": "Title 12", "Title 12": "Title 3"})
    'Title 12, Title 3'
    """
    if not any(each in text for each in data):
        return text
    longest_first = sorted(filter(None, data), key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in longest_first)
    return re.sub(pattern, lambda found: data[found.group()], text)


def own_key(key: str) -> str:
    """That of an action, without the shared part that it is in."""
    return key[key.find("/") :]


def names(text: str, value: str) -> bool:
    """Whether the value stands in the text as a word."""
    return bool(value) and value in text and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _step(step: DraftStep, data: Mapping[str, str]) -> DraftStep:
    values = tuple((replaced(label, data), replaced(value, data)) for label, value in step.values)
    return replace(step, action=_action(step.action, data), values=values)


def _action(action: Action, data: Mapping[str, str]) -> Action:
    """Its key and title have no data in them."""
    fields = tuple(
        replace(each, label=replaced(each.label, data), locators=_locators(each.locators, data))
        for each in action.fields
    )
    return replace(action, name=replaced(action.name, data), locators=_locators(action.locators, data), fields=fields)


def _locators(locators: tuple[Locator, ...], data: Mapping[str, str]) -> tuple[Locator, ...]:
    return tuple(_locator(each, data) for each in locators)


def _locator(locator: Locator, data: Mapping[str, str]) -> Locator:
    attribute, within = locator.attribute, locator.within
    return replace(
        locator,
        name=replaced(locator.name, data),
        attribute=attribute and (attribute[0], replaced(attribute[1], data)),
        text=replaced(locator.text, data),
        within=within and _locator(within, data),
    )
