"""What only pages of one kind show: headings, forms, tables, fields and buttons."""

from collections import defaultdict

from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.web.crawl.parts import REPEATED, SHARED

_ROLES = ("heading", "form", "dialog", "table", "region", "columnheader", "textbox", "combobox", "button")
"""Of elements that tell pages apart, the best first."""

_MOST = 3
_MOST_KNOWN = 5_000


class Recognition:
    """Collects what is in view on pages of each kind. Cost: linear in the tree."""

    def __init__(self) -> None:
        self._always: dict[str, dict[tuple[str, str], None]] = {}
        self._ever: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)

    def add(self, kind: str, root: Element) -> None:
        seen = dict.fromkeys(_signs(root))
        known = self._always.get(kind, seen)
        self._always[kind] = {sign: None for sign in known if sign in seen}
        if len(self._ever[kind]) < _MOST_KNOWN:
            self._ever[kind] |= seen.keys()

    def locators(self, kind: str) -> tuple[Locator, ...]:
        """What was on each page of this kind, and on none of another; the best first."""
        others: set[tuple[str, str]] = set()
        others = others.union(*(signs for other, signs in self._ever.items() if other != kind))
        own = [sign for sign in self._always.get(kind, ()) if sign not in others]
        own.sort(key=lambda sign: _ROLES.index(sign[0]))
        return tuple(Locator(role, name) for role, name in own[:_MOST])


def _signs(root: Element) -> list[tuple[str, str]]:
    found = []
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if each.role in _ROLES and each.name:
            found.append((each.role, each.name))
        waiting.extend(child for child in reversed(each.children) if child.role not in REPEATED | SHARED)
    return found
