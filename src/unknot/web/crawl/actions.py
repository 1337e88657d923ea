"""The actions of a page: its links, buttons and forms."""

from collections.abc import Iterator

from unknot.web.application.element import CLICKABLE, COVERED, DISABLED, READ_ONLY, REQUIRED, Element
from unknot.web.application.locator import Locator
from unknot.web.crawl.view import Action, Field

_BUTTONS = frozenset({"button", "link", "menuitem", "tab", "switch", "option", "treeitem"})
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton", "slider"})
_CONSTRAINTS = (
    "type",
    "min",
    "max",
    "step",
    "pattern",
    "maxlength",
    "minlength",
    "placeholder",
    "autocomplete",
    "accept",
)


def actions_of(root: Element) -> tuple[Action, ...]:
    """A form is one action for each of its buttons, with all its fields; what is outside of forms is one each. Disabled
    and covered elements are left out."""
    found: dict[str, Action] = {}
    for action in _actions(root, None):
        found.setdefault(action.key, action)
    return tuple(found.values())


def _actions(element: Element, form: Locator | None) -> Iterator[Action]:
    for child in element.children:
        if child.role == "form":
            within = Locator("form", child.name) if child.name else Locator("form")
            yield from _of_form(child, within)
        else:
            if _is_clickable(child):
                yield _action(child, form, ())
            yield from _actions(child, form)


def _of_form(form: Element, within: Locator) -> Iterator[Action]:
    fields = tuple(
        _field(each, within) for each in form.walk() if each.role in _FIELDS and not each.states & {DISABLED, READ_ONLY}
    )
    for each in form.walk():
        if _is_clickable(each) and each.role not in _FIELDS:
            yield _action(each, within, fields)


def _is_clickable(element: Element) -> bool:
    clickable = element.role in _BUTTONS or CLICKABLE in element.states
    return clickable and not element.states & {DISABLED, COVERED}


def _action(element: Element, within: Locator | None, fields: tuple[Field, ...]) -> Action:
    locators = [Locator(element.role, element.name, within=within)]
    where = within.name if within is not None else ""
    return Action(f"{where}/{element.role}/{element.name}", element.name, tuple(locators), fields)


def _field(element: Element, within: Locator) -> Field:
    constraints = tuple((name, element.attribute(name)) for name in _CONSTRAINTS if element.attribute(name))
    locators = (Locator(element.role, element.name, within=within),)
    return Field(element.name, locators, element.role, element.options, REQUIRED in element.states, constraints)
