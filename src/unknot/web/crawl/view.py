"""An observation as a crawler sees it: the kind of page, and what can be done there."""

from dataclasses import dataclass

from unknot.web.application.locator import Locator
from unknot.web.application.observation import Observation
from unknot.web.application.step import FieldInput, PageStep


@dataclass(frozen=True)
class FormField:
    """What a form takes. `label` is what a person reads beside it; `options` are all its values, if it offers some.
    `constraints` are attributes that limit it, such as `type`, `min` and `pattern`; `value` is what it holds."""

    label: str
    locators: tuple[Locator, ...]
    role: str = "textbox"
    options: tuple[str, ...] = ()
    required: bool = False
    constraints: tuple[tuple[str, str], ...] = ()
    value: str = ""

    def constraint(self, name: str) -> str:
        """Empty if there is none."""
        return next((value for key, value in self.constraints if key == name), "")


@dataclass(frozen=True)
class Action:
    """A button or link, with the fields of its form; or a field alone, without `locators`. `key` tells it from the
    other actions of a kind of page; two actions that differ only in data, such as the links of a list, have the same
    key and title. `name` is what a person reads, `href` where a link leads. `writes`: the form is sent by POST.
    `is_shared`: it is in a part of many pages, such as a menu."""

    key: str
    title: str
    name: str
    locators: tuple[Locator, ...]
    fields: tuple[FormField, ...] = ()
    href: str = ""
    writes: bool = False
    is_shared: bool = False

    def step(self, values: "dict[str, str]") -> PageStep:
        """`values` belong to labels; a field without one is left as it is."""
        inputs = tuple(FieldInput(each.locators, values[each.label]) for each in self.fields if each.label in values)
        return PageStep(self.locators, inputs)


@dataclass(frozen=True)
class View:
    """`kind` names the kind of page. `values` are the pieces of data in view, each once, in the order of the page."""

    observation: Observation
    kind: str
    actions: tuple[Action, ...]
    values: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        return bool(self.observation.refusal)
