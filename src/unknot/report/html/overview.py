"""The first thing that is read: what was found, how sure it is, and what it cost."""

from collections.abc import Iterator
from html import escape

from unknot.model.sanitise import shown
from unknot.report.headline import counted
from unknot.report.html.glyphs import glyph
from unknot.report.html.parts_of import PartsOf
from unknot.report.report import Report

_MEANING = {
    "brittle": "fail alone, pass after a test that they need",
    "victim": "pass alone, fail after a test that breaks them",
    "setter": "are needed by others",
    "polluter": "break others",
    "cleaner": "undo what a polluter did",
    "flaky": "differ when the same order is run again",
    "not passing": "in the suite\u2019s own order",
}
_PLURALS = {"victim": "victims", "setter": "setters", "polluter": "polluters", "cleaner": "cleaners"}


def overview(report: Report) -> Iterator[str]:
    parts = PartsOf(report.dependencies)
    yield '<ul class="tiles">'
    for part, meaning in _MEANING.items():
        count = parts.count(part)
        name = part if count == 1 else _PLURALS.get(part, part)
        look = part.replace(" ", "-")
        yield (
            f'<li class="tile {look}{"" if count else " none"}">{glyph(part)}<span class="count">{count:,}</span>'
            f'<span class="name">{name}</span><span class="dim">{meaning}</span></li>'
        )
    yield "</ul>"
    yield from _facts(report)


def _facts(report: Report) -> Iterator[str]:
    dependencies, cost = report.dependencies, report.dependencies.cost
    runs = f"{counted(cost.orders, 'order')}, {counted(cost.tests, 'test run')}"
    facts = [
        ("Search", "complete" if dependencies.complete else "unfinished: what is listed is proven, more may exist"),
        ("Untried", f"{counted(dependencies.untried, 'pair')} of tests"),
        ("Cost", f"{runs}, {cost.seconds:,.1f} s ({cost.algorithm})"),
        *([("Chosen", cost.choice)] if cost.choice else []),
        *([("Lock file", report.lock)] if report.lock else []),
        *(("Note", note) for note in report.notes),
    ]
    yield '<dl class="facts">'
    yield from (f"<div><dt>{name}</dt><dd>{escape(shown(fact))}</dd></div>" for name, fact in facts)
    yield "</dl>"
