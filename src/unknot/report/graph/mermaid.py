"""A Mermaid flowchart of the tests with dependencies."""

import re
from dataclasses import dataclass

from unknot.model.dependencies import Dependencies
from unknot.model.sanitise import shown
from unknot.report.graph.elements import BREAKS, CLEANS, NEEDS, Junction, Line, Node, graph_elements

MOST_EDGES = 500
MOST_CHARACTERS = 50_000
"""Mermaid's default limits (`maxEdges` and `maxTextSize`)."""

_SHAPES = {
    "brittle": ('["', '"]'),
    "victim": ('{{"', '"}}'),
    "brittle and victim": ('[["', '"]]'),
    "": ('(["', '"])'),
}
_FLAKY_ONLY = ('[/"', '"/]')
_STROKES = {NEEDS: ("-->", "---"), BREAKS: ("-.->", "-.-"), CLEANS: ("-.->", "-.-")}
_LINK_STYLES = {BREAKS: "stroke:#dc2626,stroke-dasharray:6 4", CLEANS: "stroke-dasharray:2 4"}

_PLAIN = frozenset(" .,/:_-")
_READ_TWICE = re.compile(r"\\(?=n)|\$(?=\$)|:(?=fa-)|[ﬂ¶]")
"""Mermaid interprets these after it has decoded the characters: line breaks, formulas, icons, and its own markers. An
invisible character after each of them prevents that."""

_INVISIBLE = "\u200b"


@dataclass(frozen=True)
class Flowchart:
    """`too_large` says why Mermaid refuses to draw it with default settings; empty if it does draw it."""

    text: str
    too_large: str = ""


def to_mermaid(dependencies: Dependencies) -> Flowchart:
    """Solid arrows lead from a dependent to what it needs, through a small circle if any one of several is enough;
    dashed red ones from a polluter to its victim, through a circle if several break it together; dotted ones from a
    cleaner to the victim. Shape and label show the kind; the outline of a flaky test is dashed.

    Guarantee: Mermaid shows any id as text, as `shown` returns it. Deterministic. Cost: linear in the
    claims.
    """
    lines: list[Line] = []
    statements: list[str] = []
    flaky: list[str] = []
    for element in graph_elements(dependencies):
        match element:
            case Node():
                statements.append(_node(element))
                if element.is_flaky:
                    flaky.append(element.name)
            case Junction():
                statements.append(f'{element.name}((" "))')
            case Line():
                statements.append(_edge(element))
                lines.append(element)
    if flaky:
        statements.append("classDef flaky stroke-dasharray:4 3")
        statements.append(f"class {','.join(flaky)} flaky")
    for relation, style in _LINK_STYLES.items():
        numbers = [str(number) for number, line in enumerate(lines) if line.relation == relation]
        if numbers:
            statements.append(f"linkStyle {','.join(numbers)} {style}")
    body = "".join(f"  {statement}\n" for statement in statements)
    too_large = _too_large(len(body), len(lines))
    comment = f"  %% {too_large}\n" if too_large else ""
    return Flowchart(f"flowchart LR\n{comment}{body}", too_large)


def label(text: str) -> str:
    """The text as a quoted label: letters and digits as they are, most other characters by number, because Mermaid
    reads labels as HTML and some as Markdown. Where that is not enough, an invisible character is added.

    >>> label('a[<b>"#1"]')
    'a#91;#60;b#62;#34;#35;1#34;#93;'
    """
    return "".join(
        char if char.isalnum() or char in _PLAIN else f"#{ord(char)};"
        for char in _READ_TWICE.sub(rf"\g<0>{_INVISIBLE}", shown(text))
    )


def _node(node: Node) -> str:
    opening, closing = _FLAKY_ONLY if node.words == "flaky" else _SHAPES[node.kind]
    return f"{node.name}{opening}{node.words}<br/>{label(node.test)}{closing}"


def _edge(line: Line) -> str:
    arrow = _STROKES[line.relation][0 if line.has_head else 1]
    words = f'|"{line.label}"|' if line.label else ""
    return f"{line.start} {arrow}{words} {line.end}"


def _too_large(characters: int, edges: int) -> str:
    over = [
        f"{count:,} {what}, and Mermaid draws at most {most:,} unless {setting} is set higher"
        for count, what, most, setting in (
            (edges, "edges", MOST_EDGES, "maxEdges"),
            (characters, "characters", MOST_CHARACTERS, "maxTextSize"),
        )
        if count > most
    ]
    return "; ".join(over)
