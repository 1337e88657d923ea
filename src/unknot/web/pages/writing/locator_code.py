"""Locators as a person writes them with Playwright."""

import re
from collections.abc import Iterable, Sequence

from unknot.model.web.locator import Locator
from unknot.web.hints.names.lexicon import word_list
from unknot.web.pages.writing.code import Chain
from unknot.web.pages.writing.literals import literal

ROLES = word_list("""
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
    complementary contentinfo definition dialog directory document emphasis feed figure form generic grid gridcell group
    heading img link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio
    meter navigation note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search
    searchbox separator slider spinbutton status strong switch tab table tablist tabpanel term textbox time timer
    toolbar tooltip tree treegrid treeitem
""")
"""Those that `get_by_role` takes."""

_SIMPLE_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_STABLE = {"data-testid": 0, "id": 1, "data-name": 2, "name": 3, "title": 4, "href": 6, "class": 7}
"""Attributes, the most lasting first."""

_MADE_UP = re.compile(r"\d{3,}|[0-9a-f]{8,}|^:|^\d")
"""Ids that frameworks number."""


def best_locator(locators: Iterable[Locator]) -> Locator | None:
    """The one that a person would use: by role and name, if that is unique; then by role within something; then by a
    lasting attribute; then by its number. None if none of them can be written."""
    usable = [each for each in locators if _can_be_written(each)]
    return min(usable, key=_rank, default=None)


def located(locator: Locator, scope: str, names: Sequence[str], *, exact: bool = False) -> Chain:
    """`names` are those of other elements in view, which the locator must not mean; `exact` says that it has to be the
    whole name anyway."""
    found = Chain(scope)
    for each in locator.chain():
        if _is_text(each):
            found = found.call("get_by_text", literal(each.text), "exact=True")
        else:
            found = _within(found, each, names, exact=exact)
        if each.text and not _is_text(each):
            found = found.call("filter", f"has_text={literal(each.text)}")
        if each.nth is not None:
            found = found.attribute("first") if each.nth == 0 else found.call("nth", str(each.nth))
    return found


def by_role(found: Chain, role: str, name: str, names: Sequence[str] = (), *, exact: bool | None = None) -> Chain:
    """It has to be the whole name if `exact` says so, or if nothing is said and others are like it."""
    if not name:
        # Without a name it has no role for Playwright.
        return found.call("locator", literal("form")) if role == "form" else found.call("get_by_role", literal(role))
    is_whole = has_to_be_exact(name, names) if exact is None else exact
    whole = ["exact=True"] if is_whole else []
    return found.call("get_by_role", literal(role), f"name={literal(name)}", *whole)


def has_to_be_exact(name: str, names: Sequence[str]) -> bool:
    """Whether other names contain it, or data easily might: single words and short ones."""
    wanted = name.casefold()
    others = [each.casefold() for each in names]
    return len(name.split()) < 2 or any(wanted in each and wanted != each for each in others)


def _within(found: Chain, locator: Locator, names: Sequence[str], *, exact: bool) -> Chain:
    if locator.attribute is None:
        return by_role(found, locator.role, locator.name, names, exact=exact or None)
    by_attribute = _by_attribute(found, *locator.attribute)
    if not locator.name:
        return by_attribute
    return by_attribute.call("and_", by_role(Chain(found.head), locator.role, locator.name, names, exact=exact or None))


def _by_attribute(found: Chain, name: str, value: str) -> Chain:
    if name == "data-testid":
        return found.call("get_by_test_id", literal(value))
    if name == "title":
        return found.call("get_by_title", literal(value), "exact=True")
    if name == "id" and _SIMPLE_ID.fullmatch(value):
        return found.call("locator", literal(f"#{value}"))
    escaped = "".join(char if char.isprintable() and char not in '"\\' else f"\\{ord(char):x} " for char in value)
    return found.call("locator", literal(f'[{name}="{escaped}"]'))


def _is_text(locator: Locator) -> bool:
    return bool(locator.text) and not (locator.role or locator.name or locator.attribute)


def _can_be_written(locator: Locator) -> bool:
    return all(
        _is_text(each)
        or (
            (each.attribute is None or each.attribute[0] in _STABLE)
            and (each.role in ROLES if each.attribute is None or each.name else True)
        )
        for each in locator.chain()
    )


def _rank(locator: Locator) -> tuple[int, int]:
    """Smaller is better."""
    length = sum(1 for _ in locator.chain())
    numbered = any(each.nth is not None for each in locator.chain())
    if _is_text(locator):
        return 9 if numbered else 5, length
    if locator.attribute is None:
        return (8 if numbered else 0 if locator.name else 5), length
    name, value = locator.attribute
    made_up = name == "id" and bool(_MADE_UP.search(value))
    return (9 if numbered else _STABLE[name] + (4 if made_up else 0) + (1 if name == "id" else 0)), length
