"""Candidates, for a person and for programs."""

from typing import Any

from rich.text import Text

from unknot.model.candidates import Candidate, Candidates
from unknot.report.reasons import sentences
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_MOST_REASONS = 3


def candidates_text(candidates: Candidates, configuration: str) -> Text:
    """The number of candidates, then each test with what it may need and why, then the notes."""
    lines = Lines()
    tests = candidates.suite.tests
    possible = len(tests) * (len(tests) - 1) // 2
    filtered = candidates.extracted - len(candidates.edges)
    verb = "is a candidate" if len(candidates.edges) == 1 else "are candidates"
    lines.line(
        f"{len(candidates.edges):,} of {counted(possible, 'pair')} {verb} ({configuration}); none has been tried yet"
        + (f" ({candidates.extracted:,} before filtering, {filtered:,} filtered out)" if filtered else ""),
        "bold",
    )
    by_dependent: dict[int, list[Candidate]] = {}
    for edge in candidates.edges:
        by_dependent.setdefault(edge.dependent, []).append(edge)
    for dependent, edges in by_dependent.items():
        lines.line()
        lines.line(tests[dependent], "bold")
        for edge in edges:
            lines.field("may need", [tests[edge.prerequisite]])
            lines.field("  because", _reasons(edge)[:_MOST_REASONS])
    if candidates.notes:
        lines.line()
    for note in candidates.notes:
        lines.line(f"note: {note}")
    return lines.text


def candidates_json(candidates: Candidates, configuration: str) -> dict[str, Any]:
    """`edges` are [dependent, prerequisite, [strings]], both as positions in `order`; `reasons` stand beside them."""
    return {
        "configuration": configuration,
        "order": list(candidates.suite.tests),
        "extracted": candidates.extracted,
        "edges": [[edge.dependent, edge.prerequisite, list(edge.strings)] for edge in candidates.edges],
        "reasons": [list(_reasons(edge)) for edge in candidates.edges],
        "notes": list(candidates.notes),
    }


def _reasons(edge: Candidate) -> tuple[str, ...]:
    return (*sentences(edge.reasons), *edge.gaps)
