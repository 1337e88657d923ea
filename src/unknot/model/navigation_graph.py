"""The navigation graph of a web application: its pages, and the actions that lead from one to another."""

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """What an action takes. `type` is as the code names it; `values` are all values that it can have, if they are few
    and known."""

    name: str
    type: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Transition:
    """An action that leads from the page `source` to the page `target`.

    `guard` is what has to hold for the action to be possible, `condition` what decides between several targets of the
    same action; both are empty if nothing is known. Two transitions may agree in everything but these, and even in
    these: the graph is a multigraph.
    """

    action: str
    source: str
    target: str
    parameters: tuple[Parameter, ...] = ()
    guard: str = ""
    condition: str = ""


@dataclass(frozen=True)
class NavigationGraph:
    """`pages` has every page once, `start` among them; transitions are between these pages."""

    start: str
    pages: tuple[str, ...]
    transitions: tuple[Transition, ...]

    def reachable(self) -> frozenset[str]:
        """The pages that a path from the start leads to."""
        following: dict[str, list[str]] = {}
        for transition in self.transitions:
            following.setdefault(transition.source, []).append(transition.target)
        found = {self.start}
        waiting = deque(found)
        while waiting:
            for page in following.get(waiting.popleft(), ()):
                if page not in found:
                    found.add(page)
                    waiting.append(page)
        return frozenset(found)
