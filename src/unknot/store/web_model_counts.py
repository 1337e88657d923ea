"""How often each part of a model was seen: a part of its own of the file, because every crawl changes all of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from unknot.model.web.portable_model import by_count
from unknot.model.web.web_model import Guard, PageAction, WebModel
from unknot.store.typed_json import Fault, at, entry


@dataclass(frozen=True)
class ActionCounts:
    """`destinations` are by kind of page. `held` and `failed` are those of the guard."""

    tries: int
    worked: int = 0
    destinations: Mapping[str, int] = field(default_factory=dict)
    held: int = 0
    failed: int = 0


_ByKey = Mapping[str, ActionCounts]


@dataclass(frozen=True)
class Counts:
    """`visits` are by kind of page; the actions that were tried by the kind of page, or the name of the component, and
    their key."""

    visits: Mapping[str, int]
    pages: Mapping[str, _ByKey] = field(default_factory=dict)
    components: Mapping[str, _ByKey] = field(default_factory=dict)


def counts_of(model: WebModel) -> Counts:
    return Counts(
        {page.kind: page.visits for page in model.pages},
        {page.kind: found for page in model.pages if (found := _by_key(page.actions))},
        {part.name: found for part in model.components if (found := _by_key(part.actions))},
    )


def with_counts(model: WebModel, counts: Counts) -> WebModel:
    """The model with these counts. Raises Fault for counts of what is not in the model, and for impossible ones."""
    pages = {page.kind: page for page in model.pages}
    components = {part.name: part for part in model.components}
    for kind in pages:
        if kind not in counts.visits:
            raise Fault("missing", f".counts.visits{entry(kind)}")
    _check_names(counts.visits, pages, ".counts.visits")
    _check_names(counts.pages, pages, ".counts.pages")
    _check_names(counts.components, components, ".counts.components")
    for kind, page in pages.items():
        with at(f".counts.pages{entry(kind)}"):
            pages[kind] = replace(
                page, visits=counts.visits[kind], actions=_counted(page.actions, counts.pages.get(kind, {}))
            )
    for name, part in components.items():
        with at(f".counts.components{entry(name)}"):
            components[name] = replace(part, actions=_counted(part.actions, counts.components.get(name, {})))
    return replace(model, pages=tuple(pages.values()), components=tuple(components.values()))


def _by_key(actions: Iterable[PageAction]) -> _ByKey:
    return {each.action.key: _counts(each) for each in actions if _counts(each) != _NONE}


_NONE = ActionCounts(0)


def _counts(found: PageAction) -> ActionCounts:
    guard = found.guard or Guard("")
    by_kind = {each.kind: each.count for each in sorted(found.destinations, key=lambda each: each.kind)}
    return ActionCounts(found.tries, found.worked, by_kind, guard.held, guard.failed)


def _counted(actions: tuple[PageAction, ...], counts: _ByKey) -> tuple[PageAction, ...]:
    _check_names(counts, {each.action.key for each in actions}, "")
    return tuple(_with(each, counts.get(each.action.key, _NONE)) for each in actions)


def _with(found: PageAction, counts: ActionCounts) -> PageAction:
    with at(entry(found.action.key)):
        if counts.worked > counts.tries:
            raise Fault(f"more than the {counts.tries} tries", ".worked")
        if not found.guard and (counts.held or counts.failed):
            raise Fault("the action has no guard", ".held" if counts.held else ".failed")
        kinds = {each.kind for each in found.destinations}
        _check_names(counts.destinations, kinds, ".destinations")
        for kind in sorted(kinds):
            if kind not in counts.destinations:
                raise Fault("missing", f".destinations{entry(kind)}")
    destinations = (replace(each, count=counts.destinations[each.kind]) for each in found.destinations)
    guard = found.guard and replace(found.guard, held=counts.held, failed=counts.failed)
    return replace(found, tries=counts.tries, worked=counts.worked, destinations=by_count(destinations), guard=guard)


def _check_names(given: Iterable[str], known: Iterable[str], where: str) -> None:
    there = set(known)
    for name in given:
        if name not in there:
            raise Fault("is not in the model", f"{where}{entry(name)}")
