"""An action of a page, as a person would name it."""

from dataclasses import dataclass

from unknot.model.web.locator import Locator
from unknot.model.web.step import FieldInput, PageStep

_MOST_DIGITS = 9


@dataclass(frozen=True)
class FormField:
    """What a form takes. `label` is what a person reads beside it; `options` are all its values, if it offers some.
    `constraints` are attributes that limit it, such as `type`, `min` and `pattern`; `value` is what it holds, and
    `is_filled` says in a model that it held something. `title` is the label with a star for data of the row around the
    field; empty if that is the same. `varies`: it did not offer the same options each time."""

    label: str
    locators: tuple[Locator, ...]
    role: str = "textbox"
    options: tuple[str, ...] = ()
    required: bool = False
    constraints: tuple[tuple[str, str], ...] = ()
    value: str = ""
    title: str = ""
    varies: bool = False
    is_filled: bool = False

    def constraint(self, name: str) -> str:
        """Empty if there is none."""
        return next((value for key, value in self.constraints if key == name), "")

    def length(self, name: str) -> int | None:
        """A constraint that counts characters; None if there is none. Longer numbers than any text limit nothing."""
        text = self.constraint(name)
        return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


@dataclass(frozen=True)
class Action:
    """A button or link, with the fields of its form; or a field alone, without `locators`. `key` tells it from the
    other actions of a kind of page; two actions that differ only in data, such as the links of a list, have the same
    key and title. `name` is what a person reads, `href` where a link leads. `writes`: the form is sent by POST.
    `is_shared`: it is in a part of many pages, such as a menu. `sends_to` is the address of the form, if it has one.
    `row` is the role of the repeated part around it, such as a row of a table; empty outside of one. `varies`: the
    names of those with this key differ, so they are data."""

    key: str
    title: str
    name: str
    locators: tuple[Locator, ...]
    fields: tuple[FormField, ...] = ()
    href: str = ""
    writes: bool = False
    is_shared: bool = False
    sends_to: str = ""
    row: str = ""
    varies: bool = False

    def step(self, values: "dict[str, str]") -> PageStep:
        """`values` belong to labels; a field without one is left as it is."""
        inputs = tuple(FieldInput(each.locators, values[each.label]) for each in self.fields if each.label in values)
        return PageStep(self.locators, inputs)
