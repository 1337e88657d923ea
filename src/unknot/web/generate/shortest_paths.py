"""The paths between two pages without circles, shortest first.

Reference
    J. Y. Yen, "Finding the k shortest loopless paths in a network", Management Science 17(11), 1971.
Guarantee
    Each path once; paths that differ only in parallel transitions are different. Ends after the last one.
Cost
    For each path, one breadth-first search for each of its transitions.
"""

from collections.abc import Iterator

from unknot.model.navigation_graph import Transition
from unknot.web.generate.graph_paths import GraphPaths

_Way = tuple[Transition, ...]


def shortest_paths(paths: GraphPaths, start: str, goal: str) -> Iterator[_Way]:
    first = paths.shortest(start, goal)
    if not first:
        return
    found: list[_Way] = []
    waiting: dict[_Way, None] = {first: None}
    while waiting:
        best = min(waiting, key=len)
        waiting.pop(best)
        found.append(best)
        yield best
        for length in range(len(best)):
            beginning = best[:length]
            page = beginning[-1].target if beginning else start
            used = frozenset(way[length] for way in found if way[:length] == beginning and len(way) > length)
            behind = frozenset(each.source for each in beginning)
            rest = paths.shortest(page, goal, used, behind)
            if rest is not None and (way := (*beginning, *rest)) not in found:
                waiting.setdefault(way)
