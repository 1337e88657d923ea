"""How the elements of a page are found again: several ways for each, the best first.

Idea
    By role and name if that is unique, as a person would say it; by an attribute that is unique, those that are made
    for it first; by role and name within a part of the page that has a name; and last by its number among its equals.
Guarantee
    Each finds exactly this element on the page as it was read.
Cost
    One pass over the tree, then constant for each element.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from unknot.model.web.element import Element
from unknot.model.web.locator import NO_ARIA, Locator

MOST = 4

TELLING = ("data-testid", "placeholder", "id", "data-name", "name", "title", "href", "class")
"""Attributes that find an element, best first."""

_LABELLED = NO_ARIA - {"generic"}
_WITHOUT_ROLE = frozenset({"summary"})
"""Buttons for the browser, and nothing for a search by role."""

_PARTS = frozenset({"form", "dialog", "alertdialog", "navigation", "main", "banner", "contentinfo", "region", "row"})
_MADE_UP = re.compile(r"\d{3,}|[0-9a-f]{8,}|^:|^\d")
"""Ids that frameworks number."""

_Pair = tuple[str, str]


class LocatorMaker:
    """For the elements of one page."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._named: defaultdict[_Pair, list[int]] = defaultdict(list)
        self._with: defaultdict[_Pair, list[int]] = defaultdict(list)
        self._parts: dict[int, Element] = {}
        self._in_part: Counter[tuple[int, _Pair]] = Counter()
        self._part_names: Counter[_Pair] = Counter()
        waiting: list[tuple[Element, Element | None]] = [(root, None)]
        while waiting:
            each, part = waiting.pop()
            self._named[each.role, each.name].append(id(each))
            for pair in _pairs(each):
                self._with[pair].append(id(each))
            if part is not None:
                self._parts[id(each)] = part
                self._in_part[id(part), (each.role, each.name)] += 1
            if each.role in _PARTS and each.name:
                part = each
                self._part_names[each.role, each.name] += 1
            waiting.extend((child, part) for child in reversed(each.children))

    def locators(self, element: Element) -> tuple[Locator, ...]:
        found = dict.fromkeys(self._found(element))
        return tuple(found)[:MOST] or self._by_text(element)

    def _found(self, element: Element) -> Iterator[Locator]:
        name = element.role, element.name
        is_named = bool(element.name) and (element.role not in NO_ARIA or element.role in _LABELLED)
        is_named = is_named and element.tag not in _WITHOUT_ROLE
        if is_named and len(self._named[name]) == 1:
            yield Locator(*name)
        alike: Locator | None = None
        for pair in _pairs(element):
            if len(self._with[pair]) == 1:
                yield Locator(attribute=pair)
            elif alike is None:
                alike = Locator(attribute=pair, nth=self._with[pair].index(id(element)))
        if is_named and len(self._named[name]) > 1:
            part = self._parts.get(id(element))
            if part is not None and self._part_names[part.role, part.name] == self._in_part[id(part), name] == 1:
                yield Locator(*name, within=Locator(part.role, part.name))
            yield Locator(*name, nth=self._named[name].index(id(element)))
        if alike is not None:
            yield alike

    def _by_text(self, element: Element) -> tuple[Locator, ...]:
        """Of an element that has nothing else to go by; none if others have the same text."""
        text = element.name or element.all_text()
        locator = Locator(text=text)
        return (locator,) if text and len(locator.find(self._root)) == 1 else ()


def _pairs(element: Element) -> Iterator[_Pair]:
    for name in TELLING:
        value = element.attribute(name)
        if value and not (name == "id" and _MADE_UP.search(value)):
            yield name, value
