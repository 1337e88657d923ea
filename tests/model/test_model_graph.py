"""DependencyGraph, compared with networkx."""

import random

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
import pytest
from hypothesis import given
from strategies import edge_sets, laws

from unknot.model.bits import positions
from unknot.model.graph import CycleError, DependencyGraph

Drawn = tuple[int, list[tuple[int, int]]]


def in_networkx(size: int, edges: list[tuple[int, int]]) -> "nx.DiGraph[int]":
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(edges)
    return graph


@laws()
@given(edge_sets())
def test_a_graph_holds_the_edges_it_was_given(drawn: Drawn) -> None:
    size, edges = drawn

    graph = DependencyGraph(size, edges)

    assert len(graph) == size
    assert list(graph.edges()) == sorted(set(edges))


@laws()
@given(edge_sets())
def test_closure_and_reduction_are_those_of_networkx_and_each_gives_the_other(drawn: Drawn) -> None:
    size, edges = drawn
    graph = DependencyGraph(size, edges)

    closed, reduced = graph.closure(), graph.reduction()

    other = in_networkx(size, edges)
    assert [set(positions(row)) for row in closed.rows] == [nx.descendants(other, node) for node in range(size)]
    assert set(reduced.edges()) == set(nx.transitive_reduction(other).edges)
    assert reduced.closure().rows == closed.rows
    assert closed.reduction().rows == reduced.rows


@laws()
@given(edge_sets())
def test_a_topological_order_has_every_test_once_and_prerequisites_first(drawn: Drawn) -> None:
    size, edges = drawn

    order = DependencyGraph(size, edges).topological_order()

    assert sorted(order) == list(range(size))
    place = {position: number for number, position in enumerate(order)}
    assert all(place[prerequisite] < place[dependent] for dependent, prerequisite in edges)
    assert order == list(range(size)), "edges to earlier positions leave the reference order as it is"


@laws(200)
@given(edge_sets(acyclic=False))
def test_a_graph_is_acyclic_where_networkx_says_so_and_otherwise_a_cycle_is_named(drawn: Drawn) -> None:
    """Each member needs the next, and the last the first. Closure and reduction refuse such a graph."""
    graph = DependencyGraph(*drawn)

    assert graph.is_acyclic() == nx.is_directed_acyclic_graph(in_networkx(*drawn))
    if graph.is_acyclic():
        return
    with pytest.raises(CycleError) as raised:
        graph.topological_order()
    with pytest.raises(CycleError):
        graph.closure()
    with pytest.raises(CycleError):
        graph.reduction()

    members = raised.value.members
    assert len(members) == len(set(members)) >= 2
    assert all(graph.rows[test] >> needed & 1 for test, needed in zip(members, [*members[1:], members[0]], strict=True))


def test_a_test_cannot_need_itself() -> None:
    with pytest.raises(CycleError) as raised:
        DependencyGraph(3).add(1, 1)

    assert raised.value.members == [1]


def test_closure_and_reduction_leave_the_graph_as_it_was() -> None:
    graph = DependencyGraph(4, [(1, 0), (2, 1), (2, 0), (3, 2)])

    graph.closure()
    graph.reduction()

    assert list(graph.edges()) == [(1, 0), (2, 0), (2, 1), (3, 2)]


def test_an_empty_graph_is_acyclic_and_has_nothing_to_order() -> None:
    graph = DependencyGraph(0)

    assert graph.is_acyclic()
    assert graph.topological_order() == []


def test_two_thousand_tests_agree_with_networkx() -> None:
    chance = random.Random(7)
    size = 2000
    edges = sorted({(later, chance.randrange(later)) for later in range(1, size) for _ in range(4)})

    graph = DependencyGraph(size, edges)

    expected = nx.transitive_reduction(in_networkx(size, edges))
    assert set(graph.reduction().edges()) == set(expected.edges)
    assert all(set(positions(graph.closure().rows[node])) == nx.descendants(expected, node) for node in (0, 999, 1999))


def test_a_chain_of_two_thousand_needs_no_recursion() -> None:
    size = 2000
    graph = DependencyGraph(size, [(later - 1, later) for later in range(1, size)])

    assert graph.topological_order() == list(range(size - 1, -1, -1))
    assert graph.closure().rows[0].bit_count() == size - 1
