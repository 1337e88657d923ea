"""Paths through a crawled graph that together take all its transitions, as Atusa makes them (Ext-Crawljax).

Reference
    A. Mesbah, A. van Deursen, "Invariant-based automatic testing of AJAX user interfaces", ICSE 2009, and its second
    implementation in chapter 4 of the thesis by M. Biagiola.
Idea
    For each page from which nothing leads on, the k shortest paths from the start to it, with the smallest k at which
    every transition that such paths can take is taken. Where every page leads on, and for transitions that are on no
    such path, the shortest path to each transition.
Assumptions
    The graph says what is possible: guards are not considered, so that paths diverge.
Guarantee
    Every transition that can be reached from the start is in a path. When all paths have run, they run again with other
    inputs.
Cost
    For each k and each such page, a shortest path for every transition of the paths before (Yen).
"""

import random
from collections.abc import Iterator

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.generate.call import ExecutedPath
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.input_values import InputValues
from unknot.web.generate.shortest_paths import shortest_paths

_Way = tuple[Transition, ...]

_MOST_FOR_PAGE = 100
"""Paths to one page. The study tried up to 999; its graphs needed 9 to 71."""


class Atusa:
    def __init__(self, graph: NavigationGraph, seed: int) -> None:
        self._paths = GraphPaths(graph)
        self._values = InputValues(random.Random(seed))
        self.ways = _covering_ways(graph, self._paths)
        """The tests, without inputs."""

    def generate(self, execution: PathExecution) -> Iterator[ExecutedPath]:
        while self.ways:
            for way in self.ways:
                if not execution.goes_on():
                    return
                yield execution.run(self._values.path(way))


def _covering_ways(graph: NavigationGraph, paths: GraphPaths) -> tuple[_Way, ...]:
    sinks = [page for page in graph.pages if not paths.outgoing(page) and paths.reaches(graph.start, page)]
    reachable = [each for each in graph.transitions if paths.reaches(graph.start, each.source)]
    searches = {page: shortest_paths(paths, graph.start, page) for page in sinks if page != graph.start}
    wanted = {each for each in reachable if any(paths.reaches(each.target, page) for page in searches)}
    ways: list[_Way] = []
    for _ in range(_MOST_FOR_PAGE):
        if not wanted:
            break
        for search in searches.values():
            if way := next(search, None):
                ways.append(way)
                wanted -= set(way)
    taken = {each for way in ways for each in way}
    for each in reachable:
        if each not in taken:
            way = (*(paths.shortest(graph.start, each.source) or ()), each)
            taken |= set(way)
            ways.append(way)
    return tuple(ways)
