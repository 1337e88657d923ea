"""The data of the page's script: JSON that cannot close the script element around it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from unknot.model.cause import causes
from unknot.model.dependencies import Dependencies
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.commands import printable_command
from unknot.report.html.claims import graph_claims
from unknot.report.html.layers import Vertex
from unknot.report.html.packing import HEIGHT
from unknot.report.html.views import GraphView, graph_views
from unknot.report.relations import Relation, relations_of, verdict_labels
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.excerpts import CodeExcerpt, excerpt_lines
from unknot.report.wording import how_sure
from unknot.store.untried_text import ranges_of, runs_in


def to_spans(positions: Iterable[int]) -> str:
    """The positions in the given order, with ascending neighbours as a range. `model.js` parses it.

    >>> to_spans([4, 5, 6, 2, 9])
    '4-6 2 9'
    """
    found: list[list[int]] = []
    for position in positions:
        if found and position == found[-1][1] + 1:
            found[-1][1] = position
        else:
            found.append([position, position])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def bit_spans(bits: int) -> str:
    """The same for the positions in a bitset, or `x` and the bitset in hexadecimal if that is shorter. Cost: linear in
    its width for each range.

    >>> bit_spans(0b101 << 90), bit_spans(0x5555)
    ('90 92', 'x5555')
    """
    dense = f"x{bits:x}"
    # Each run of ones takes a digit and a blank at least.
    if 2 * runs_in(bits) > len(dense) + 1:
        return dense
    ranges = ranges_of(bits).replace(",", " ")
    return dense if len(dense) < len(ranges) else ranges


_USUAL = ("passes", "fails")
ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def page_data(report: Report) -> str:
    """The JSON. Guarantee: it contains no character that is special in HTML or in scripts, and every text of the suite
    in it is one printable line. Cost: linear in the suite, the claims and the proofs, plus that of `graph_views`."""
    return json.dumps(_document(report), ensure_ascii=False, separators=(",", ":")).translate(ESCAPES)


def _document(report: Report) -> dict[str, Any]:
    dependencies = report.dependencies
    roles = Roles(dependencies)
    at = dependencies.suite.index
    excerpts: dict[tuple[str, ...], int] = {}
    return {
        "tests": [shown(test) for test in dependencies.suite.tests],
        "parts": [
            sum(1 << bit for bit, tests in enumerate(roles.of_tests.values()) if test in tests)
            for test in dependencies.suite.tests
        ],
        "words": list(roles.of_tests),
        "outcomes": [dependencies.outcomes[test].value for test in dependencies.suite.tests],
        "seconds": [round(dependencies.seconds.get(test, 0.0), 4) for test in dependencies.suite.tests],
        "arguments": _arguments(dependencies.suite.tests),
        "invocation": printable_command(report.invocation, ()),
        "claims": [
            _claim(report, test, number, claim, excerpts)
            for test in roles.dependents
            for number, claim in enumerate(relations_of(dependencies, test))
        ],
        "excerpts": [list(lines) for lines in excerpts],
        "flaky": {at[test]: how_sure(dependencies, test) for test in dependencies.flaky},
        **_drawn(dependencies),
        "complete": dependencies.complete,
        "untried": _untried(dependencies),
    }


def _drawn(dependencies: Dependencies) -> dict[str, Any]:
    """The views. Boxes of tests have the test's position as their number; groups have higher ones."""
    known = causes(dependencies)
    claims = graph_claims(dependencies, known)
    at = dependencies.suite.index
    return {
        "height": HEIGHT,
        "views": [_view(view, at) for view in graph_views(dependencies, claims, known)],
    }


def _view(view: GraphView, at: Mapping[TestId, int]) -> dict[str, Any]:
    groups = {vertex: len(at) + place for place, vertex in enumerate(view.groups)}

    def number(vertex: Vertex) -> int:
        return groups[vertex] if vertex in groups else at[TestId(vertex)]

    layout = view.layout
    return {
        "title": shown(view.title),
        "kind": view.kind,
        "parent": view.parent,
        "groups": [
            {"name": shown(group.name), "tests": to_spans(at[test] for test in group.tests), "view": group.view}
            for group in view.groups.values()
        ],
        "spots": [[number(vertex), spot.x, spot.y, spot.width, spot.label] for vertex, spot in layout.spots.items()],
        "bends": [
            [number(first), number(second), [[spot.x, spot.y, spot.width] for spot in passed]]
            for (first, second), passed in layout.bends.items()
        ],
        "claims": to_spans(view.claims),
        "lines": [
            [number(first), number(second), needs, *([conflicts] if conflicts else [])]
            for first, second, needs, conflicts in view.lines
        ],
    }


def _claim(
    report: Report, test: TestId, number: int, claim: Relation, excerpts: dict[tuple[str, ...], int]
) -> dict[str, Any]:
    at = report.dependencies.suite.index

    def positions(order: Order) -> list[int]:
        return [at[other] for other in order]

    (proof,) = claim.proofs
    labels = verdict_labels(report.dependencies.outcomes[test])
    found = [_excerpt(excerpt) for excerpt in report.excerpts.get((test, number), ())]
    return {
        "test": at[test],
        "relation": claim.relation,
        "tests": positions(claim.tests),
        "proof": [to_spans(positions(proof.passes)), to_spans(positions(proof.fails))],
        **({"cleaners": positions(claim.cleaners)} if claim.cleaners else {}),
        **({} if claim.complete else {"more": True}),
        **({"why": [shown(why) for why in claim.why]} if claim.why else {}),
        **({"verdict_labels": labels} if labels != _USUAL else {}),
        **({"excerpts": [excerpts.setdefault(lines, len(excerpts)) for lines in found]} if found else {}),
    }


def _excerpt(excerpt: CodeExcerpt) -> tuple[str, ...]:
    """The label, the location and the lines."""
    return shown(excerpt.label), *(shown(line) for line in excerpt_lines(excerpt))


def _arguments(tests: Order) -> dict[int, str]:
    """Shell arguments of the tests whose id needs quoting."""
    written = {number: printable_command((), (test,)) for number, test in enumerate(tests)}
    return {number: text for number, text in written.items() if text != shown(tests[number])}


def _untried(dependencies: Dependencies) -> dict[str, Any]:
    """The number of untried pairs, and which they are for each test; no rows if that is unknown."""
    rows = {number: bit_spans(row) for number, row in enumerate(dependencies.untried_rows) if row}
    return {
        "count": dependencies.untried,
        "known": bool(dependencies.untried_rows) or not dependencies.untried,
        "rows": rows,
    }
