"""Navigation graphs for programs that draw. One line for all transitions of an action between the same two pages."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.model.sanitise import shown
from unknot.report.graph.dot import quoted
from unknot.report.graph.mermaid import label


def navigation_dot(graph: NavigationGraph) -> str:
    """A digraph. The start has a double outline; a dashed line is an action with a guard. Deterministic."""
    lines = [
        "digraph navigation {",
        '  charset="UTF-8"; rankdir=LR; node [shape=box, fontname=monospace]; edge [fontname=monospace];',
    ]
    for number, page in enumerate(graph.pages):
        look = ", peripheries=2" if page == graph.start else ""
        lines.append(f"  p{number} [label={quoted(page)}{look}];")
    for source, target, words, is_guarded in _lines(graph):
        look = ", style=dashed" if is_guarded else ""
        lines.append(f"  p{source} -> p{target} [label={quoted(words)}{look}];")
    return "".join(f"{line}\n" for line in (*lines, "}"))


def navigation_mermaid(graph: NavigationGraph) -> str:
    """A flowchart. The start is rounded; a dotted line is an action with a guard. Deterministic."""
    lines = ["flowchart LR"]
    for number, page in enumerate(graph.pages):
        opening, closing = ('(["', '"])') if page == graph.start else ('["', '"]')
        lines.append(f"  p{number}{opening}{label(page)}{closing}")
    for source, target, words, is_guarded in _lines(graph):
        lines.append(f'  p{source} {"-.->" if is_guarded else "-->"}|"{label(words)}"| p{target}')
    return "".join(f"{line}\n" for line in lines)


def navigation_graphml(graph: NavigationGraph) -> str:
    """Every page is a node with `label` and `start`; every transition an edge with `action`, `parameters`, `guard` and
    `condition`. Well-formed XML 1.0 for any names. Deterministic."""
    return "".join(f"{line}\n" for line in _graphml(graph))


def signature(transition: Transition) -> str:
    """
    >>> signature(Transition("login", "A", "B"))
    'login()'
    """
    return f"{transition.action}({', '.join(each.name for each in transition.parameters)})"


PICTURES = {"dot": navigation_dot, "mermaid": navigation_mermaid, "graphml": navigation_graphml}
"""By the name of the format."""


def _lines(graph: NavigationGraph) -> Iterator[tuple[int, int, str, bool]]:
    place = {page: number for number, page in enumerate(graph.pages)}
    together: dict[tuple[int, int, str], bool] = {}
    for each in graph.transitions:
        key = (place[each.source], place[each.target], signature(each))
        together[key] = together.get(key, True) and bool(each.guard)
    for (source, target, words), is_guarded in together.items():
        yield source, target, words, is_guarded


_EDGE = ("action", "parameters", "guard", "condition")


def _graphml(graph: NavigationGraph) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield '  <key id="label" for="node" attr.name="label" attr.type="string"/>'
    yield '  <key id="start" for="node" attr.name="start" attr.type="boolean"/>'
    for name in _EDGE:
        yield f'  <key id="{name}" for="edge" attr.name="{name}" attr.type="string"/>'
    yield '  <graph id="navigation" edgedefault="directed">'
    place = {page: number for number, page in enumerate(graph.pages)}
    for page, number in place.items():
        start = "true" if page == graph.start else "false"
        yield f'    <node id="p{number}">{_data("label", page)}<data key="start">{start}</data></node>'
    for number, each in enumerate(graph.transitions):
        values = (each.action, ", ".join(part.name for part in each.parameters), each.guard, each.condition)
        data = "".join(map(_data, _EDGE, values))
        ends = f'source="p{place[each.source]}" target="p{place[each.target]}"'
        yield f'    <edge id="e{number}" {ends}>{data}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(shown(text))}</data>'
