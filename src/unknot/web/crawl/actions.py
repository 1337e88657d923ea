"""The actions of a page: its links, buttons and forms."""

from collections import Counter
from collections.abc import Iterator

from unknot.web.application.element import REQUIRED, Element
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
_SHORTEST = 2
"""Names that are no longer may be anywhere in others by chance."""

_TELLING = ("data-testid", "id", "data-name", "title", "name", "href", "class")
"""Attributes that find an element without a name, best first."""


def actions_of(root: Element) -> tuple[Action, ...]:
    """A form is one action for each of its buttons, with all its fields; a field outside of forms, a button and a link
    are one each. Disabled and covered elements are left out. Cost: linear in the tree."""
    return tuple(_Reader(root).actions())


class _Reader:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._count: Counter[tuple[str, str]] = Counter()
        for each in root.walk():
            self._count[each.role, each.name] += 1
        self._seen: Counter[tuple[str, str]] = Counter()

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
        fields: list[FormField] = []
        buttons: list[tuple[Element, Locator]] = []
        for each in form.walk():
            if each is form:
                continue
            locator = self._locator(each)
            if is_usable_field(each):
                fields.append(_field(each, locator))
            elif is_button(each):
                buttons.append((each, locator))
        labels = ", ".join(_without_data(each.label, row) for each in fields)
        writes = form.attribute("method").lower() == "post"
        for button, locator in buttons:
            title = _title(button, row)
            own, takes = ((), "") if button.role == "link" else (tuple(fields), f"({labels})")
            key = f"{_key(button, title, where, row)}{takes}"
            yield Action(key, title, _name(button), (locator,), own, button.attribute("href"), writes, bool(where))

    def _locator(self, element: Element) -> Locator:
        """By role and name, and if that is not unique, by its number among those; call it for each element in document
        order. Without a name, by the most telling attribute."""
        pair = element.role, element.name
        number = self._seen[pair]
        self._seen[pair] += 1
        if not element.name:
            for attribute in _TELLING:
                if value := element.attribute(attribute):
                    return Locator(element.role, attribute=(attribute, value))
        return Locator(element.role, element.name, nth=number if self._count[pair] > 1 else None)


def _name(element: Element) -> str:
    return element.name or next(filter(None, map(element.attribute, _TELLING)), element.role)


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


def _field(element: Element, locator: Locator) -> FormField:
    constraints = tuple((name, element.attribute(name)) for name in _CONSTRAINTS if element.attribute(name))
    options = element.options if element.role != "checkbox" else ("on", "off")
    return FormField(
        element.name or element.attribute("name"),
        (locator,),
        element.role,
        options,
        REQUIRED in element.states,
        constraints,
        element.value,
    )
