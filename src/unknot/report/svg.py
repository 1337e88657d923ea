"""The layered drawing of the graph, as SVG to stand inside a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from rich.cells import cell_len

from unknot.model.knots import Knots
from unknot.model.suite import TestId
from unknot.report.layers import Place, layered, places
from unknot.report.roles import Roles
from unknot.report.shown import shown

_CHARACTER, _HEIGHT, _GAP, _BETWEEN, _MARGIN = 7.3, 36, 14, 110, 16
_MOST = 44
_CORNERS = {"brittle": 0, "victim": 18, "brittle and victim": 9}


def to_svg(knots: Knots) -> str:
    """The drawing, with an anchor link from each test that depends on others to its row in the page, and every id in
    full as a title. Kinds are told by word and by shape, lines by dashes and by title, not by colour alone. Empty if
    no test takes part in anything. Cost: linear in the claims, but for sorting."""
    columns = layered(knots)
    if not columns:
        return ""
    widths = [max(_width(test) for test in column) for column in columns]
    starts = [_MARGIN + sum(widths[:number]) + _BETWEEN * number for number in range(len(columns))]
    drawing = _Drawing(knots, Roles(knots), places(columns), widths, starts)
    width = starts[-1] + widths[-1] + _MARGIN
    height = 2 * _MARGIN + max(len(column) for column in columns) * (_HEIGHT + _GAP) - _GAP
    return "\n".join(
        [
            f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            'aria-label="Graph of the tests that depend on each other">',
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"></path></marker></defs>',
            *drawing.edges(),
            *drawing.nodes(),
            "</svg>",
        ]
    )


@dataclass(frozen=True)
class _Drawing:
    knots: Knots
    roles: Roles
    places: dict[TestId, Place]
    widths: list[int]
    starts: list[int]

    def nodes(self) -> Iterator[str]:
        for test, place in self.places.items():
            x, y, width = self.starts[place.column], self._top(place), self.widths[place.column]
            parts, kind = self.roles.parts(test), self.roles.kind(test)
            style = kind.replace(" and ", " ") or "other"
            box = (
                f'<g class="node {style}"><title>{escape(f"{shown(test)} ({parts})")}</title>'
                f'<rect x="{x}" y="{y}" width="{width}" height="{_HEIGHT}" rx="{_CORNERS.get(kind, 4)}"></rect>'
                f'<text class="part" x="{x + 14}" y="{y + 14}">{parts}</text>'
                f'<text x="{x + 14}" y="{y + 29}">{escape(_label(test))}</text></g>'
            )
            yield f'<a href="#t{self.knots.suite.index[test]}">{box}</a>' if kind else box

    def edges(self) -> Iterator[str]:
        for need in self.knots.needs:
            several = len(need.any_of) > 1
            for option in need.any_of:
                style = "any" if several else "need"
                said = f"{shown(need.dependent)} needs {'any of several, one is ' if several else ''}{shown(option)}"
                yield self._edge(need.dependent, option, style, said)
        for conflict in self.knots.conflicts:
            together = ", with others," if len(conflict.polluters) > 1 else ""
            for polluter in conflict.polluters:
                said = f"{shown(polluter)}{together} breaks {shown(conflict.victim)}"
                yield self._edge(polluter, conflict.victim, "conflict", said)
        for cleaner, victims in self.roles.cleans.items():
            for victim in victims:
                yield self._edge(cleaner, victim, "cleans", f"{shown(cleaner)} cleans for {shown(victim)}")

    def _edge(self, tail: TestId, head: TestId, style: str, said: str) -> str:
        here, there = self.places[tail], self.places[head]
        forward = here.column < there.column
        x1 = self.starts[here.column] + (self.widths[here.column] if forward else 0)
        x2 = self.starts[there.column] + (0 if forward else self.widths[there.column])
        y1, y2 = self._top(here) + _HEIGHT // 2, self._top(there) + _HEIGHT // 2
        bend = _BETWEEN // 2 if forward else -_BETWEEN // 2
        return (
            f'<path class="{style}" marker-end="url(#arrow)" '
            f'd="M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"><title>{escape(said)}</title></path>'
        )

    def _top(self, place: Place) -> int:
        return _MARGIN + place.row * (_HEIGHT + _GAP)


def _label(test: TestId) -> str:
    """The end of the id, which tells tests of one file apart; the title has it whole."""
    text = shown(test)
    return text if len(text) <= _MOST else "\u2026" + text[1 - _MOST :]


def _width(test: TestId) -> int:
    return 28 + int(_CHARACTER * max(cell_len(_label(test)), len("brittle and victim")))
