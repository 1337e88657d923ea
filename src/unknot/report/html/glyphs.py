"""The sign of each part that a test plays: a shape of its own, so that colour is not needed. `shapes.js` draws the same
shapes as boxes."""

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
    """As SVG to stand inside a line of text; whoever cannot see it reads the word beside it."""
    look = part.replace(" ", "-")
    return (
        f'<svg class="glyph {look}" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">'
        f'<path d="{_SHAPES[part]}"></path></svg>'
    )
