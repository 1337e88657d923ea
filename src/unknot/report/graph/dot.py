"""Graphviz DOT of the tests with dependencies."""

from unknot.model.dependencies import Dependencies
from unknot.model.sanitise import shown
from unknot.report.graph.elements import BREAKS, CLEANS, NEEDS, Element, Junction, Line, Node, graph_elements

_LOOKS = {
    "brittle": 'shape=box, color="#b45309"',
    "victim": 'shape=octagon, color="#b91c1c"',
    "brittle and victim": 'shape=doubleoctagon, color="#7e22ce"',
}
_FLAKY = 'shape=hexagon, color="#0f766e"'
_OTHER = 'shape=ellipse, color="#475569"'
_STROKES = {NEEDS: (), BREAKS: ("style=dashed", "color=red"), CLEANS: ("style=dotted",)}


def to_dot(dependencies: Dependencies) -> str:
    """A digraph: a solid edge points from a dependent to what it needs, through a point if any one of several
    is enough; a dashed red edge from a polluter to its victim, through a point if several break it together; a
    dotted edge from a cleaner to the victim it cleans. Shape and label show the kind, not colour alone; the
    outline of a flaky test is dashed.

    Deterministic. Cost: linear in the claims.
    """
    lines = [
        "digraph unknot {",
        '  charset="UTF-8"; rankdir=LR; node [fontname=monospace]; edge [fontname=monospace];',
        *(f"  {_statement(element)}" for element in graph_elements(dependencies)),
        "}",
    ]
    return "".join(f"{line}\n" for line in lines)


def quoted(text: str) -> str:
    """A DOT string that Graphviz displays as `shown` returns it: backslashes and entities are escaped."""
    safe = shown(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{safe}"'


def _statement(element: Element) -> str:
    match element:
        case Node():
            return _node(element)
        case Junction():
            colour = ", color=red" if element.relation == BREAKS else ""
            return f"{element.name} [shape=point{colour}];"
        case Line():
            return _edge(element)


def _node(node: Node) -> str:
    # The line break is a Graphviz escape, so it is added after the id is escaped.
    label = f'"{node.words}\\n{quoted(node.test)[1:]}'
    look = _LOOKS.get(node.kind) or (_FLAKY if node.words == "flaky" else _OTHER)
    return f"{node.name} [label={label}, {look}{', style=dashed' if node.is_flaky else ''}];"


def _edge(line: Line) -> str:
    looks = [*_STROKES[line.relation]]
    if not line.has_head:
        looks.append("arrowhead=none")
    if line.label:
        looks.append(f'label="{line.label}"')
    attributes = f" [{', '.join(looks)}]" if looks else ""
    return f"{line.start} -> {line.end}{attributes};"
