"""The actions of a page: its links, buttons and forms."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from unknot.model.web.action import Action, FormField
from unknot.model.web.element import REQUIRED, TEXT, Element
from unknot.model.web.locator import Locator
from unknot.web.crawl.addresses import address_template, language_template
from unknot.web.crawl.locators import LocatorMaker
from unknot.web.crawl.parts import REPEATED, SHARED, is_button, is_field, is_usable_field, open_dialog

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
    "title",
    "name",
)
_LEAVES = re.compile(r"\b(cancel|close|back|abort|never ?mind)\b")
"""Buttons of forms that send nothing."""

_NUMBER = re.compile(r"\b\d+(?:[.,:/-]\d+)*\b")
_LONGEST_NAME = 40
"""A longer text is what is in an element, not what it is called."""

_FEW = 3
"""Links with one name outside of menus may lead to so many purposes."""

_SHORTEST = 2
"""Names that are no longer may be anywhere in others by chance."""

_NAMING = ("data-testid", "id", "data-name", "title", "name", "href", "class")
"""Attributes that say what an element without a name is, best first."""


def actions_of(root: Element) -> tuple[Action, ...]:
    """A form is one action for each of its buttons, with all its fields; a field outside of forms, a button and a link
    are one each. Disabled and covered elements are left out, and while a dialog has to be answered, all outside of it.
    Cost: linear in the tree."""
    return tuple(_told_apart(list(_Reader(root).actions())))


def _told_apart(actions: list[Action]) -> Iterator[Action]:
    """Links with one name, such as "Create new" below "Issues" and below "Users", by where they lead. What is in rows
    differs in data, and so do many links that are in no menu."""
    leads_to: defaultdict[str, set[str]] = defaultdict(set)
    for each in actions:
        if each.href and not each.row:
            leads_to[each.key].add(address_template(each.href))
    for each in actions:
        count = len(leads_to[each.key]) if each.href and not each.row else 0
        several = count > 1 and (each.is_shared or count <= _FEW)
        yield replace(each, key=f"{each.key} {address_template(each.href)}") if several else each


class _Reader:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._locators = LocatorMaker(root).locators

    def actions(self) -> Iterator[Action]:
        yield from self._below(open_dialog(self._root) or self._root, "", None)

    def _below(self, element: Element, where: str, around: Element | None) -> Iterator[Action]:
        """`where` names the shared part around the element, `around` is the repeated one."""
        for child in element.children:
            inside = where or (child.role if child.role in SHARED else "")
            row = child if child.role in REPEATED and inside != "navigation" else around
            if child.role == "form":
                yield from self._form(child, inside, row)
                continue
            if is_button(child) and not _only_holds(child):
                locators = self._locators(child)
                if not locators:
                    continue
                title, href = _title(child, row), child.attribute("href")
                key = _key(child, title, inside, row)
                yield Action(key, title, _name(child), locators, (), href, is_shared=bool(inside), row=_role(row))
            elif is_usable_field(child):
                title = _title(child, row)
                fields = (_field(child, self._locators(child)),)
                yield Action(_key(child, title, inside, row), title, _name(child), (), fields, row=_role(row))
            yield from self._below(child, inside, row)

    def _form(self, form: Element, where: str, row: Element | None) -> Iterator[Action]:
        fields: dict[str, FormField] = {}
        before = ""
        on_buttons: set[int] = set()
        buttons: list[tuple[Element, tuple[Locator, ...]]] = []
        for each in form.walk():
            if each is form:
                continue
            if each.role == TEXT and id(each) not in on_buttons:
                before = each.text
            if is_usable_field(each):
                field = _field(each, self._locators(each), before)
                # Values belong to labels, so these are unique.
                label = field.label if field.label not in fields else f"{field.label} {len(fields) + 1}"
                title = _without_data(label, row)
                fields[label] = replace(field, label=label, title=title if title != label else "")
                before = ""
            elif is_button(each):
                if locators := self._locators(each):
                    buttons.append((each, locators))
                on_buttons.update(map(id, each.walk()))
        labels = ", ".join(dict.fromkeys(_asked(each, row) for each in fields.values()))
        writes = form.attribute("method").lower() == "post"
        for button, locators in buttons:
            title = _title(button, row)
            sends_nothing = button.role == "link" or button.tag == "summary" or _type(button) == "reset"
            leaves = sends_nothing or _LEAVES.search(title.lower())
            own, takes = ((), "") if leaves else (tuple(fields.values()), f"({labels})")
            key = f"{_key(button, title, where, row)}{takes}"
            yield Action(
                key,
                title,
                _name(button),
                locators,
                own,
                button.attribute("href"),
                writes,
                bool(where),
                "" if leaves else form.attribute("action"),
                _role(row),
            )


def _asked(field: FormField, row: Element | None) -> str:
    """What a form asks for: the labels of boxes and radio buttons are often data, and what they are sent as is not."""
    name = field.constraint("name") if field.role in ("checkbox", "radio") else ""
    return _NUMBER.sub("*", name) if name else _without_data(field.label, row)


def _type(element: Element) -> str:
    return element.attribute("type").lower()


def _only_holds(element: Element) -> bool:
    """Whether it listens to clicks for what is in it, and a click beside that means nothing."""
    if element.role != "generic":
        return False
    return any(each is not element and (is_button(each) or is_field(each)) for each in element.walk())


def _role(row: Element | None) -> str:
    return "" if row is None else row.role


def _name(element: Element) -> str:
    """What a person would call it: icons have a title."""
    if any(map(str.isalnum, element.name)):
        return element.name
    text = element.all_text() if element.role == "generic" else ""
    if 0 < len(text) <= _LONGEST_NAME:
        return text
    return (
        element.attribute("title") or element.name or next(filter(None, map(element.attribute, _NAMING)), element.role)
    )


def _title(element: Element, row: Element | None) -> str:
    """The name without data. In a row, the text of a link is data, and its address says what it is for; numbers, such
    as those of pages and days, are data anywhere, and so are the languages of the page."""
    if element.role == "link" and (language := language_template(element.attribute("href"))):
        return language
    name = _name(element)
    is_number = any(map(str.isdigit, name)) and not any(map(str.isalpha, name))
    if (row is not None or is_number) and element.role == "link" and element.attribute("href"):
        return address_template(element.attribute("href"))
    return _NUMBER.sub("*", _without_data(name, row))


def _without_data(name: str, row: Element | None) -> str:
    """In a row, what other elements of the row say is data."""
    if row is None:
        return name
    for each in row.walk():
        if each.role in ("heading", "link", "cell", "rowheader") and len(each.name) > _SHORTEST and each.name != name:
            name = name.replace(each.name, "*")
    return name


def _key(element: Element, title: str, where: str, row: Element | None) -> str:
    return f"{where}/{'row/' if row is not None else ''}{element.role}/{title}"


def _field(element: Element, locators: tuple[Locator, ...], before: str = "") -> FormField:
    """`before` is the text in front of it, which is its label where the page does not say so."""
    constraints = tuple((name, element.attribute(name)) for name in _CONSTRAINTS if element.attribute(name))
    options = element.options
    if element.tag == "input" and options:
        # It takes others too.
        constraints, options = (*constraints, ("list", "\n".join(options))), ()
    if element.role == "checkbox":
        options = ("on", "off")
    elif element.role == "radio":
        constraints, options = (*constraints, ("name", element.attribute("name"))), ("on",)
    return FormField(
        element.name or before.strip(" :*") or _name(element),
        locators,
        element.role,
        options,
        REQUIRED in element.states,
        constraints,
        element.value,
    )
