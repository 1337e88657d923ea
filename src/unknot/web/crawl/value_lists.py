"""The values in view, by what they are: the items of lists, the columns of tables, what terms are described by.

Guarantee
    Each locator finds all values of its list; a column that none finds alone has no locator. Names are those that the
    page gives: of the list, the heading before it, the header of the column, the term. Lists without one are left out,
    and so are menus.
Cost
    Linear in the tree, and in the cells of tables.
"""

from collections.abc import Iterator
from dataclasses import replace

from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import ValueList
from unknot.web.crawl.parts import SHARED, is_button, is_field

_LONGEST = 60
_MOST = 500
_CELLS = frozenset({"cell", "gridcell", "rowheader"})


def value_lists(root: Element) -> tuple[ValueList, ...]:
    """All values as `examples`, also those that occur twice. Of several lists with one name, the first."""
    found: dict[str, ValueList] = {}
    for each in _lists(root):
        found.setdefault(each.name, each)
    return tuple(found.values())


def _lists(root: Element) -> Iterator[ValueList]:
    heading = ""
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if each.role in SHARED:
            continue
        if each.role == "heading":
            heading = each.name
        elif each.role in ("list", "listbox"):
            item = "listitem" if each.role == "list" else "option"
            name = each.name or heading
            values = _texts(child for child in each.children if child.role == item)
            if name:
                within = Locator(each.role, each.name) if each.name else _after_heading(root, each)
                yield ValueList(name, (Locator(item, within=within),), values)
        elif each.role in ("table", "grid", "treegrid"):
            yield from _columns(root, each)
            continue
        elif each.role == "DescriptionList" or each.tag == "dl":
            yield from _descriptions(each)
        waiting.extend(reversed(each.children))


def _after_heading(root: Element, wanted: Element) -> Locator:
    """A list without a name of its own, by its number."""
    locator = Locator(wanted.role)
    found = locator.find(root)
    return locator if len(found) == 1 else replace(locator, nth=next(i for i, e in enumerate(found) if e is wanted))


def _columns(root: Element, table: Element) -> Iterator[ValueList]:
    rows = [each for each in table.walk() if each.role == "row"]
    headers = next((names for row in rows if (names := [e.name for e in row.children if e.role == "columnheader"])), [])
    cells = [[each for each in row.children if each.role in _CELLS] for row in rows]
    found = Locator(table.role, table.name) if table.name else _after_heading(root, table)
    for number, header in enumerate(headers):
        if header:
            column = [row[number] for row in cells if len(row) == len(headers)]
            yield ValueList(header, tuple(_of_column(table, found, column)), _texts(column))


def _of_column(table: Element, found: Locator, column: list[Element]) -> Iterator[Locator]:
    """A column can be located if each of its cells has one element of a role that stands nowhere else in the table."""
    for role in ("rowheader", "link", "heading", "cell"):
        inside = [sum(each.role == role for each in cell.walk()) for cell in column]
        if column and all(count == 1 for count in inside):
            locator = Locator(role, within=found)
            if len(locator.find(table)) == len(column):
                yield locator


def _descriptions(element: Element) -> Iterator[ValueList]:
    term = ""
    for each in element.children:
        if each.role == "term":
            term = each.name or each.all_text()
        elif each.role == "definition" and term:
            yield ValueList(term.strip(" :"), (Locator("definition", each.name),), _texts([each]))


def _texts(elements: "Iterator[Element] | list[Element]") -> tuple[str, ...]:
    """Of an item with controls, only what stands beside them, if that is something."""
    texts: list[str] = []
    for each in elements:
        if len(texts) >= _MOST:
            break
        text = " ".join(_own_text(each).split()) or each.all_text()
        if 0 < len(text) <= _LONGEST:
            texts.append(text)
    return tuple(texts)


def _own_text(element: Element) -> str:
    """Without buttons and fields; links count, they are what lists are often made of."""
    if element.text:
        return element.text
    if (
        element.role != "link"
        and (is_button(element) or is_field(element))
        and element.role not in ("listitem", "option")
    ):
        return ""
    return " ".join(filter(None, map(_own_text, element.children)))
