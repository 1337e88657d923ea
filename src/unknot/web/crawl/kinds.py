"""Which observations are of the same kind of page."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from unknot.web.application.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.addresses import address_template, without_parameters
from unknot.web.crawl.parts import REPEATED, SHARED, is_field


class PageKinds(Protocol):
    """Gives observations the names of page kinds."""

    def kind_of(self, observation: Observation) -> str: ...

    def typed(self, values: Sequence[str]) -> None:
        """These values were entered: where they show up again, they are data."""


class KindByTitle:
    """For simulated applications, and for page objects: the title says which page it is."""

    def kind_of(self, observation: Observation) -> str:
        return observation.title

    def typed(self, values: Sequence[str]) -> None:
        pass


class FoldedKinds:
    """Kinds of page by what a person would call the same page.

    Idea
        Data makes no kind. Two observations are of one kind if their addresses agree up to data, and the same forms and
        dialogs are in view, apart from what repeats (rows, list items) and what all pages share (menus, headers,
        footers). Where one address shows different headings, as in an application with a single address, the headings
        count too, unless they differ in what was typed.
    Assumptions
        A form is the same if its labels are. A form without fields is a button.
    Guarantee
        Deterministic: depends on what was seen and typed before, in that order.
    Cost
        Linear in the tree, and in the values typed.
    """

    def __init__(self) -> None:
        self._headings: dict[str, list[tuple[str, ...]]] = {}
        self._names: dict[tuple[object, ...], str] = {}
        self._typed: dict[str, None] = {}

    def typed(self, values: Sequence[str]) -> None:
        self._typed |= dict.fromkeys(value for value in values if len(value) > _SHORTEST)

    def kind_of(self, observation: Observation) -> str:
        template = without_parameters(address_template(observation.address))
        parts = tuple(_own_parts(observation.root))
        forms = tuple(sorted({_form(each) for each in parts if each.role in _FORMS and _has_fields(each)}))
        headings = tuple(dict.fromkeys(each.name for each in parts if each.role == "heading"))
        key = (template, forms, self._which(without_parameters(observation.address), headings))
        return self._names.setdefault(key, self._new_name(template))

    def _which(self, address: str, headings: tuple[str, ...]) -> int:
        """The number of these headings among those that this address has shown; the first, and most often the only
        ones, are 0."""
        known = self._headings.setdefault(address, [])
        masked = tuple(map(self._masked, headings))
        for number, other in enumerate(known):
            if len(other) == len(masked) and all(map(_agree, other, masked)):
                return number
        known.append(masked)
        return len(known) - 1

    def _masked(self, heading: str) -> str:
        for value in self._typed:
            heading = heading.replace(value, "*")
        return heading

    def _new_name(self, template: str) -> str:
        """The address, with a number if other kinds have it as well."""
        base = template or "/"
        taken = set(self._names.values())
        names = (f"{base} ({number})" for number in range(2, len(taken) + 3))
        return base if base not in taken else next(name for name in names if name not in taken)


_FORMS = frozenset({"form", "dialog", "alertdialog"})
_SHORTEST = 2
"""Shorter values may be a part of anything by chance."""


def _agree(one: str, other: str) -> bool:
    """Whether two headings may differ in data only; what was typed is a star in them."""
    return one == other or fnmatchcase(one, _pattern(other)) or fnmatchcase(other, _pattern(one))


def _pattern(heading: str) -> str:
    return heading.replace("[", "[[]").replace("?", "[?]")


def _own_parts(root: Element) -> Iterator[Element]:
    """All elements but those in repeated and in shared parts."""
    waiting = [root]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(child for child in reversed(each.children) if child.role not in REPEATED | SHARED)


def _has_fields(form: Element) -> bool:
    return form.role != "form" or any(map(is_field, form.walk()))


def _form(form: Element) -> str:
    labels = (f"{each.role}:{each.name}" for each in form.walk() if is_field(each) or each.role == "button")
    return f"{form.role}({', '.join(sorted(set(labels)))})"
