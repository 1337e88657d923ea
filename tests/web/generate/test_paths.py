"""Ways through a navigation graph."""

import random

from hypothesis import given
from hypothesis import strategies as st
from web.generate.graphs import graph_of, navigation_graphs, transition

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.generate.atusa import Atusa
from unknot.web.generate.call import PlannedCall, is_well_formed
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.shortest_paths import shortest_paths


@given(navigation_graphs(), st.integers(0, 1000))
def test_a_walk_until_a_transition_ends_with_it(graph: NavigationGraph, seed: int) -> None:
    paths = GraphPaths(graph)
    for wanted in graph.transitions:
        walk = paths.walk_until(graph.start, wanted, random.Random(seed), 5)
        assert (walk is not None) == paths.reaches(graph.start, wanted.source)
        if walk is not None:
            assert walk[-1] == wanted
            assert is_well_formed([PlannedCall(each) for each in walk], graph.start)


@given(navigation_graphs())
def test_shortest_paths_are_all_paths_without_circles_shortest_first(graph: NavigationGraph) -> None:
    paths = GraphPaths(graph)
    for goal in graph.pages:
        if goal != graph.start:
            found = list(shortest_paths(paths, graph.start, goal))
            assert [len(way) for way in found] == sorted(len(way) for way in found)
            assert sorted(found, key=repr) == sorted(simple_ways(paths, graph.start, goal), key=repr)


def simple_ways(
    paths: GraphPaths, page: str, goal: str, behind: frozenset[str] = frozenset()
) -> set[tuple[Transition, ...]]:
    """By trying all."""
    if page == goal:
        return {()}
    return {
        (each, *rest)
        for each in paths.outgoing(page)
        if each.target not in behind and each.target != page
        for rest in simple_ways(paths, each.target, goal, behind | {page})
    }


@given(navigation_graphs())
def test_the_tests_of_atusa_take_every_transition_that_can_be_reached(graph: NavigationGraph) -> None:
    paths = GraphPaths(graph)
    ways = Atusa(graph, 0).ways
    reachable = {each for each in graph.transitions if paths.reaches(graph.start, each.source)}
    assert {each for way in ways for each in way} == reachable
    assert all(is_well_formed([PlannedCall(each) for each in way], graph.start) for way in ways)


def test_atusa_takes_as_many_paths_to_an_end_as_all_transitions_need() -> None:
    start, left, right = transition("go", "A", "B"), transition("left", "B", "C"), transition("right", "B", "C")
    graph = graph_of(start, left, right)
    assert Atusa(graph, 0).ways == ((start, left), (start, right))
