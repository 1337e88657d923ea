"""A draft about what it has made itself, instead of what was there.

A test that removes what was there can run once, and takes it away from others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from unknot.web.suite.draft import CheckKind, Draft, DraftStep, names
from unknot.web.suite.known_ways import is_link
from unknot.web.suite.rows import names_any

_MOST = 2
"""Values to try for each draft that makes something."""


def borrows(draft: Draft) -> bool:
    """Whether it changes something, after a step in a row that it has not made."""
    return not is_link(draft.steps[-1]) and _first_borrowed(draft) is not None


def with_own_data(draft: Draft, makers: Sequence[Draft]) -> Iterator[Draft]:
    """The steps of a draft that makes a row on the same kind of page, then those of this one from the row on, in the
    new row. Nothing is tried."""
    place = _first_borrowed(draft)
    if place is None:
        return
    first = draft.steps[place]
    there = _row_of(first)
    for maker in makers:
        if maker.steps[-1].leads_to != first.kind or borrows(maker):
            continue
        made = [value for value in maker.data if _shows(maker, value)]
        for value in made[:_MOST]:
            rest = replace(draft, steps=draft.steps[place:]).with_data({there: value})
            data = tuple(each for each in draft.data if each not in maker.data)
            yield Draft((*maker.steps, *rest.steps), (*maker.data, *data))


def _first_borrowed(draft: Draft) -> int | None:
    for place, step in enumerate(draft.steps):
        is_own = any(names_any(each, draft.data) for each in step.action.locators)
        if step.action.row and not is_own and _row_of(step):
            return place
    return None


def _row_of(step: DraftStep) -> str:
    """What its row is found by; empty if it is not found by a text."""
    for locator in step.action.locators[:1]:
        if locator.within is not None:
            return locator.within.text
        if step.action.href:
            return locator.name
    return ""


def _shows(maker: Draft, value: str) -> bool:
    kinds = (CheckKind.LISTED, CheckKind.MESSAGE)
    return any(each.kind in kinds and names(each.text, value) for each in maker.checks)
