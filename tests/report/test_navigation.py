"""Navigation graphs as text, data and pictures, with names that try to break out."""

import xml.etree.ElementTree

import networkx as nx  # type: ignore[import-untyped, unused-ignore]

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.report.navigation.navigation_json import navigation_json
from unknot.report.navigation.navigation_text import navigation_text
from unknot.report.navigation.pictures import navigation_dot, navigation_graphml, navigation_mermaid

HOSTILE = 'x"]; <b>&\x1b[31m\u202e'
GRAPH = NavigationGraph(
    "Home",
    ("Home", HOSTILE, "Alone"),
    (
        Transition("log_in", "Home", HOSTILE, (Parameter("name", "str"),), "name in self.names", "not self.problem"),
        Transition("log_in", "Home", HOSTILE, (Parameter("name", "str"),), "name in self.names"),
        Transition("leave", HOSTILE, "Home"),
    ),
)


def test_text_lists_each_page_with_where_its_actions_lead() -> None:
    text = navigation_text(GRAPH).plain
    assert text.splitlines()[0] == "3 pages, 3 transitions, 2 with a guard"
    assert "log_in(name)  → " in text
    assert "(needs name in self.names, if not self.problem)" in text
    assert "Alone (not reached from the start)" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_json_has_all_that_the_graph_has() -> None:
    document = navigation_json(GRAPH)
    assert document["pages"] == list(GRAPH.pages)
    assert document["transitions"] == [
        {
            "action": "log_in",
            "source": "Home",
            "target": HOSTILE,
            "parameters": [{"name": "name", "type": "str"}],
            "guard": "name in self.names",
            "condition": "not self.problem",
        },
        {
            "action": "log_in",
            "source": "Home",
            "target": HOSTILE,
            "parameters": [{"name": "name", "type": "str"}],
            "guard": "name in self.names",
        },
        {"action": "leave", "source": HOSTILE, "target": "Home", "parameters": []},
    ]


def test_graphml_is_read_by_networkx() -> None:
    text = navigation_graphml(GRAPH)
    xml.etree.ElementTree.fromstring(text)
    graph = nx.parse_graphml(text, force_multigraph=True)
    assert graph.number_of_edges() == 3
    assert graph.nodes["p0"] == {"label": "Home", "start": True}


def test_pictures_have_one_line_for_equal_transitions_and_no_open_quotes() -> None:
    dot, mermaid = navigation_dot(GRAPH), navigation_mermaid(GRAPH)
    assert dot.count("->") == 2
    assert 'p0 -> p1 [label="log_in(name)", style=dashed];' in dot
    assert mermaid.count("-.->") == 1
    assert "<b>" not in mermaid
    assert "\x1b" not in dot + mermaid
