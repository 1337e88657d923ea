"""How to get from one kind of page to another by links, as walks did."""

from collections import deque
from collections.abc import Iterable, Sequence

from unknot.web.suite.draft import DraftStep


class KnownWays:
    """Links that are the same on each page of a kind: not those of rows, which lead to what the row is about."""

    def __init__(self) -> None:
        self._links: dict[tuple[str, str], DraftStep] = {}

    def learn(self, steps: Iterable[DraftStep]) -> None:
        """The first of those that lead from one kind of page to another is kept."""
        for step in steps:
            if is_link(step) and not step.action.row and step.kind != step.leads_to:
                self._links.setdefault((step.kind, step.leads_to), step)

    def between(self, kind: str, goal: str, own: Sequence[DraftStep] = ()) -> tuple[DraftStep, ...] | None:
        """The fewest links, those of `own` preferred; these may be in rows. None if no way is known. Cost: one search
        through what is known."""
        edges: dict[str, dict[str, DraftStep]] = {}
        for step in filter(is_link, own):
            edges.setdefault(step.kind, {}).setdefault(step.leads_to, step)
        for (source, target), step in self._links.items():
            edges.setdefault(source, {}).setdefault(target, step)
        before: dict[str, DraftStep | None] = {kind: None}
        waiting = deque([kind])
        while waiting and goal not in before:
            for target, step in edges.get(waiting.popleft(), {}).items():
                if target not in before:
                    before[target] = step
                    waiting.append(target)
        if goal not in before:
            return None
        way: list[DraftStep] = []
        while (step_before := before[goal]) is not None:
            way.append(step_before)
            goal = step_before.kind
        return tuple(reversed(way))


def is_link(step: DraftStep) -> bool:
    """It only leads somewhere."""
    return bool(step.action.href) and not step.action.fields and not step.values
