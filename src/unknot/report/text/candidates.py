"""Candidates, for a person and for programs."""

from typing import Any

from rich.text import Text

from unknot.model.candidates import Candidate, Candidates
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_MOST_REASONS = 3


def candidates_text(suspects: Candidates, configuration: str) -> Text:
    """First how many, then by dependent whom it may need, and why; the notes last."""
    lines = Lines()
    tests = suspects.suite.tests
    possible = len(tests) * (len(tests) - 1) // 2
    filtered = suspects.extracted - len(suspects.edges)
    lines.line(
        f"{counted(len(suspects.edges), 'pair')} of {possible:,} suspected by {configuration}, nothing tried yet"
        + (f" ({suspects.extracted:,} before the filter, {filtered:,} dropped by it)" if filtered else ""),
        "bold",
    )
    by_dependent: dict[int, list[Candidate]] = {}
    for edge in suspects.edges:
        by_dependent.setdefault(edge.dependent, []).append(edge)
    for dependent, edges in by_dependent.items():
        lines.line()
        lines.line(tests[dependent], "bold")
        for edge in edges:
            lines.field("may need", [tests[edge.prerequisite]])
            lines.field("  because", _told(edge)[:_MOST_REASONS])
    if suspects.notes:
        lines.line()
    for note in suspects.notes:
        lines.line(f"note: {note}")
    return lines.text


def candidates_json(suspects: Candidates, configuration: str) -> dict[str, Any]:
    """`edges` are [dependent, prerequisite, [strings]], both as positions in `order`; `reasons` stand beside them."""
    return {
        "configuration": configuration,
        "order": list(suspects.suite.tests),
        "extracted": suspects.extracted,
        "edges": [[edge.dependent, edge.prerequisite, list(edge.strings)] for edge in suspects.edges],
        "reasons": [list(_told(edge)) for edge in suspects.edges],
        "notes": list(suspects.notes),
    }


def _told(edge: Candidate) -> tuple[str, ...]:
    return (*edge.reasons, *edge.gaps)
