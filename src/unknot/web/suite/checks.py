"""What can be checked after the last step of a draft: found by comparing what was in view before it and after it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from unknot.model.web.element import ERROR, TEXT, Element
from unknot.web.crawl.parts import SHARED
from unknot.web.crawl.view import View
from unknot.web.suite.draft import Check, CheckKind, Draft, DraftStep, names, replaced

_ORDER = (
    CheckKind.MESSAGE,
    CheckKind.LISTED,
    CheckKind.COUNT,
    CheckKind.GONE,
    CheckKind.FIELD,
    CheckKind.PAGE,
)
"""The strongest first."""

_MOST = 4
_ENOUGH = 2
"""So many without that of the page."""

_LONGEST = 120
_SAYING = frozenset({"alert", "status", "log"})
"""Roles of elements that say what has happened."""

_ERRORS = frozenset({"alert"})
"""Of these, the roles of those that say what is wrong."""

_DIGIT = re.compile(r"\d")
_MOMENT = re.compile(r"\d[:/-]\d")
"""In times and dates."""


def candidates(draft: Draft, before: View, after: View) -> tuple[Check, ...]:
    """All that is so after the last step and was not before, and that does not depend on what else is in the
    application: relative to what was there, or about the data of the draft. Strongest first."""
    found = dict.fromkeys(_found(draft, before, after))
    found = {each: None for each in found if is_true(each, before, after) and not was_true(each, before)}
    entered = [value for _, value in draft.steps[-1].values if value in draft.data]
    data = tuple(dict.fromkeys((*entered, *draft.data)))
    said = set(_texts(after.observation.root, _SAYING))
    return tuple(sorted(found, key=lambda each: _rank(each, data, said)))


def is_true(check: Check, before: View, after: View) -> bool:
    match check.kind:
        case CheckKind.PAGE:
            return after.kind == check.text != before.kind
        case CheckKind.MESSAGE:
            return any(check.text in text for text in _texts(after.observation.root))
        case CheckKind.LISTED:
            return check.text in _values(after, check.values)
        case CheckKind.GONE:
            return check.text not in _values(after, check.values)
        case CheckKind.COUNT:
            return len(_values(after, check.values)) - len(_values(before, check.values)) == check.by
    return check.text in _held(after, check.values)


def was_true(check: Check, before: View) -> bool:
    """Whether it would have held without the last step."""
    return is_true(check, before, before)


def strongest(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Of candidates, one or two of each kind, four together; that of the page only where there is little else."""
    kept: list[Check] = []
    counted: Counter[CheckKind] = Counter()
    for each in checks:
        most = 2 if each.kind is CheckKind.LISTED else 1
        if each.kind is CheckKind.PAGE and len(kept) >= _ENOUGH:
            continue
        if counted[each.kind] < most and len(kept) < _MOST and not _is_said(each, kept):
            kept.append(each)
            counted[each.kind] += 1
    return tuple(kept)


def _is_said(check: Check, kept: Iterable[Check]) -> bool:
    """Columns of one table often show the same value."""
    return any(each.kind is check.kind and each.text == check.text for each in kept)


def _found(draft: Draft, before: View, after: View) -> Iterator[Check]:
    data, act = draft.data, draft.steps[-1]
    yield from (Check(CheckKind.MESSAGE, text) for text in _messages(after, data))
    for each in after.lists:
        for value in each.examples:
            if is_about(value, data):
                yield Check(CheckKind.LISTED, value, each.name)
    is_same_page = before.kind == after.kind
    is_counted = is_same_page and not _only_shows(act, before, after)
    for name in dict.fromkeys(each.name for each in (*before.lists, *after.lists)):
        is_shown = is_same_page or any(each.name == name for each in after.lists)
        earlier, later = _values(before, name), _values(after, name)
        by = len(later) - len(earlier)
        if is_counted and abs(by) == 1:
            yield Check(CheckKind.COUNT, "", name, by)
        yield from (Check(CheckKind.GONE, value, name) for value in earlier if is_shown and is_about(value, data))
    entered = dict(act.values)
    for field in act.action.fields:
        # What was empty may only not have been emptied.
        if field.value and entered.get(field.label) and field.constraint("type").lower() not in ("password", "file"):
            yield Check(CheckKind.FIELD, entered[field.label], field.label)
    yield Check(CheckKind.PAGE, after.kind)


def _only_shows(act: DraftStep, before: View, after: View) -> bool:
    """Whether it is a link or a search: how many it shows is a matter of what else there is."""
    queries = [each.observation.address.partition("?")[2] for each in (before, after)]
    is_search = bool(act.action.sends_to) and not act.action.writes
    return bool(act.action.href) or is_search or queries[0] != queries[1]


def rank_of(check: Check) -> int:
    """Of its sort: the strongest is 0."""
    return _ORDER.index(check.kind)


def _rank(check: Check, data: Sequence[str], said: Collection[str]) -> tuple[int, bool, int, int, str]:
    """Of messages, what the page marks as such comes first; then what speaks of the data, in its sequence; the shortest
    of several."""
    about = next((place for place, value in enumerate(data) if names(check.text, value)), len(data))
    is_said = check.kind is CheckKind.MESSAGE and check.text in said
    return rank_of(check), not is_said, about, len(check.text), check.values


def is_about(text: str, data: Collection[str]) -> bool:
    """Whether it has any of the data in it."""
    return any(names(text, value) for value in data)


def _messages(after: View, data: tuple[str, ...]) -> Iterator[str]:
    """Texts that speak of the data, or that the page marks as what has happened, but for values of lists. Numbers that
    are no data are those of another day, or of another state; but an error may say what is allowed."""
    root = after.observation.root
    said = set(_texts(root, _SAYING))
    errors = set(_texts(root, _ERRORS))
    listed = {value for each in after.lists for value in each.examples}
    for text in _texts(root):
        if len(text) > _LONGEST or text in listed or not any(map(str.isalpha, text)):
            continue
        changing = _MOMENT if text in errors else _DIGIT
        if not changing.search(replaced(text, dict.fromkeys(data, ""))) and (text in said or is_about(text, data)):
            yield text


def _texts(root: Element, within: Collection[str] = ()) -> Iterator[str]:
    """The pieces of text of a page, but for its menus; or those in parts with these roles, and errors."""
    waiting = [(root, not within)]
    while waiting:
        each, is_inside = waiting.pop()
        is_inside = each.role in within if within and not is_inside else is_inside and each.role not in SHARED
        if each.role == TEXT and (is_inside or ERROR in each.states):
            yield each.text
        elif each.role == "heading" and not each.children and is_inside:
            yield each.name
        waiting.extend((child, is_inside) for child in reversed(each.children))


def _values(view: View, name: str) -> tuple[str, ...]:
    return next((each.examples for each in view.lists if each.name == name), ())


def _held(view: View, label: str) -> set[str]:
    return {field.value for action in view.actions for field in action.fields if field.label == label}
