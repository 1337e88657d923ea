"""The lanes of a plan over time, as SVG to embed in a page."""

import math
from collections.abc import Iterator
from html import escape

from rich.cells import cell_len

from unknot.model.plan import Timeline, TimelineItem
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.report.html.style import fitted_name
from unknot.report.plan.plan_report import lane_ends, repetitions
from unknot.report.wording import counted, duration

_STEPS = (1, 2, 5)
_MOST = 12
_LEAST = 1e-9
"""Seconds. A shorter timeline has no axis."""


def ticks(until: float) -> list[tuple[float, str]]:
    """At most a dozen ticks from 0 to `until` at round intervals, each with its label.

    >>> [label for _, label in ticks(0.7)]
    ['0', '0.1 s', '0.2 s', '0.3 s', '0.4 s', '0.5 s', '0.6 s', '0.7 s']
    """
    if until < _LEAST:
        return [(0.0, "0")]
    step = _step(until)
    digits = max(0, -math.floor(math.log10(step)))
    moments = [round(number * step, digits) for number in range(int(until / step * (1 + 1e-9)) + 1)]
    return [(moment, f"{moment:,.{digits}f} s" if moment else "0") for moment in moments]


def _step(until: float) -> float:
    """The smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that gives few enough ticks."""
    power = 10.0 ** math.floor(math.log10(until / _MOST))
    steps = [factor * power for factor in (*_STEPS, 10)]
    return next(step for step in steps if until / step <= _MOST)


_PLOT, _LEFT, _RIGHT, _TOP, _BOTTOM = 1080, 150, 16, 30, 26
_ROW, _BAR = 26, 20
_CHARACTER, _PADDING = 6.7, 5
_LEAST_LABEL = 5
_NARROW = 2.0
"""Pixels. Narrower boxes are drawn as one, because they are too small to hover over."""
_TOGETHER = 10.0
"""Pixels. The maximum width of such a box, so that its title still says where it is."""

PATTERNS = (
    '<svg width="0" height="0" aria-hidden="true"><defs><pattern id="again" width="6" height="6" '
    'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" width="6" height="6"></rect>'
    '<rect class="stripe" width="2.5" height="6"></rect></pattern></defs></svg>'
)
"""Occurs once in a page with charts."""


def to_gantt(timeline: Timeline, label: str, *, until: float = 0.0, bound: float | None = None) -> str:
    """One row per lane, and a line at `bound`, before which no plan can end. The axis ends at `until` or at the end of
    the last lane, whichever is later, so that two charts can share a scale. Empty if there are no lanes.

    A repeated run is striped and its title says so; a bad outcome is framed and named; the lane that ends last is
    marked. Boxes too narrow to hover over share one box and one title. Cost: linear in the slots; the number of
    elements is bounded by the width in pixels.
    """
    if not timeline:
        return ""
    drawing = _Drawing(timeline, max(until, *lane_ends(timeline)), bound)
    width, height = _LEFT + _PLOT + _RIGHT, _TOP + _ROW * len(timeline) + _BOTTOM
    return "\n".join(
        [
            f'<svg class="gantt" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-label="{escape(shown(label))}">',
            *drawing.axis(height - _BOTTOM),
            *drawing.lanes(),
            *drawing.bound_line(height - _BOTTOM),
            "</svg>",
        ]
    )


class _Drawing:
    def __init__(self, timeline: Timeline, until: float, bound: float | None) -> None:
        self._timeline = timeline
        self._until = until
        self._bound = bound
        self._again = repetitions(timeline)
        self._ends = lane_ends(timeline)

    def axis(self, bottom: int) -> Iterator[str]:
        for moment, label in ticks(self._until):
            x = self._x(moment)
            yield f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{bottom}"></line>'
            yield f'<text class="tick" x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{label}</text>'

    def lanes(self) -> Iterator[str]:
        last = max(self._ends)
        for number, lane in enumerate(self._timeline):
            top = _TOP + _ROW * number
            end = self._ends[number]
            is_last = end == last and len(self._timeline) > 1
            title = f"lane {number + 1}: {counted(len(lane), 'test')}, {duration(end)}"
            title += ", ends last" if is_last else ""
            yield f'<g class="lane{" longest" if is_last else ""}"><title>{title}</title>'
            yield f'<rect class="track" x="{_LEFT}" y="{top}" width="{_PLOT}" height="{_BAR}"></rect>'
            mark = "▸ " if is_last else ""
            yield f'<text x="{_LEFT - 8}" y="{top + 14}" text-anchor="end">{mark}{number + 1} · {duration(end)}</text>'
            for group in self._groups(number, lane):
                yield self._box(group, number, top)
            yield "</g>"

    def bound_line(self, bottom: int) -> Iterator[str]:
        if self._bound is None or not self._until:
            return
        x = self._x(self._bound)
        label = f"no plan ends before {duration(self._bound)}"
        # On the side with more room.
        anchor, beside = ("end", x - 5) if x > _LEFT + _PLOT / 2 else ("start", x + 5)
        yield (
            f'<g class="bound"><title>{label}</title>'
            f'<line x1="{x:.1f}" y1="8" x2="{x:.1f}" y2="{bottom}"></line>'
            f'<text x="{beside:.1f}" y="18" text-anchor="{anchor}">{label}</text></g>'
        )

    def _groups(self, number: int, lane: tuple[TimelineItem, ...]) -> Iterator[list[int]]:
        """Positions of slots drawn as one box: one slot, or neighbours that are too narrow and look the same."""
        group: list[int] = []
        for place in range(len(lane)):
            if group and not self._joins(lane, number, group, place):
                yield group
                group = []
            group.append(place)
        if group:
            yield group

    def _joins(self, lane: tuple[TimelineItem, ...], number: int, group: list[int], place: int) -> bool:
        first, slot = lane[group[0]], lane[place]
        return (
            self._width(lane[group[-1]].start, lane[group[-1]].end) < _NARROW
            and self._width(slot.start, slot.end) < _NARROW
            and self._width(first.start, slot.end) <= _TOGETHER
            and first.order == slot.order
            and self._look(number, group[0]) == self._look(number, place)
        )

    def _look(self, number: int, place: int) -> str:
        outcome = self._timeline[number][place].outcome
        again = " again" if (number, place) in self._again else ""
        return ("slot bad" if outcome is not None and outcome.is_bad else "slot") + again

    def _box(self, group: list[int], number: int, top: int) -> str:
        lane = self._timeline[number]
        first, last = lane[group[0]], lane[group[-1]]
        x, width = self._x(first.start), self._width(first.start, last.end)
        look = self._look(number, group[0])
        title = _title([lane[place] for place in group], again="again" in look)
        box = (
            f'<g class="{look}"><title>{escape(title)}</title>'
            f'<rect x="{x:.2f}" y="{top}" width="{_inked(width):.2f}" height="{_BAR}"></rect>'
        )
        label = _label(first.test, width) if len(group) == 1 else ""
        if label:
            box += f'<text x="{x + _PADDING:.1f}" y="{top + 14}">{escape(label)}</text>'
        return box + "</g>"

    def _x(self, moment: float) -> float:
        return _LEFT + self._width(0.0, moment)

    def _width(self, start: float, end: float) -> float:
        return (end - start) / self._until * _PLOT if self._until else 0.0


def _inked(width: float) -> float:
    """The width of a box less the gap to its neighbour; always visible."""
    return max(0.6, width - min(1.0, width / 4))


def _title(slots: list[TimelineItem], *, again: bool) -> str:
    first, last = slots[0], slots[-1]
    when = f"{duration(last.end - first.start)}, from {duration(first.start)} to {duration(last.end)}"
    note = " (repeated run)" if again else ""
    outcomes = sorted({slot.outcome.value for slot in slots if slot.outcome is not None})
    outcome = f", {', '.join(outcomes)}" if outcomes else ""
    if len(slots) == 1:
        return f"{shown(first.test)}{note}\n{when}{outcome}"
    return f"{len(slots):,} tests, {shown(first.test)} to {shown(last.test)}{note}\n{when}{outcome}"


def _label(test: TestId, width: float) -> str:
    """As much of the name as fits; nothing if only a few letters would."""
    room = int((width - 2 * _PADDING) / _CHARACTER)
    name = fitted_name(test, max(room, _LEAST_LABEL))
    return name if cell_len(name) <= room else ""
