"""A model as it is kept: what has no order is sorted, and what may grow without end is cut."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from unknot.model.web.action import Action
from unknot.model.web.web_model import Component, Destination, PageAction, ValueList, WebModel, WebPage

MOST_EXAMPLES = 10
"""Of values in a list, of refusals of an action, of headings of a page."""
MOST_OPTIONS = 500
"""Of a field: more are no choice, but a search."""
LONGEST_TEXT = 200


def portable(model: WebModel) -> WebModel:
    """The same application. Guarantee: models that differ in the sequence in which things were found only, up to first
    examples, are equal afterwards; doing it twice changes nothing. Cost: linear, but for sorting."""
    components = sorted(model.components, key=lambda part: part.name)
    having: dict[str, list[str]] = {part.name: [] for part in components}
    pages = tuple(map(_page, sorted(model.pages, key=lambda page: page.kind)))
    for page in pages:
        for name in page.components:
            having[name].append(page.kind)
    return WebModel(
        model.start,
        pages,
        tuple(_component(part, having) for part in components),
        tuple(sorted(set(model.other_origins))),
    )


def by_count(destinations: Iterable[Destination]) -> tuple[Destination, ...]:
    """The one that an action led to most often first."""
    return tuple(sorted(destinations, key=lambda each: (-each.count, each.kind)))


def _page(page: WebPage) -> WebPage:
    return replace(
        page,
        title=_cut(page.title),
        headings=tuple(map(_cut, page.headings[:MOST_EXAMPLES])),
        actions=_actions(page.actions),
        components=tuple(sorted(set(page.components))),
        values=tuple(map(_values, sorted(page.values, key=lambda each: each.name))),
    )


def _component(part: Component, having: Mapping[str, list[str]]) -> Component:
    return replace(part, actions=_actions(part.actions), pages=tuple(having[part.name]))


def _actions(actions: Iterable[PageAction]) -> tuple[PageAction, ...]:
    return tuple(map(_page_action, sorted(actions, key=lambda each: each.action.key)))


def _page_action(found: PageAction) -> PageAction:
    refusals = sorted(dict.fromkeys(map(_cut, found.refusals)))
    return replace(
        found,
        action=_action(found.action),
        destinations=by_count(found.destinations),
        refusals=tuple(refusals[:MOST_EXAMPLES]),
    )


def _action(action: Action) -> Action:
    fields = tuple(replace(each, options=each.options[:MOST_OPTIONS]) for each in action.fields)
    return replace(action, name=_cut(action.name), fields=fields)


def _values(values: ValueList) -> ValueList:
    """A value that is cut would be another value: long ones are left out."""
    short = (each for each in values.examples if len(each) <= LONGEST_TEXT)
    return replace(values, examples=tuple(dict.fromkeys(short))[:MOST_EXAMPLES])


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
