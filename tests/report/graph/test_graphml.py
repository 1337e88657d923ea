"""GraphML is read back by networkx, with the same content."""

import networkx as nx  # type: ignore[import-untyped, unused-ignore]
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Dependencies
from unknot.model.sanitise import shown
from unknot.report.graph.graphml import to_graphml
from unknot.report.reasons import sentences
from unknot.report.roles import Roles

Edge = tuple[str, str, str, str, str, bool]


def read(dependencies: Dependencies) -> "nx.MultiDiGraph[str]":
    return nx.parse_graphml(to_graphml(dependencies), force_multigraph=True)


def edges_read(dependencies: Dependencies) -> list[Edge]:
    return sorted(
        (start, end, data["relation"], data["group"], data.get("why", ""), data["complete"])
        for start, end, data in read(dependencies).edges(data=True)
    )


def edges_claimed(dependencies: Dependencies) -> list[Edge]:
    place = {test: f"t{number}" for test, number in dependencies.suite.index.items()}
    found: list[Edge] = []
    for number, need in enumerate(dependencies.needs):
        rest = ("needs", f"need {number}", "\n".join(map(shown, sentences(need.why))), need.complete)
        found += [(place[need.dependent], place[option], *rest) for option in need.any_of]
    for number, known in enumerate(dependencies.conflicts):
        group, why = f"conflict {number}", "\n".join(map(shown, sentences(known.why)))
        for relation, others in (("breaks", known.polluters), ("cleans", known.cleaners)):
            found += [(place[other], place[known.victim], relation, group, why, known.complete) for other in others]
    return sorted(found)


@laws(40)
@given(data=st.data())
def test_no_edge_is_lost(data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]) -> None:
    dependencies = data.draw(any_dependencies)
    assert edges_read(dependencies) == edges_claimed(dependencies)
    assert to_graphml(dependencies) == to_graphml(dependencies)


@laws(40)
@given(data=st.data())
def test_every_test_is_there_with_all_that_is_known_of_it(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    nodes = read(dependencies).nodes
    assert list(nodes) == [f"t{number}" for number in range(len(dependencies.suite))]
    for number, test in enumerate(dependencies.suite.tests):
        node = nodes[f"t{number}"]
        assert node["label"] == shown(test)
        assert node.get("kind", "") == Roles(dependencies).kind(test)
        assert (node["outcome"], node["seconds"]) == (dependencies.outcomes[test].value, dependencies.seconds[test])
        assert node["flaky"] == (test in dependencies.flaky)


def test_roles_are_all_that_a_test_is(small: Dependencies) -> None:
    nodes = read(small).nodes
    assert nodes["t1"]["roles"] == "brittle, setter"
    assert nodes["t2"]["roles"] == "setter, polluter"
    assert nodes["t3"]["roles"] == "brittle and victim"
    assert nodes["t9"]["roles"] == "flaky"
    assert not nodes["t5"].get("roles")


def test_alternatives_and_those_who_break_together_have_a_group_of_their_own(small: Dependencies) -> None:
    found = edges_read(small)
    assert [(start, end) for start, end, _, group, *_ in found if group == "need 1"] == [("t3", "t1"), ("t3", "t2")]
    assert [(start, end) for start, end, _, group, *_ in found if group == "conflict 2"] == [("t7", "t3"), ("t8", "t3")]


def test_hostile_ids_are_text(hostile: Dependencies) -> None:
    assert "<script" not in to_graphml(hostile)
    assert edges_read(hostile) == edges_claimed(hostile)
