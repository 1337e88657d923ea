"""GraphML of the whole suite, for networkx, Gephi, yEd and similar tools."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.report.graph.elements import node_name
from unknot.report.reasons import sentences
from unknot.report.roles import Roles

Values = dict[str, str | float | bool]

_NODE = {
    "label": "string",
    "kind": "string",
    "roles": "string",
    "outcome": "string",
    "seconds": "double",
    "flaky": "boolean",
}
_EDGE = {"relation": "string", "group": "string", "why": "string", "complete": "boolean"}


def to_graphml(dependencies: Dependencies) -> str:
    """A directed graph. Every test is a node; `label` is its id, `kind` its kind as a dependent, `roles` all its
    roles. An edge with the relation `needs` leads from a dependent to a prerequisite, with `breaks` and `cleans` from a
    polluter or a cleaner to the victim. All edges of one claim have the same `group`: any
    one of several prerequisites is enough, and several polluters act together. `why` has one reason per line.

    Guarantee: well-formed XML 1.0 for any id; ids are written as `shown` returns them. Deterministic.
    Cost: linear in the tests and the claims.
    """
    return "".join(f"{line}\n" for line in _lines(dependencies))


def _lines(dependencies: Dependencies) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for kind, keys in (("node", _NODE), ("edge", _EDGE)):
        for name, type_ in keys.items():
            yield f'  <key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>'
    yield '  <graph id="unknot" edgedefault="directed">'
    roles = Roles(dependencies)
    for test in dependencies.suite.tests:
        data = _data("node", _node(roles, test))
        yield f'    <node id="{node_name(dependencies, test)}">{data}</node>'
    for number, (source, target, values) in enumerate(_edges(dependencies)):
        ends = f'source="{node_name(dependencies, source)}" target="{node_name(dependencies, target)}"'
        yield f'    <edge id="e{number}" {ends}>{_data("edge", values)}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def _node(roles: Roles, test: TestId) -> Values:
    dependencies, kind = roles.dependencies, roles.kind(test)
    words = [*([kind] if kind else []), *roles.among(test, "setter", "polluter", "cleaner", "flaky")]
    return {
        "label": shown(test),
        "kind": kind,
        "roles": ", ".join(words),
        "outcome": dependencies.outcomes.get(test, Outcome.NOT_RUN).value,
        "seconds": float(dependencies.seconds.get(test, 0.0)),
        "flaky": "flaky" in words,
    }


def _edges(dependencies: Dependencies) -> Iterator[tuple[TestId, TestId, Values]]:
    for number, need in enumerate(dependencies.needs):
        for option in need.any_of:
            yield need.dependent, option, _edge("needs", f"need {number}", need)
    for number, conflict in enumerate(dependencies.conflicts):
        for polluter in conflict.polluters:
            yield polluter, conflict.victim, _edge("breaks", f"conflict {number}", conflict)
        for cleaner in conflict.cleaners:
            yield cleaner, conflict.victim, _edge("cleans", f"conflict {number}", conflict)


def _edge(relation: str, group: str, claim: Need | Conflict) -> Values:
    why = "\n".join(map(shown, sentences(claim.why)))
    return {"relation": relation, "group": group, "why": why, "complete": claim.complete}


def _data(kind: str, values: Values) -> str:
    return "".join(f'<data key="{kind}_{name}">{_text(value)}</data>' for name, value in values.items())


def _text(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return escape(value)
