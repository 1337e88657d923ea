"""What the shapes and lines of the drawing mean."""

from collections.abc import Iterator

from unknot.report.html.glyphs import glyph

_BOXES = (
    ("brittle", "brittle: pointed ends"),
    ("victim", "victim: round ends"),
    ("polluter", "polluter: cut corners"),
    ("cleaner", "cleaner: slanted"),
    ("setter", "setter: plain"),
    ("flaky", "flaky: broken outline"),
)
_LINES = (
    ("need", "needs: points at what must run before", ""),
    ("any", "needs any one of several", "any"),
    ("conflict", "breaks: points at the test that fails", ""),
    ("joint", "break it only together", "all"),
    ("cleans", "cleans for", ""),
)


def legend() -> Iterator[str]:
    yield '<ul class="legend" aria-label="Legend">'
    for part, said in _BOXES:
        yield f"<li>{glyph(part)}{said}</li>"
    for style, said, sign in _LINES:
        yield f"<li>{_line(style, sign)}{said}</li>"
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
