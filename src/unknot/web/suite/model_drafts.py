"""Drafts in the words of a model: page objects are made from it."""

from collections.abc import Iterable
from dataclasses import replace

from unknot.model.web.web_model import WebModel, WebPage
from unknot.web.crawl.model_builder import portable_action
from unknot.web.suite.draft import Draft, DraftStep, own_key


def drafts_of_model(drafts: Iterable[Draft], model: WebModel, origin: str) -> tuple[list[Draft], int]:
    """The drafts with the keys that actions have in the model, and how many do something that it does not have.
    `origin` is that of the application."""
    pages = {page.kind: page for page in model.pages}
    known: list[Draft] = []
    unknown = 0
    for draft in drafts:
        steps = tuple(found for step in draft.steps if (found := _known(step, pages, model, origin)) is not None)
        if len(steps) < len(draft.steps):
            unknown += 1
        else:
            known.append(replace(draft, steps=steps))
    return known, unknown


def _known(step: DraftStep, pages: dict[str, WebPage], model: WebModel, origin: str) -> DraftStep | None:
    if step.kind not in pages or step.leads_to not in pages:
        return None
    action = portable_action(step.action, origin)
    keys = {each.action.key: each.action.is_shared for each in model.actions_of(pages[step.kind])}
    # Whether it is shared by many pages may have turned out later, in the one or in the other.
    alike = (key for key in keys if own_key(key) == own_key(action.key))
    found = action.key if action.key in keys else next(alike, None)
    return None if found is None else replace(step, action=replace(action, key=found, is_shared=keys[found]))
