"""Many links to addresses of one sort, such as a choice of languages: they differ in data only."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from unknot.model.web.action import Action
from unknot.web.pages.writing.words import words_of

_AT_LEAST = 5
"""Fewer may be the sections of a page."""


def choices_among(actions: Iterable[Action], targets: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The keys of such links, each with the part of the address that says what they choose, such as "lang". `targets`
    are the classes that follow each action, by its key: links that lead to different ones are no choice."""
    sorts: dict[str, list[str]] = {}
    for each in actions:
        sort = _sort(each)
        if sort:
            sorts.setdefault(sort, []).append(each.key)
    return {
        key: sort
        for sort, keys in sorts.items()
        if len(keys) >= _AT_LEAST and len({targets.get(key, ()) for key in keys} - {()}) <= 1
        for key in keys
    }


def _sort(action: Action) -> str:
    if action.row or action.fields or not any(each.role == "link" and each.name for each in action.locators):
        return ""
    try:
        path = urlsplit(action.href).path
    except ValueError:
        return ""
    before = [each for each in path.split("/") if each][:-1]
    # Directly below the root are the sections of the application.
    return before[-1] if before and words_of(before[-1]) else ""
