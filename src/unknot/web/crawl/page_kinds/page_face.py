"""What tells one page of an application from another: its address, forms, headings and actions, without its data."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unknot.model.web.element import TEXT, Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.parts import DIALOGS, REPEATED, SHARED, TABLES, is_button, is_field

_NUMBER = re.compile(r"\d+")
_STARS = re.compile(r"\*+")
_ONE_OF_MANY = frozenset({"checkbox", "radio"})
"""There is one for each thing in a list, such as the participants of a bill."""

_TITLE = "title: "
_BETWEEN_PARTS = re.compile(r"\s+(?:[-–—|·•»/]|::)\s+")

Words = frozenset[str]


@dataclass(frozen=True)
class PageFace:
    """Each set has the parts of a page that are its own: what is in rows, in dialogs, and in menus, headers and footers
    is left out. `forms` are told by their fields, `columns` are those of tables, `actions` are told by role and name;
    `labels` are those of the fields, with the names that programs use. Data is stars. `has_dialog`: one is open."""

    address: str
    forms: frozenset[Words]
    headings: Words
    columns: Words
    actions: Words
    labels: frozenset[tuple[str, str]]
    has_dialog: bool

    @property
    def is_empty(self) -> bool:
        return not (self.forms or self.headings or self.columns or self.actions)

    @property
    def is_text(self) -> bool:
        """Nothing but headings."""
        return not (self.forms or self.actions)

    @property
    def is_covered(self) -> bool:
        """All that is in view is in a dialog."""
        has_content = self.forms or self.columns or self.actions
        return self.has_dialog and not has_content and all(map(is_title, self.headings))


def page_face(observation: Observation, root: Element, typed: Iterable[str] = ()) -> PageFace:
    """`root` is that of the observation, without noise; headings that show what was typed are data there. Cost: linear
    in the tree."""
    forms, headings, actions, labels = set[Words](), set[str](), set[str](), set[tuple[str, str]]()
    columns = set[str]()
    has_dialog = False
    waiting = list(reversed(root.children))
    while waiting:
        each = waiting.pop()
        if each.role in DIALOGS:
            has_dialog = True
            continue
        if each.role in REPEATED | SHARED:
            continue
        if each.role in TABLES:
            columns.update(_columns(each))
        if each.role == "heading" and each.name:
            headings.add(_without_data(each.name, typed))
        if each.role == "form" and any(map(is_field, each.walk())):
            forms.add(_form(each))
        if is_field(each) and each.attribute("name") and each.name:
            labels.add((each.attribute("name"), each.name))
        if is_button(each) and _name(each):
            actions.add(f"{each.role}: {_name(each)}")
        waiting.extend(reversed(each.children))
    if not headings and observation.title:
        headings.add(_TITLE + _without_data(observation.title, typed))
    return PageFace(
        observation.address.rstrip("#"),
        frozenset(forms),
        frozenset(headings),
        frozenset(columns),
        frozenset(actions),
        frozenset(labels),
        has_dialog,
    )


def is_title(heading: str) -> bool:
    """Of the document: the page has no heading."""
    return heading.startswith(_TITLE)


def title_text(heading: str) -> str:
    """Of a heading that is a title, and of others."""
    return heading.removeprefix(_TITLE)


def title_parts(heading: str) -> Words:
    """
    >>> sorted(title_parts("title: Issues - Assigned to me - Tracker"))
    ['Assigned to me', 'Issues', 'Tracker']
    """
    return frozenset(_BETWEEN_PARTS.split(title_text(heading)))


def _without_data(heading: str, typed: Iterable[str]) -> str:
    for value in typed:
        heading = heading.replace(value, "*")
    return _STARS.sub("*", without_numbers(heading))


def without_numbers(text: str) -> str:
    """
    >>> without_numbers("Page 2 of 15")
    'Page * of *'
    """
    return _NUMBER.sub("*", text)


def _name(element: Element) -> str:
    return without_numbers(element.name or element.attribute("title") or element.attribute("data-name"))


def _columns(table: Element) -> Iterator[str]:
    """Those of the first row that has any: others are headings of groups of rows."""
    rows = (each for each in table.walk() if each.role == "row")
    headers = ([each.name for each in row.children if each.role == "columnheader"] for row in rows)
    return (without_numbers(name) for name in next(filter(None, headers), []) if name)


def _form(form: Element) -> Words:
    """Its fields, without those that there may be any number of."""
    return frozenset(_fields(form, _ONE_OF_MANY)) or frozenset(_fields(form, frozenset()))


def _fields(form: Element, but: frozenset[str]) -> Iterator[str]:
    """The name of a field for programs comes before its label: it is the same in all languages. In a row, what a
    field stands beside is data."""
    before = ""
    waiting = [(child, False) for child in reversed(form.children)]
    while waiting:
        each, in_row = waiting.pop()
        if each.role == TEXT:
            before = each.text
        if is_field(each) and each.role not in but:
            label = "" if in_row else each.name or before
            yield f"{each.role} {without_numbers(each.attribute('name') or label)}"
        waiting.extend((child, in_row or each.role in REPEATED) for child in reversed(each.children))
