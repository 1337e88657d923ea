"""A model of the application from the trace of a crawl."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

from unknot.model.web.action import Action
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Component, Destination, PageAction, ValueList, WebModel, WebPage
from unknot.web.application.observation import WOULD_CHANGE
from unknot.web.crawl.addresses import address_template, origin_in, without_origin
from unknot.web.crawl.components import target_of
from unknot.web.crawl.guards import Guards
from unknot.web.crawl.headings import CommonHeadings, headings_of
from unknot.web.crawl.parts import SHARED, open_dialog
from unknot.web.crawl.recognition import Recognition
from unknot.web.crawl.safety import CHANGES_DATA
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View

_MOST_EXAMPLES = 5

_Place = str
"""A kind of page, or the name of a component."""


@dataclass
class _Tries:
    action: Action
    first_name: str
    spared: str = ""
    would_change: bool = False
    """Whether it tried to send what a crawl that only reads does not send."""
    varying: set[str] = field(default_factory=set)
    """Labels of fields that offer other options at times."""
    tries: int = 0
    worked: int = 0
    refusals: dict[str, None] = field(default_factory=dict)
    destinations: dict[tuple[str, str], tuple[int, tuple[tuple[str, str], ...]]] = field(default_factory=dict)
    """By the kind of page on which it was performed, and the one that followed."""

    def compare(self, seen: Action) -> None:
        """Notes what is not the same each time that such an action is in view."""
        if seen.name != self.first_name and not self.action.varies:
            self.action = replace(self.action, varies=True)
        offered = {each.label: each.options for each in self.action.fields}
        self.varying |= {each.label for each in seen.fields if offered.get(each.label, ()) != each.options}

    def add(self, other: "_Tries") -> None:
        self.spared = self.spared or other.spared
        self.would_change = self.would_change or other.would_change
        self.tries += other.tries
        self.worked += other.worked
        self.refusals |= other.refusals
        self.varying |= other.varying
        for way, (count, values) in other.destinations.items():
            known, example = self.destinations.get(way, (0, values))
            self.destinations[way] = known + count, example


class ModelBuilder:
    """Collects the steps of a crawl. The model is valid after each of them. The first of `origins` is the application's
    own. Cost: linear in the actions in view."""

    def __init__(self, origins: tuple[str, ...] = ()) -> None:
        self._other_origins = tuple(each for each in origins[1:] if each not in origins[:1])
        self._start = ""
        self._visits: Counter[str] = Counter()
        self._first: dict[str, View] = {}
        self._headings = CommonHeadings()
        self._actions: defaultdict[_Place, dict[str, _Tries]] = defaultdict(dict)
        self._guards = Guards()
        self._recognition = Recognition()
        self._values: defaultdict[str, dict[str, ValueList]] = defaultdict(dict)
        self._components: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """By component, the kinds of pages that have it."""

    def add(self, step: TakenStep) -> None:
        view = step.after
        self._start = self._start or view.kind
        self._visits[view.kind] += 1
        self._first.setdefault(view.kind, view)
        self._headings.add(view.kind, view.observation.root)
        origin = self._own_origin(view.observation.address)
        self._recognition.add(view.kind, view.observation.root)
        for each in view.lists:
            self._add_values(view.kind, each)
        for action in view.actions:
            self._tries(view.kind, action, origin)
        for action, why in view.spared:
            self._tries(view.kind, action, origin).spared = why
        if step.before is None or step.chosen is None:
            self._guards.begin(view)
            return
        self._guards.add(self._place(step.before.kind, step.chosen.action), step.before, step.chosen, view)
        before = step.before.observation
        found = self._tries(step.before.kind, step.chosen.action, self._own_origin(before.address))
        found.tries += 1
        if view.refused:
            found.would_change = found.would_change or view.refusal.startswith(WOULD_CHANGE)
            if view.rejection:
                found.refusals[view.rejection] = None
            return
        found.worked += 1
        key = step.before.kind, view.kind
        count, values = found.destinations.get(key, (0, step.chosen.values))
        found.destinations[key] = count + 1, values

    def model(self) -> WebModel:
        for name in self._components:
            self._move_to(name)
        pages = tuple(self._page(kind, view) for kind, view in self._first.items())
        components = tuple(
            Component(name, name, self._modelled(name), tuple(kinds)) for name, kinds in self._components.items()
        )
        return WebModel(self._start, pages, components, self._other_origins)

    def _move_to(self, component: str) -> None:
        """What was counted for pages before it was known that it is shared. What is shared by its role always was."""
        if component in SHARED:
            return
        for key, found in self._actions[component].items():
            for kind in self._first:
                own = key.removeprefix(component)
                earlier = self._actions[kind].get(own)
                if earlier is not None and _lead_to_the_same(earlier.action, found.action):
                    self._components[component][kind] = None
                    found.add(self._actions[kind].pop(own))

    def _own_origin(self, address: str) -> str:
        """Several instances have one each. Empty for a page at another origin."""
        origin = origin_in(address)
        return "" if origin in self._other_origins else origin

    def _tries(self, kind: str, action: Action, origin: str) -> _Tries:
        place = self._place(kind, action)
        if action.is_shared:
            self._components[place][kind] = None
        known, key = self._actions[place], _without_port(action.key, origin)
        if key not in known:
            known[key] = _Tries(portable_action(action, origin), action.name)
        known[key].compare(action)
        return known[key]

    def _place(self, kind: str, action: Action) -> _Place:
        return action.key.partition("/")[0] if action.is_shared else kind

    def _add_values(self, kind: str, seen: ValueList) -> None:
        known = self._values[kind].get(seen.name, seen)
        examples = tuple(dict.fromkeys((*known.examples, *seen.examples)))[:_MOST_EXAMPLES]
        self._values[kind][seen.name] = replace(known, examples=examples)

    def _page(self, kind: str, view: View) -> WebPage:
        observation = view.observation
        origin = self._own_origin(observation.address)
        return WebPage(
            kind,
            observation.title,
            without_origin(observation.address, origin),
            address_template(observation.address),
            self._visits[kind],
            headings_of(observation.root),
            self._modelled(kind),
            tuple(name for name, kinds in self._components.items() if kind in kinds),
            tuple(self._values[kind].values()),
            tuple(each for each in self._recognition.locators(kind) if not origin or origin not in each.name),
            self._headings.of(kind),
            open_dialog(observation.root) is not None,
        )

    def _modelled(self, place: _Place) -> tuple[PageAction, ...]:
        return tuple(
            PageAction(
                _with_varying_fields(found),
                found.tries,
                found.worked,
                tuple(_destinations(found, self._here(found) if place in self._components else frozenset())),
                self._guards.guard(place, found.action.key),
                tuple(found.refusals),
                spared=found.spared or (CHANGES_DATA if found.would_change and not found.worked else ""),
            )
            for found in self._actions[place].values()
        )

    def _here(self, found: _Tries) -> frozenset[str]:
        """The kinds of pages on which a shared action was performed, and which followed, unless something else led
        there as well. If there is only one, it may be where the action leads to; but not if it has another address, or
        is a button that sends nothing, such as one that opens a menu."""
        elsewhere = {target for source, target in found.destinations if source != target}
        here = {source for source, target in found.destinations if source == target and target not in elsewhere}
        if len(here) == 1:
            template = address_template(self._first[min(here)].observation.address)
            href = found.action.href.strip("#")
            leads_there = address_template(href) == template if href else bool(found.action.fields)
            return frozenset() if leads_there else frozenset(here)
        return frozenset(here)


def portable_action(action: Action, origin: str) -> Action:
    """As it is on another instance, on another day: without the port, and without what the fields held."""
    return replace(
        action,
        key=_without_port(action.key, origin),
        title=_without_port(action.title, origin),
        name=_without_port(action.name, origin),
        href=without_origin(action.href, origin),
        sends_to=without_origin(action.sends_to, origin),
        locators=_lasting(action.locators, origin),
        fields=tuple(
            replace(
                each,
                value="",
                is_filled=bool(each.value),
                label=_without_port(each.label, origin),
                locators=_lasting(each.locators, origin),
            )
            for each in action.fields
        ),
    )


def _without_port(text: str, origin: str) -> str:
    return text.replace(origin, "") if origin else text


def _lasting(locators: tuple[Locator, ...], origin: str) -> tuple[Locator, ...]:
    """Those that find the element on another instance as well, if there are any."""
    if not origin:
        return locators
    said = ((each, (each.name, each.text, *(each.attribute or ()))) for each in locators)
    return tuple(each for each, texts in said if not any(origin in text for text in texts)) or locators


def _with_varying_fields(found: _Tries) -> Action:
    if not found.varying:
        return found.action
    fields = (replace(each, varies=each.label in found.varying) for each in found.action.fields)
    return replace(found.action, fields=tuple(fields))


def _lead_to_the_same(one: Action, other: Action) -> bool:
    return address_template(target_of(one)) == address_template(target_of(other))


def _destinations(found: _Tries, stays: frozenset[str]) -> list[Destination]:
    """Wherever it was performed, most often first. `stays` are kinds of pages on which it stays; they count as one."""
    kept = min(stays, default="")
    counted: dict[str, Destination] = {}
    for (_, target), (count, values) in found.destinations.items():
        kind = kept if target in stays else target
        known = counted.get(kind, Destination(kind, 0, values))
        counted[kind] = Destination(kind, known.count + count, known.values, kind in stays)
    return sorted(counted.values(), key=lambda each: -each.count)
