"""GraphML is read back by networkx, and says the same."""

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.knots import Knots
from unknot.model.sanitise import shown
from unknot.report.graph.graphml import to_graphml
from unknot.report.roles import Roles

Edge = tuple[str, str, str, str, str, bool]


def read(knots: Knots) -> "nx.MultiDiGraph[str]":
    return nx.parse_graphml(to_graphml(knots), force_multigraph=True)


def edges_read(knots: Knots) -> list[Edge]:
    return sorted(
        (start, end, data["relation"], data["group"], data.get("why", ""), data["complete"])
        for start, end, data in read(knots).edges(data=True)
    )


def edges_claimed(knots: Knots) -> list[Edge]:
    place = {test: f"t{number}" for test, number in knots.suite.index.items()}
    found: list[Edge] = []
    for number, need in enumerate(knots.needs):
        rest = ("needs", f"need {number}", "\n".join(map(shown, need.why)), need.complete)
        found += [(place[need.dependent], place[option], *rest) for option in need.any_of]
    for number, known in enumerate(knots.conflicts):
        group, why = f"conflict {number}", "\n".join(map(shown, known.why))
        for relation, others in (("breaks", known.polluters), ("cleans", known.cleaners)):
            found += [(place[other], place[known.victim], relation, group, why, known.complete) for other in others]
    return sorted(found)


@laws(40)
@given(data=st.data())
def test_no_edge_is_lost(data: st.DataObject, any_knots: st.SearchStrategy[Knots]) -> None:
    knots = data.draw(any_knots)
    assert edges_read(knots) == edges_claimed(knots)
    assert to_graphml(knots) == to_graphml(knots)


@laws(40)
@given(data=st.data())
def test_every_test_is_there_with_all_that_is_known_of_it(
    data: st.DataObject, any_knots: st.SearchStrategy[Knots]
) -> None:
    knots = data.draw(any_knots)
    nodes = read(knots).nodes
    assert list(nodes) == [f"t{number}" for number in range(len(knots.suite))]
    for number, test in enumerate(knots.suite.tests):
        node = nodes[f"t{number}"]
        assert node["label"] == shown(test)
        assert node.get("kind", "") == Roles(knots).kind(test)
        assert (node["outcome"], node["seconds"]) == (knots.outcomes[test].value, knots.seconds[test])
        assert node["flaky"] == (test in knots.flaky)


def test_roles_are_all_that_a_test_is(small: Knots) -> None:
    nodes = read(small).nodes
    assert nodes["t1"]["roles"] == "brittle, setter"
    assert nodes["t2"]["roles"] == "setter, polluter"
    assert nodes["t3"]["roles"] == "brittle and victim"
    assert nodes["t9"]["roles"] == "flaky"
    assert not nodes["t5"].get("roles")


def test_alternatives_and_those_who_break_together_have_a_group_of_their_own(small: Knots) -> None:
    found = edges_read(small)
    assert [(start, end) for start, end, _, group, *_ in found if group == "need 1"] == [("t3", "t1"), ("t3", "t2")]
    assert [(start, end) for start, end, _, group, *_ in found if group == "conflict 2"] == [("t7", "t3"), ("t8", "t3")]


def test_hostile_ids_are_text(hostile: Knots) -> None:
    assert "<script" not in to_graphml(hostile)
    assert edges_read(hostile) == edges_claimed(hostile)
