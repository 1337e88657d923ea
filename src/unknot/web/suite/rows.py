"""How an action in a row is found: by what the row shows, not by its place."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from unknot.model.web.action import Action
from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.web.suite.draft import names

_TELLING = ("rowheader", "heading", "link", "cell", "gridcell", "text")
"""Roles of elements that say what a row is about, best first."""

_LONGEST = 60


def element_of(root: Element, action: Action) -> Element | None:
    """What is clicked, or the field that is filled."""
    locators = action.locators or (action.fields[0].locators if action.fields else ())
    for locator in locators:
        found = locator.find(root)
        if len(found) == 1:
            return found[0]
    return None


def naming_data(action: Action, root: Element, data: Collection[str]) -> Action:
    """The action with locators that name its row, and nothing else, if it is in one and if that can be said: by the
    data that the row shows, or by another text that no other row of the page shows. Cost: a few passes over the tree.
    """
    element = element_of(root, action)
    if not action.row or not action.locators or element is None:
        return action
    locator = _naming(action, root, element, data)
    return action if locator is None else replace(action, locators=(locator,))


def names_any(locator: Locator, data: Collection[str]) -> bool:
    texts = [text for each in locator.chain() for text in (each.name, each.text, *(each.attribute or ())[1:])]
    return any(names(text, value) for text in texts for value in data)


def _naming(action: Action, root: Element, element: Element, data: Collection[str]) -> Locator | None:
    by_name = Locator(element.role, element.name)
    if element.name and len(by_name.find(root)) == 1 and (names_any(by_name, data) or action.href):
        return by_name
    row = _row_around(root, element, action.row)
    if row is None:
        return None
    others = [each.all_text() for each in root.walk() if each.role == action.row and each is not row]
    for text in _said(row, element, data):
        if not any(text in other for other in others):
            within = Locator(action.row, text=text)
            for locator in (Locator(element.role, element.name, within=within), Locator(element.role, within=within)):
                if [id(each) for each in locator.find(root)] == [id(element)]:
                    return locator
    return None


def _said(row: Element, element: Element, data: Collection[str]) -> Iterator[str]:
    text = row.all_text()
    yield from (value for value in data if names(text, value))
    for role in _TELLING:
        for each in row.walk():
            said = each.text if role == "text" else each.all_text()
            if each.role == role and each is not element and 0 < len(said) <= _LONGEST:
                yield said


def _row_around(root: Element, wanted: Element, role: str) -> Element | None:
    """The innermost."""
    waiting: list[tuple[Element, Element | None]] = [(root, None)]
    while waiting:
        each, row = waiting.pop()
        if each.role == role:
            row = each
        if each is wanted:
            return row
        waiting.extend((child, row) for child in each.children)
    return None
