"""Graphviz DOT of the tests that take part in something."""

from collections.abc import Iterator

from unknot.model.knots import Conflict, Knots, Need
from unknot.model.suite import TestId
from unknot.report.roles import Roles
from unknot.report.shown import shown

_LOOKS = {
    "brittle": 'shape=box, color="#b45309"',
    "victim": 'shape=octagon, color="#b91c1c"',
    "brittle and victim": 'shape=doubleoctagon, color="#7e22ce"',
}
_OTHER = 'shape=ellipse, color="#475569"'


def to_dot(knots: Knots) -> str:
    """A digraph: a solid edge points from a dependent to what it needs, through a point where any one of several
    will do; a dashed red edge from a polluter to its victim, through a point where several break it together; a
    dotted edge from a cleaner to the victim it cleans. Kinds are told by shape and by label, not by colour alone.

    Deterministic. Cost: linear in the claims.
    """
    return "".join(f"{line}\n" for line in _lines(knots))


def quoted(text: str) -> str:
    """A DOT string that Graphviz shows as `shown` gives it: it would read backslashes as layout and entities as
    characters."""
    safe = shown(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{safe}"'


def _lines(knots: Knots) -> Iterator[str]:
    roles = Roles(knots)
    yield "digraph unknot {"
    yield '  charset="UTF-8"; rankdir=LR; node [fontname=monospace]; edge [fontname=monospace];'
    for test in roles.participants:
        kind = roles.parts(test)
        # The line break is Graphviz's own escape, so it goes in after the id has been escaped.
        label = f'"{kind}\\n{quoted(test)[1:]}'
        yield f"  {_node(knots, test)} [label={label}, {_LOOKS.get(kind, _OTHER)}];"
    for number, need in enumerate(knots.needs):
        yield from _need(knots, number, need)
    for number, conflict in enumerate(knots.conflicts):
        yield from _conflict(knots, number, conflict)
    for cleaner, victims in sorted(roles.cleans.items(), key=lambda item: knots.suite.index[item[0]]):
        for victim in victims:
            yield f'  {_node(knots, cleaner)} -> {_node(knots, victim)} [style=dotted, label="cleans"];'
    yield "}"


def _need(knots: Knots, number: int, need: Need) -> Iterator[str]:
    dependent = _node(knots, need.dependent)
    if len(need.any_of) == 1:
        label = "needs" if need.complete else "needs, or others"
        yield f'  {dependent} -> {_node(knots, need.any_of[0])} [label="{label}"];'
        return
    label = "needs any of" if need.complete else "needs any of, or others"
    yield f"  any{number} [shape=point];"
    yield f'  {dependent} -> any{number} [arrowhead=none, label="{label}"];'
    for option in need.any_of:
        yield f"  any{number} -> {_node(knots, option)};"


def _conflict(knots: Knots, number: int, conflict: Conflict) -> Iterator[str]:
    look = 'style=dashed, color=red, label="{}"'
    victim = _node(knots, conflict.victim)
    if len(conflict.polluters) == 1:
        yield f"  {_node(knots, conflict.polluters[0])} -> {victim} [{look.format('breaks')}];"
        return
    yield f"  all{number} [shape=point, color=red];"
    for polluter in conflict.polluters:
        yield f"  {_node(knots, polluter)} -> all{number} [style=dashed, color=red, arrowhead=none];"
    yield f"  all{number} -> {victim} [{look.format('break together')}];"


def _node(knots: Knots, test: TestId) -> str:
    """A name that needs no quoting: what ids may hold has no safe form as a node's name."""
    return f"t{knots.suite.index[test]}"
