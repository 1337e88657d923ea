"""How to get from one kind of page to another."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence

from unknot.model.web.action import Action
from unknot.model.web.web_model import WebModel
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View
from unknot.web.suite.draft import DraftStep
from unknot.web.suite.rows import names_any, naming_data


class KnownWays:
    """Actions without inputs. Links of menus lead to the same kind of page from each page that shows them. Links in
    rows lead to what the row is about: they are a way if that was there in the clean state. Buttons may change
    something, so they are one only where links are none."""

    def __init__(self) -> None:
        self._links: dict[tuple[str, str], DraftStep] = {}
        self._row_links: dict[tuple[str, str], DraftStep] = {}
        self._buttons: dict[tuple[str, str], DraftStep] = {}
        self._menu: dict[str, dict[str, Action]] = {}
        """By kind of page and key."""
        self._menu_leads_to: dict[str, str] = {}

    def copy(self) -> "KnownWays":
        """It learns nothing of what the other one learns from now on."""
        other = KnownWays()
        other._links |= self._links
        other._row_links |= self._row_links
        other._buttons |= self._buttons
        other._menu |= {kind: dict(links) for kind, links in self._menu.items()}
        other._menu_leads_to |= self._menu_leads_to
        return other

    def learn_model(self, model: WebModel) -> None:
        for page in model.pages:
            for known in model.actions_of(page):
                if _is_steady(known.action) and not known.spared:
                    for each in known.destinations:
                        target = page.kind if each.stays else each.kind
                        self._learn(DraftStep(page.kind, known.action, (), target))

    def learn(self, step: TakenStep, data: Collection[str]) -> None:
        """The first that leads from one kind of page to another is kept. `data` is what its walk has entered."""
        for action in step.after.actions:
            if action.is_shared and _is_steady(action):
                self._menu.setdefault(step.after.kind, {})[action.key] = action
        if step.before is None or step.chosen is None or step.after.refused or step.chosen.action.fields:
            return
        action, target = step.chosen.action, step.after.kind
        if action.row:
            self._learn_row(step.before, action, target, data)
        if not _is_steady(action):
            return
        self._learn(DraftStep(step.before.kind, action, (), target))
        if action.is_shared and action.href:
            self._menu_leads_to.setdefault(action.key, target)

    def between(self, kind: str, goal: str, own: Sequence[DraftStep] = ()) -> tuple[DraftStep, ...] | None:
        """The fewest links, those of `own` preferred; these may be in rows. If there are none, with buttons of `own`,
        or else with any. None if no way is known. Cost: up to three searches through what is known."""
        links = [*filter(is_link, own), *self._links.values(), *self._row_links.values()]
        pressed = [each for each in own if is_without_inputs(each)]
        for known in (links, [*links, *pressed], [*links, *pressed, *self._buttons.values()]):
            if (way := self._shortest(kind, goal, known)) is not None:
                return way
        return None

    def _shortest(self, kind: str, goal: str, steps: Iterable[DraftStep]) -> tuple[DraftStep, ...] | None:
        known: dict[str, dict[str, DraftStep]] = {}
        for step in steps:
            known.setdefault(step.kind, {}).setdefault(step.leads_to, step)
        before: dict[str, DraftStep | None] = {kind: None}
        waiting = deque([kind])
        while waiting and goal not in before:
            page = waiting.popleft()
            for step in (*known.get(page, {}).values(), *self._menu_links(page)):
                if step.leads_to not in before:
                    before[step.leads_to] = step
                    waiting.append(step.leads_to)
        if goal not in before:
            return None
        way: list[DraftStep] = []
        while (last := before[goal]) is not None:
            way.append(last)
            goal = last.kind
        return tuple(reversed(way))

    def _learn_row(self, before: View, action: Action, target: str, data: Collection[str]) -> None:
        named = naming_data(action, before.observation.root, data)
        is_there = named is not action and not any(names_any(each, data) for each in named.locators)
        if action.href and is_there and before.kind != target:
            self._row_links.setdefault((before.kind, target), DraftStep(before.kind, named, (), target))

    def _learn(self, step: DraftStep) -> None:
        if step.kind != step.leads_to:
            kept = self._links if step.action.href else self._buttons
            kept.setdefault((step.kind, step.leads_to), step)

    def _menu_links(self, kind: str) -> Iterator[DraftStep]:
        for key, action in self._menu.get(kind, {}).items():
            if target := self._menu_leads_to.get(key):
                yield DraftStep(kind, action, (), target)


def is_link(step: DraftStep) -> bool:
    """It only leads somewhere."""
    return bool(step.action.href) and is_without_inputs(step)


def is_without_inputs(step: DraftStep) -> bool:
    return not step.action.fields and not step.values


def _is_steady(action: Action) -> bool:
    return bool(action.locators) and not (action.fields or action.row or action.varies)
