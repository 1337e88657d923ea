"""Paths on a navigation graph: what leads where, the shortest way, and random ways."""

import random
from collections import deque
from collections.abc import Collection, Sequence

from unknot.model.navigation_graph import NavigationGraph, Transition


class GraphPaths:
    """Cost: one breadth-first search for each page, when it is first asked for."""

    def __init__(self, graph: NavigationGraph) -> None:
        self.start = graph.start
        self.transitions = graph.transitions
        self._outgoing: dict[str, list[Transition]] = {page: [] for page in graph.pages}
        self._incoming: dict[str, list[Transition]] = {page: [] for page in graph.pages}
        for each in graph.transitions:
            self._outgoing[each.source].append(each)
            self._incoming[each.target].append(each)
        self._reaching: dict[str, frozenset[str]] = {}
        self._leading: dict[tuple[str, Transition], list[Transition]] = {}

    def outgoing(self, page: str) -> Sequence[Transition]:
        """Empty for a page that the graph does not have."""
        return self._outgoing.get(page, ())

    def reaches(self, page: str, goal: str) -> bool:
        """Whether a path, possibly without any transition, leads from the page to the goal."""
        if goal not in self._reaching:
            found, waiting = {goal}, deque([goal])
            while waiting:
                for each in self._incoming.get(waiting.popleft(), ()):
                    if each.source not in found:
                        found.add(each.source)
                        waiting.append(each.source)
            self._reaching[goal] = frozenset(found)
        return page in self._reaching[goal]

    def shortest(
        self,
        page: str,
        goal: str,
        without: Collection[Transition] = (),
        around: Collection[str] = (),
    ) -> tuple[Transition, ...] | None:
        """Without these transitions, and around these pages. None if there is no path. Among equals, the one with the
        earliest transitions of the graph."""
        before: dict[str, Transition | None] = {page: None}
        waiting = deque([page])
        while waiting and goal not in before:
            for each in self.outgoing(waiting.popleft()):
                if each.target not in before and each.target not in around and each not in without:
                    before[each.target] = each
                    waiting.append(each.target)
        if goal not in before:
            return None
        path: list[Transition] = []
        while (last := before[goal]) is not None:
            path.append(last)
            goal = last.source
        return tuple(reversed(path))

    def walk(self, page: str, goal: str, chance: random.Random, longest: int) -> tuple[Transition, ...] | None:
        """A random walk that ends where it meets the goal; each step is any transition after which the goal can still
        be reached. After `longest` steps the shortest way is taken. None if there is no path."""
        if not self.reaches(page, goal):
            return None
        path: list[Transition] = []
        while page != goal and len(path) < longest:
            path.append(chance.choice([each for each in self.outgoing(page) if self.reaches(each.target, goal)]))
            page = path[-1].target
        return (*path, *(self.shortest(page, goal) or ()))

    def walk_until(
        self, page: str, wanted: Transition, chance: random.Random, longest: int
    ) -> tuple[Transition, ...] | None:
        """A random walk that ends with the wanted transition, after `longest` steps by the shortest way to it. None if
        there is no path to it."""
        path: list[Transition] = []
        while len(path) < longest:
            if not (possible := self._leading_to(wanted, page)):
                return None
            path.append(chance.choice(possible))
            if path[-1] == wanted:
                return tuple(path)
            page = path[-1].target
        way = self.shortest(page, wanted.source)
        return None if way is None else (*path, *way, wanted)

    def _leading_to(self, wanted: Transition, page: str) -> Sequence[Transition]:
        """The wanted transition, and those after which it can still be reached."""
        key = page, wanted
        if key not in self._leading:
            self._leading[key] = [
                each for each in self.outgoing(page) if each == wanted or self.reaches(each.target, wanted.source)
            ]
        return self._leading[key]

    def free_walk(self, page: str, chance: random.Random, steps: int) -> list[Transition]:
        """As many steps, or fewer if a page is a dead end."""
        path: list[Transition] = []
        while len(path) < steps and self.outgoing(page):
            path.append(chance.choice(self.outgoing(page)))
            page = path[-1].target
        return path
