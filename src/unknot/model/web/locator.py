"""How to find an element again: by what a person would say, not by its place in the document."""

from collections.abc import Iterator
from dataclasses import dataclass

from unknot.model.web.element import Element

NO_ARIA = frozenset({"generic", "Date", "DateTime", "InputTime", "ColorWell"})
"""Roles that a search by role does not know. Fields of these are found by their labels: the name is the label."""


@dataclass(frozen=True, slots=True)
class Locator:
    """Elements with this role and name; an empty one means any. `attribute` is a name and a value that it has as well.
    `within` limits the search to what is below the elements that another locator finds, which have `text` somewhere
    below them if that is given; with nothing but a `text`, it means the innermost elements with this text and no other.
    `nth` chooses one of several, from 0."""

    role: str = ""
    name: str = ""
    attribute: tuple[str, str] | None = None
    text: str = ""
    within: "Locator | None" = None
    nth: int | None = None

    def find(self, root: Element) -> list[Element]:
        """All elements below the root, or the root, that it means, in document order. Cost: one pass over the tree for
        each locator in the chain."""
        scopes = [root] if self.within is None else self.within.find(root)
        found: dict[int, Element] = {}
        for scope in scopes:
            for element in scope.walk():
                if self._fits(element):
                    found.setdefault(id(element), element)
        elements = list(found.values())
        if self.text and not (self.role or self.name or self.attribute):
            elements = [each for each in elements if _is_all(each, self.text)]
        if self.nth is None:
            return elements
        return elements[self.nth : self.nth + 1]

    def chain(self) -> "Iterator[Locator]":
        """Outermost first."""
        if self.within is not None:
            yield from self.within.chain()
        yield self

    def _fits(self, element: Element) -> bool:
        return (
            (not self.role or element.role == self.role)
            and (not self.name or element.name == self.name)
            and (self.attribute is None or element.attribute(self.attribute[0]) == self.attribute[1])
            and (not self.text or self.text in element.all_text())
        )


def _is_all(element: Element, text: str) -> bool:
    """Whether it is the innermost element with this text and no other."""
    parts = (each for each in element.children if not each.text)
    return not element.text and element.all_text() == text and all(each.all_text() != text for each in parts)
