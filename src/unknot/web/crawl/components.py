"""Parts that many kinds of pages share although no role says so: menus beside the page, search forms, login boxes.

Idea
    Actions that are on several kinds of pages belong to none of them. Links that lead to the same address from each,
    and stand side by side, are a menu. A form with the same fields and button, sent to the same address from each, is a
    component of its own. Single links and buttons are left to their pages, and so are forms that do not say where they
    are sent: "Back", "Save" and "Search" may mean something else on each.
Assumptions
    What is in navigation, headers and footers is shared by its role, and known as such already.
Guarantee
    Deterministic: depends on the pages seen before, in that order. What has become a component stays one.
Cost
    Linear in the actions in view.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from unknot.model.web.action import Action
from unknot.web.crawl.addresses import address_template
from unknot.web.crawl.page_kinds.page_names import numbered

_MANY = 3
"""Kinds of pages."""

_MENU = 2
"""Links side by side."""

_OWN = "/"
"""Begins the keys of actions that are in no shared part."""


class SharedComponents:
    """Learns from each page which of its actions are shared, and names the components that they make."""

    def __init__(self) -> None:
        self._kinds: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        """By key of an action, and where it leads."""
        self._names: dict[tuple[str, str], str] = {}

    def mark(self, kind: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """The actions of a page of this kind; those of components are shared, and their keys begin with the name of the
        component, as those in a menu by role do."""
        for action in actions:
            if _may_be_shared(action):
                self._kinds[_identity(action)].add(kind)
        run: list[Action] = []
        for action in actions:
            if _is_link(action) and self._is_on_many(action):
                run.append(action)
                continue
            self._name_menu(run)
            run = []
            if action.fields and self._is_on_many(action):
                self._name(_identity(action), _form_name(action))
        self._name_menu(run)
        return tuple(map(self._marked, actions))

    def _is_on_many(self, action: Action) -> bool:
        return _may_be_shared(action) and len(self._kinds[_identity(action)]) >= _MANY

    def _name_menu(self, run: Sequence[Action]) -> None:
        """Links that stand beside those of a menu are of the same one."""
        if len(run) < _MENU:
            return
        known = next((self._names[_identity(each)] for each in run if _identity(each) in self._names), None)
        name = known or numbered("menu", set(self._names.values()))
        for each in run:
            self._names.setdefault(_identity(each), name)

    def _name(self, identity: tuple[str, str], base: str) -> None:
        if identity not in self._names:
            self._names[identity] = numbered(base, set(self._names.values()))

    def _marked(self, action: Action) -> Action:
        name = self._names.get(_identity(action)) if _may_be_shared(action) else None
        return action if name is None else replace(action, key=f"{name}{action.key}", is_shared=True)


def _may_be_shared(action: Action) -> bool:
    return action.key.startswith(_OWN) and not action.key.startswith("/row/") and bool(target_of(action))


def _is_link(action: Action) -> bool:
    return bool(action.href) and not action.fields


def _identity(action: Action) -> tuple[str, str]:
    return action.key, address_template(target_of(action))


def target_of(action: Action) -> str:
    """Where a link leads, or where its form is sent."""
    return action.sends_to if action.fields else action.href


def _form_name(action: Action) -> str:
    """After its button, in words that cannot be taken for the rest of a key."""
    words = " ".join(action.title.replace("/", " ").split()).lower()
    return f"{words} form" if words else "form"
