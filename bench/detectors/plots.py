"""Box plots as SVG, written by hand: a picture needs no library."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

Series = Mapping[str, Mapping[float, Sequence[float]]]
"""For each line its values, for each place on the x axis: several graphs, several values."""

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _LEGEND = 640, 380, 70, 34, 46, 150
_COLOURS = (
    *("#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#d4a017", "#5f6b73"),
    *("#00867d", "#a1005e", "#6b4f2a", "#3f51b5", "#7a9a01", "#e07b00"),
)


@dataclass(frozen=True)
class Chart:
    """With `even`, the places on the x axis stand at equal distances; `log` is for the y axis."""

    title: str
    x_label: str
    y_label: str
    series: Series
    log: bool = True
    even: bool = False


def svg(charts: Sequence[Chart]) -> str:
    """The charts side by side."""
    width = len(charts) * (_WIDTH + _LEGEND)
    inner = "".join(
        f'<g transform="translate({place * (_WIDTH + _LEGEND)} 0)">{"".join(_Drawing(chart).parts())}</g>\n'
        for place, chart in enumerate(charts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{width}" height="{_HEIGHT}" fill="white"/>\n{inner}</svg>\n'
    )


class _Drawing:
    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        values = [value for line in chart.series.values() for some in line.values() for value in some]
        values = [value for value in values if value > 0 or not chart.log] or [1.0]
        self._places = sorted({place for line in chart.series.values() for place in line})
        low, high = min(values), max(values)
        self._low = 10 ** math.floor(math.log10(low)) if chart.log else 0.0
        self._high = (
            10 ** max(math.ceil(math.log10(high)), math.log10(self._low) + 1)
            if chart.log
            else math.ceil(5 * high) / 5 or 1.0
        )

    def parts(self) -> Iterator[str]:
        chart = self._chart
        middle = (_LEFT + _WIDTH) / 2
        yield _text(middle, 18, chart.title, 'text-anchor="middle" font-weight="bold"')
        yield _text(middle, _HEIGHT - 8, chart.x_label, 'text-anchor="middle"')
        yield _text(16, _HEIGHT / 2, chart.y_label, f'text-anchor="middle" transform="rotate(-90 16 {_HEIGHT / 2})"')
        for tick in self._ticks():
            y = self._y(tick)
            yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH}" stroke="#ddd"/>'
            yield _text(_LEFT - 6, y + 4, f"{tick:,g}", 'text-anchor="end"')
        for place in self._places if len(self._places) <= 12 else self._places[::2]:
            yield _text(self._x(place), _HEIGHT - _BOTTOM + 16, f"{place:g}", 'text-anchor="middle"')
        for number, (name, line) in enumerate(chart.series.items()):
            colour = _COLOURS[number % len(_COLOURS)]
            yield from self._line(line, colour)
            yield _text(_WIDTH + 26, _TOP + 14 + 18 * number, name, f'fill="{colour}"')
            yield f'<rect x="{_WIDTH + 12}" y="{_TOP + 5 + 18 * number}" width="10" height="10" fill="{colour}"/>'

    def _line(self, line: Mapping[float, Sequence[float]], colour: str) -> Iterator[str]:
        """Boxes from the first to the third quartile, whiskers to the extremes, medians joined."""
        medians = []
        for place, values in sorted(line.items()):
            some = sorted(value for value in values if value > 0 or not self._chart.log)
            if not some:
                continue
            first, median, third = statistics.quantiles(some, method="inclusive") if len(some) > 1 else some * 3
            x = self._x(place)
            medians.append(f"{x:.1f} {self._y(median):.1f}")
            top, bottom = self._y(third), self._y(first)
            yield f'<path d="M{x:.1f} {self._y(some[0]):.1f}V{self._y(some[-1]):.1f}" stroke="{colour}"/>'
            yield (
                f'<rect x="{x - 4:.1f}" y="{top:.1f}" width="8" height="{max(bottom - top, 1):.1f}" '
                f'fill="white" stroke="{colour}"/>'
            )
        if medians:
            yield f'<path d="M{"L".join(medians)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'

    def _ticks(self) -> list[float]:
        if not self._chart.log:
            return [self._high * part / 5 for part in range(6)]
        powers = round(math.log10(self._high / self._low))
        return [self._low * 10**power for power in range(powers + 1)]

    def _x(self, place: float) -> float:
        places = self._places
        span = _WIDTH - _LEFT - 40
        if self._chart.even or len(places) < 2:
            return _LEFT + 20 + span * places.index(place) / max(1, len(places) - 1)
        return _LEFT + 20 + span * (place - places[0]) / (places[-1] - places[0])

    def _y(self, value: float) -> float:
        part = value / self._high
        if self._chart.log:
            part = math.log(value / self._low) / math.log(self._high / self._low)
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _BOTTOM - _TOP)


def _text(x: float, y: float, text: str, attributes: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(text)}</text>'
