"""What was found, and how the search went; and the legend of the graph."""

from collections.abc import Iterator

from unknot.model.dependencies import Dependencies
from unknot.report.html.style import facts
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.wording import cost_words, counted, suspicion_words, when_failing_words

_BOXES = ("brittle", "victim", "polluter", "cleaner", "setter", "flaky")
_LINES = (
    ("need", "is needed by: from the setter to the test that needs it", ""),
    ("any", "any one of several is enough", "any"),
    ("conflict", "breaks: from the polluter to the victim", ""),
    ("joint", "breaks only together", "all"),
    ("cleans", "cleans for: from the cleaner to the victim", ""),
)


def legend() -> Iterator[str]:
    yield '<ul class="legend" aria-label="Legend">'
    for part in _BOXES:
        yield f"<li>{glyph(part)}{part}: {_MEANING[part]}</li>"
    for style, meaning, sign in _LINES:
        yield f"<li>{_line(style, sign)}{meaning}</li>"
    yield "</ul>"


def _line(style: str, sign: str) -> str:
    middle = (
        f'<rect x="1" y="1.5" width="26" height="15" rx="{8 if sign == "any" else 2}"></rect>'
        f'<text x="14" y="12.3">{sign}</text>'
        if sign
        else ""
    )
    return (
        f'<svg class="line {style}" viewBox="0 0 60 18" width="60" height="18" aria-hidden="true">'
        f'<path class="{style}" d="M{27 if sign else 2} 9H52"></path><path class="head" d="M52 5L60 9L52 13Z"></path>'
        f"{middle}</svg>"
    )


_SHAPES = {
    "brittle": "M5 3H15L19 10L15 17H5L1 10Z",
    "victim": "M10 2A8 8 0 1 1 10 18A8 8 0 1 1 10 2Z",
    "setter": "M3 3H17V17H3Z",
    "polluter": "M6.5 2H13.5L18 6.5V13.5L13.5 18H6.5L2 13.5V6.5Z M6.5 6.5L13.5 13.5M13.5 6.5L6.5 13.5",
    "cleaner": "M6 3H19L14 17H1Z",
    "flaky": "M3 3H17V17H3Z",
    "not passing": "M4 4L16 16M16 4L4 16",
}


def glyph(part: str) -> str:
    """Inline SVG, hidden from screen readers: the word is always beside it."""
    look = part.replace(" ", "-")
    return (
        f'<svg class="glyph {look}" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">'
        f'<path d="{_SHAPES[part]}"></path></svg>'
    )


_MEANING = {
    "brittle": "fails alone, passes after a setter",
    "victim": "passes alone, fails after a polluter",
    "setter": "needed by other tests",
    "polluter": "breaks other tests",
    "cleaner": "undoes the effect of a polluter",
    "flaky": "different outcomes in the same order",
    "not passing": "in suite order",
}
_PLURALS = {"victim": "victims", "setter": "setters", "polluter": "polluters", "cleaner": "cleaners"}


_MOST = 5
"""So many tests that are suspected, and tests that others break if they fail."""


def overview(report: Report) -> Iterator[str]:
    """The numbers, and what a reader must know before using them."""
    roles = Roles(report.dependencies)
    yield '<ul class="tiles">'
    for part in _MEANING:
        count = len(roles.of_tests[part])
        name = part if count == 1 else _PLURALS.get(part, part)
        look = part.replace(" ", "-")
        yield (
            f'<li class="tile {look}{"" if count else " none"}">{glyph(part)}<span class="count">{count:,}</span>'
            f' <span class="name">{name}</span></li>'
        )
    yield "</ul>"
    dependencies = report.dependencies
    warnings = (
        *([] if dependencies.complete else [("Search", _UNFINISHED)]),
        *_when_failing(dependencies),
        *(("Suspected", f"{words}: {', '.join(tests[:_MOST])}") for words, tests in suspicion_words(dependencies)),
        *(("Note", note) for note in (report.not_restored, *report.notes) if note),
    )
    if warnings:
        yield from facts(*warnings)


_UNFINISHED = "unfinished: everything listed is proven, but there may be more"


def search_section(report: Report) -> Iterator[str]:
    """How the result was found."""
    dependencies, cost = report.dependencies, report.dependencies.cost
    yield '<section id="search" aria-labelledby="search-h"><h2 id="search-h">Search</h2>'
    yield from facts(
        ("Search", "complete" if dependencies.complete else _UNFINISHED),
        ("Untried", f"{counted(dependencies.untried, 'pair')} of tests"),
        *([("Cost", cost_words(cost))] if cost.is_known else []),
        *([("Chosen", cost.choice)] if cost.choice else []),
        *([("Lock file", report.lock)] if report.lock else []),
    )
    yield "</section>"


def _when_failing(dependencies: Dependencies) -> Iterator[tuple[str, str]]:
    conflicts = dependencies.conflicts_when_failing
    if conflicts:
        pairs = ", ".join(f"{one.victim} after {one.polluters[0]}" for one in conflicts[:_MOST])
        yield "If they fail", f"{when_failing_words(dependencies)}: {pairs}"
