"""Genetic operators keep tests on the graph: the figures of the paper, and laws."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st
from web.generate.graphs import graph_of, navigation_graphs, transition

from unknot.model.navigation_graph import NavigationGraph
from unknot.web.generate.call import Path, PlannedCall, is_well_formed
from unknot.web.generate.graph_paths import GraphPaths
from unknot.web.generate.input_values import InputValues
from unknot.web.generate.operators import Operators

SEEDS = st.integers(0, 2**32)


def operators(graph: NavigationGraph, seed: int = 0) -> Operators:
    chance = random.Random(seed)
    return Operators(GraphPaths(graph), InputValues(chance), chance)


def actions(path: Path) -> list[str]:
    return [call.transition.action for call in path]


def test_crossover_at_a_common_page_swaps_the_tails() -> None:
    first = transition("e1", "n0", "n1")
    to_two, to_three = transition("e2", "n1", "n2"), transition("e3", "n1", "n3")
    graph = graph_of(first, to_two, to_three)
    one, other = (PlannedCall(first), PlannedCall(to_two)), (PlannedCall(first), PlannedCall(to_three))
    assert actions(operators(graph).crossover(one, other, 0.5)) == ["e1", "e3"]


def test_crossover_joins_parts_that_do_not_fit_by_a_way_between_them() -> None:
    e1, e2, e3 = transition("e1", "n0", "n1"), transition("e2", "n0", "n2"), transition("e3", "n2", "n3")
    between = transition("e4", "n1", "n2")
    graph = graph_of(e1, e2, e3, between)
    assert actions(
        operators(graph).crossover((PlannedCall(e1), PlannedCall(between)), (PlannedCall(e2), PlannedCall(e3)), 0.5)
    ) == [
        "e1",
        "e4",
        "e3",
    ]


def test_crossover_shortens_the_head_where_no_way_leads_on() -> None:
    e1, dead_end = transition("e1", "n0", "n1"), transition("e2", "n1", "n2")
    e3, e4 = transition("e3", "n1", "n3"), transition("e4", "n3", "n4")
    graph = graph_of(e1, dead_end, e3, e4)
    head, tail = (PlannedCall(e1), PlannedCall(dead_end)), (PlannedCall(e1), PlannedCall(e3), PlannedCall(e4))
    assert actions(operators(graph).crossover(head, tail, 1 - 1e-9)) == ["e1", "e2"]
    assert actions(operators(graph).crossover((*head,), tail, 0.6)) == ["e1", "e3", "e4"]


def test_deletion_and_insertion_as_in_the_figure() -> None:
    e1, e2, e3 = transition("e1", "n0", "n1"), transition("e2", "n1", "n2"), transition("e3", "n2", "n3")
    e8, e4, e7 = transition("e8", "n2", "n6"), transition("e4", "n6", "n4"), transition("e7", "n4", "n5")
    e6 = transition("e6", "n5", "n1")
    graph = graph_of(e1, e2, e3, e8, e4, e7, e6)
    shortened = operators(graph).delete((PlannedCall(e1), PlannedCall(e2), PlannedCall(e3)), 1)
    assert actions(shortened) == ["e1", "e2"]
    assert actions(operators(graph).insert(shortened, [e6])) == ["e1", "e2", "e8", "e4", "e7", "e6"]


def test_deletion_takes_out_a_circle() -> None:
    e1, away, back, on = (
        transition("e1", "n0", "n1"),
        transition("e2", "n1", "n2"),
        transition("e3", "n2", "n1"),
        transition("e4", "n1", "n3"),
    )
    graph = graph_of(e1, away, back, on)
    test = tuple(map(PlannedCall, (e1, away, back, on)))
    assert actions(operators(graph).delete(test, 0)) == ["e1", "e4"]


def test_insertion_leaves_a_test_as_it_is_if_nothing_leads_to_the_target() -> None:
    e1, out_of_reach = transition("e1", "n0", "n1"), transition("e2", "n2", "n0")
    test = (PlannedCall(e1),)
    assert operators(graph_of(e1, out_of_reach)).insert(test, [out_of_reach]) == test


@given(navigation_graphs(), SEEDS, st.floats(0, 1))
def test_no_operator_makes_a_path_that_is_not_of_the_graph(graph: NavigationGraph, seed: int, cut: float) -> None:
    assume(GraphPaths(graph).outgoing(graph.start))
    changes = operators(graph, seed)
    chance = random.Random(seed)
    reachable = [each for each in graph.transitions if GraphPaths(graph).reaches(graph.start, each.source)]
    one, other = changes.random_test(), changes.random_test(chance.choice(reachable))
    place = chance.randrange(len(one))
    made = [
        one,
        other,
        changes.crossover(one, other, cut),
        changes.delete(one, place),
        changes.insert(one, graph.transitions),
        changes.change(one, place),
        changes.mutate(other, graph.transitions),
    ]
    for test in made:
        assert test
        assert is_well_formed(test, graph.start)
        assert {call.transition for call in test} <= set(graph.transitions)
        for call in test:
            assert [name for name, _ in call.values] == [each.name for each in call.transition.parameters]


@given(navigation_graphs(), SEEDS)
def test_a_random_test_ends_with_its_target(graph: NavigationGraph, seed: int) -> None:
    paths = GraphPaths(graph)
    reachable = [each for each in graph.transitions if paths.reaches(graph.start, each.source)]
    assume(reachable)
    target = random.Random(seed).choice(reachable)
    test = operators(graph, seed).random_test(target)
    # A walk may have gone to where no way leads back from.
    assert test[-1].transition == target or not paths.reaches(test[-1].transition.target, target.source)
