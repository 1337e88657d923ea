"""The actions of a page: its links, buttons and forms."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from unknot.web.application.element import REQUIRED, TEXT, Element
from unknot.web.application.locator import Locator
from unknot.web.crawl.addresses import address_template
from unknot.web.crawl.parts import REPEATED, SHARED, is_button, is_usable_field
from unknot.web.crawl.view import Action, FormField

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
_LEAVES = re.compile(r"\b(cancel|close|back|abort|never ?mind)\b")
"""Buttons of forms that send nothing."""

_SHORTEST = 2
"""Names that are no longer may be anywhere in others by chance."""

_NO_ARIA = frozenset({"generic", "Date", "DateTime", "InputTime", "ColorWell"})
"""Roles that a search by role does not know."""

_TELLING = ("data-testid", "id", "data-name", "title", "name", "href", "class")
"""Attributes that find an element without a name, best first."""


def actions_of(root: Element) -> tuple[Action, ...]:
    """A form is one action for each of its buttons, with all its fields; a field outside of forms, a button and a link
    are one each. Disabled and covered elements are left out. Cost: linear in the tree."""
    return tuple(_Reader(root).actions())


class _Reader:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._count: dict[Locator, int] = {}
        self._seen: Counter[Locator] = Counter()

    def actions(self) -> Iterator[Action]:
        yield from self._below(self._root, "", None)

    def _below(self, element: Element, where: str, around: Element | None) -> Iterator[Action]:
        """`where` names the shared part around the element, `around` is the repeated one."""
        for child in element.children:
            locator = self._locator(child)
            inside = where or (child.role if child.role in SHARED else "")
            row = child if child.role in REPEATED and inside != "navigation" else around
            if child.role == "form":
                yield from self._form(child, inside, row)
                continue
            if is_button(child):
                title, href = _title(child, row), child.attribute("href")
                key = _key(child, title, inside, row)
                yield Action(key, title, _name(child), (locator,), href=href, is_shared=bool(inside))
            elif is_usable_field(child):
                title = _title(child, row)
                fields = (_field(child, locator),)
                yield Action(_key(child, title, inside, row), title, _name(child), (), fields)
            yield from self._below(child, inside, row)

    def _form(self, form: Element, where: str, row: Element | None) -> Iterator[Action]:
        fields: dict[str, FormField] = {}
        before = ""
        buttons: list[tuple[Element, Locator]] = []
        for each in form.walk():
            if each is form:
                continue
            locator = self._locator(each)
            if each.role == TEXT:
                before = each.text
            if is_usable_field(each):
                field = _field(each, locator, before)
                # Values belong to labels, so these are unique.
                label = field.label if field.label not in fields else f"{field.label} {len(fields) + 1}"
                fields[label] = replace(field, label=label)
                before = ""
            elif is_button(each):
                buttons.append((each, locator))
        labels = ", ".join(_without_data(label, row) for label in fields)
        writes = form.attribute("method").lower() == "post"
        for button, locator in buttons:
            title = _title(button, row)
            leaves = button.role == "link" or _LEAVES.search(title.lower())
            own, takes = ((), "") if leaves else (tuple(fields.values()), f"({labels})")
            key = f"{_key(button, title, where, row)}{takes}"
            yield Action(key, title, _name(button), (locator,), own, button.attribute("href"), writes, bool(where))

    def _locator(self, element: Element) -> Locator:
        """By role and name, and if that is not unique, by its number among those; call it for each element in document
        order. Without a name, by the most telling attribute."""
        locator = Locator(element.role, element.name)
        if not element.name or element.role in _NO_ARIA:
            telling = ((name, element.attribute(name)) for name in _TELLING)
            locator = Locator(attribute=next((pair for pair in telling if pair[1]), None), text=element.name)
        number = self._seen[locator]
        self._seen[locator] += 1
        return replace(locator, nth=number if self._is_one_of_several(locator) else None)

    def _is_one_of_several(self, locator: Locator) -> bool:
        if locator not in self._count:
            self._count[locator] = len(locator.find(self._root))
        return self._count[locator] > 1


def _name(element: Element) -> str:
    """What a person would call it: icons have a title."""
    if any(map(str.isalnum, element.name)):
        return element.name
    return (
        element.attribute("title") or element.name or next(filter(None, map(element.attribute, _TELLING)), element.role)
    )


def _title(element: Element, row: Element | None) -> str:
    """The name without data. In a row, the text of a link is data, and its address says what it is for."""
    if row is not None and element.role == "link" and element.attribute("href"):
        return address_template(element.attribute("href"))
    return _without_data(_name(element), row)


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


def _field(element: Element, locator: Locator, before: str = "") -> FormField:
    """`before` is the text in front of it, which is its label where the page does not say so."""
    constraints = tuple((name, element.attribute(name)) for name in _CONSTRAINTS if element.attribute(name))
    options = element.options if element.role != "checkbox" else ("on", "off")
    return FormField(
        element.name or before.strip(" :*") or _name(element),
        (locator,),
        element.role,
        options,
        REQUIRED in element.states,
        constraints,
        element.value,
    )
