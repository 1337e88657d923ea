"""Which observations are of the same kind of page."""

from collections.abc import Iterator
from typing import Protocol

from unknot.web.application.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.addresses import address_template
from unknot.web.crawl.parts import FIELDS, REPEATED, SHARED


class PageKinds(Protocol):
    """Gives observations the names of page kinds."""

    def kind_of(self, observation: Observation) -> str: ...


class KindByTitle:
    """For simulated applications, and for page objects: the title says which page it is."""

    def kind_of(self, observation: Observation) -> str:
        return observation.title


class FoldedKinds:
    """Kinds of page by what a person would call the same page.

    Idea
        Data makes no kind. Two observations are of one kind if their addresses agree up to data, and the same forms and
        dialogs are in view, apart from what repeats (rows, list items) and what all pages share (menus, headers,
        footers). Where one address shows different headings, as in an application with a single address, the headings
        count too.
    Assumptions
        A form is the same if its labels are.
    Guarantee
        What is seen later never joins kinds that were told apart.
    Cost
        Linear in the tree.
    """

    def __init__(self) -> None:
        self._headings: dict[str, tuple[str, ...]] = {}
        self._names: dict[tuple[str, ...], str] = {}

    def kind_of(self, observation: Observation) -> str:
        template = address_template(observation.address).partition("?")[0]
        parts = tuple(_own_parts(observation.root))
        forms = tuple(sorted({_form(each) for each in parts if each.role in ("form", "dialog", "alertdialog")}))
        headings = tuple(dict.fromkeys(each.name for each in parts if each.role == "heading"))
        # The first headings of a kind are those of the kind without any.
        first = self._headings.setdefault(observation.address, headings)
        key = (template, *forms, *(headings if headings != first else ()))
        return self._names.setdefault(key, self._new_name(template))

    def _new_name(self, template: str) -> str:
        """The address, with a number if other kinds have it as well."""
        base = template or "/"
        taken = set(self._names.values())
        names = (f"{base} ({number})" for number in range(2, len(taken) + 3))
        return base if base not in taken else next(name for name in names if name not in taken)


def _own_parts(root: Element) -> Iterator[Element]:
    """All elements but those in repeated and in shared parts."""
    waiting = [root]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(child for child in reversed(each.children) if child.role not in REPEATED | SHARED)


def _form(form: Element) -> str:
    labels = (f"{each.role}:{each.name}" for each in form.walk() if each.role in FIELDS or each.role == "button")
    return f"{form.role}({', '.join(sorted(set(labels)))})"
