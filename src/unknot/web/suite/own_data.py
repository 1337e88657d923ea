"""A draft about what it has made itself, instead of what was there.

A test that removes what was there can run once, and takes it away from others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from unknot.web.suite.draft import CheckKind, Draft, DraftStep, names
from unknot.web.suite.known_ways import is_link

_MOST = 2
"""Values to try for each draft that makes something."""


def borrows(draft: Draft) -> bool:
    """Whether it changes something, after a step in a row that it has not made."""
    return not is_link(draft.steps[-1]) and _borrowed(draft) is not None


def with_own_data(draft: Draft, makers: Sequence[Draft]) -> Iterator[Draft]:
    """The steps of a draft that makes a row on the same kind of page, then those of this one from the row on, in the
    new row. Nothing is tried."""
    borrowed = _borrowed(draft)
    if borrowed is None:
        return
    place, there = borrowed
    for maker in makers:
        if maker.steps[-1].leads_to != draft.steps[place].kind or borrows(maker):
            continue
        entered = [value for _, value in maker.steps[-1].values]
        made = [value for value in dict.fromkeys((*entered, *maker.data)) if _shows(maker, value)]
        for value in made[:_MOST]:
            rest = replace(draft, steps=draft.steps[place:]).with_data({there: value})
            data = tuple(each for each in draft.data if each not in maker.data)
            yield Draft((*maker.steps, *rest.steps), (*maker.data, *data))


def _borrowed(draft: Draft) -> tuple[int, str] | None:
    """The first of the steps in the row that the last step in a row is about, and what the row is found by."""
    rows = [_row_of(step) for step in draft.steps]
    there = next((row for row in reversed(rows) if row), "")
    if not there or any(names(there, value) for value in draft.data):
        return None
    return rows.index(there), there


def _row_of(step: DraftStep) -> str:
    """What its row is found by; empty if it is in none, or if that is not found by a text."""
    if not step.action.row:
        return ""
    for locator in step.action.locators[:1]:
        if locator.within is not None:
            return locator.within.text
        if step.action.href:
            return locator.name
    return ""


def _shows(maker: Draft, value: str) -> bool:
    kinds = (CheckKind.LISTED, CheckKind.MESSAGE)
    return value in maker.data and any(each.kind in kinds and names(each.text, value) for each in maker.checks)
