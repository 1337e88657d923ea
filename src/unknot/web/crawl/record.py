"""What a crawl has found: pages, where actions lead, what was spared, and what went wrong."""

from collections import Counter
from collections.abc import Mapping

from unknot.model.crawl import CrawlSummary, PageFault, PageSummary
from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.web.application.observation import EventKind
from unknot.web.crawl.crawl import TakenStep
from unknot.web.crawl.view import Action

_FAULTS = frozenset({EventKind.PAGE_ERROR, EventKind.CONSOLE_ERROR, EventKind.HTTP_ERROR, EventKind.REQUEST_FAILED})


class CrawlRecord:
    """Collects the steps of a crawl. Valid after each of them."""

    def __init__(self) -> None:
        self._start = ""
        self._visits: Counter[str] = Counter()
        self._example: dict[str, tuple[str, str]] = {}
        self._actions: dict[str, dict[str, bool]] = {}
        self._tried: set[tuple[str, str]] = set()
        self._taken: dict[Transition, None] = {}
        self._faults: Counter[tuple[str, str, str, str]] = Counter()
        self._blocked: dict[str, None] = {}
        self._steps = self._refused = self._resets = 0
        self._seconds = 0.0

    def add(self, step: TakenStep) -> None:
        observation, kind = step.after.observation, step.after.kind
        self._seconds += observation.seconds
        self._visits[kind] += 1
        self._example.setdefault(kind, (observation.title, observation.address))
        known = self._actions.setdefault(kind, {})
        for each in step.after.actions:
            known[each.key] = each.is_shared
        page, action = "", ""
        if step.before is None or step.chosen is None:
            self._resets += 1
            self._start = self._start or kind
        else:
            page, action = step.before.kind, step.chosen.action.title
            self._add_action(page, step.chosen.action, kind, refused=step.after.refused)
        for event in observation.events:
            if event.kind is EventKind.BLOCKED:
                self._blocked[event.text] = None
            elif event.kind in _FAULTS:
                self._faults[event.kind.value, event.text, page, action] += 1

    def _add_action(self, page: str, action: Action, target: str, *, refused: bool) -> None:
        self._steps += 1
        self._refused += refused
        self._tried.add(("" if action.is_shared else page, action.key))
        if not refused:
            parameters = tuple(Parameter(each.label, values=each.options) for each in action.fields)
            self._taken[Transition(action.title, page, target, parameters)] = None

    def summary(self, spared: Mapping[tuple[str, str], tuple[Action, str]]) -> CrawlSummary:
        counted = Counter((action.title, why) for action, why in spared.values())
        return CrawlSummary(
            NavigationGraph(self._start, tuple(self._visits), tuple(self._taken)),
            tuple(self._page(kind) for kind in self._visits),
            tuple((title, why, count) for (title, why), count in counted.items()),
            tuple(PageFault(*fault, count) for fault, count in self._faults.items()),
            tuple(self._blocked),
            self._steps,
            self._refused,
            self._resets,
            self._seconds,
        )

    def _page(self, kind: str) -> PageSummary:
        title, address = self._example[kind]
        actions = self._actions[kind]
        tried = sum(("" if shared else kind, key) in self._tried for key, shared in actions.items())
        return PageSummary(kind, title, address, self._visits[kind], len(actions), tried)
