"""What is in view: a tree of elements with roles and names, as assistive technology meets them."""

from collections.abc import Iterator
from dataclasses import dataclass

TEXT = "text"
"""The role of a piece of text."""

DISABLED, REQUIRED, INVALID, CHECKED, EXPANDED, READ_ONLY = (
    "disabled",
    "required",
    "invalid",
    "checked",
    "expanded",
    "readonly",
)
CLICKABLE, COVERED, HOVERED, MODAL, ERROR = "clickable", "covered", "hovered", "modal", "error"
"""States: the first has a listener for clicks, the second lies under another element, the third cannot be seen, but may
show when the pointer is there. Of a dialog: nothing else can be used while it is open. Of a text: the page shows it as
a message about an error."""

VALIDATION = "validation"
"""The attribute with what the browser objects to in a field, once it has refused to send its form."""


@dataclass(frozen=True, slots=True)
class Element:
    """`role` and `name` are those of ARIA; `text` belongs to the role `text` only. `value` is what a field holds,
    `options` what it offers. Elements that cannot be seen are left out."""

    role: str
    name: str = ""
    tag: str = ""
    text: str = ""
    value: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()
    states: frozenset[str] = frozenset()
    children: "tuple[Element, ...]" = ()

    def attribute(self, name: str) -> str:
        """Empty if the element does not have it."""
        return next((value for key, value in self.attributes if key == name), "")

    def walk(self) -> "Iterator[Element]":
        """The element and all below it, in document order."""
        waiting = [self]
        while waiting:
            each = waiting.pop()
            yield each
            waiting.extend(reversed(each.children))

    def all_text(self) -> str:
        """The texts below it, separated by blanks."""
        return " ".join(each.text for each in self.walk() if each.text)
