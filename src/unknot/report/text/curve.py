"""Two coverage curves, drawn with characters."""

from collections.abc import Sequence

Points = Sequence[tuple[float, float]]
"""A step function from (0, 0) to (1, 1): the height from each point on."""

_WIDTH = 60
_HEIGHT = 10
_BEFORE, _AFTER, _BOTH = "·", "#", "+"


def curve_picture(before: Points, after: Points) -> list[str]:
    """Lines of text: `·` is the first curve, `#` the second, `+` both. The y axis is the share covered, the x axis the
    share of time."""
    rows = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    for points, mark in ((before, _BEFORE), (after, _AFTER)):
        for column in range(_WIDTH):
            height = _height(points, (column + 1) / _WIDTH)
            row = rows[_HEIGHT - 1 - min(_HEIGHT - 1, int(height * _HEIGHT))]
            row[column] = _BOTH if row[column] != " " else mark
    labels = {0: "100 %", _HEIGHT // 2: " 50 %", _HEIGHT - 1: "  0 %"}
    drawn = [f"{labels.get(number, ''):>5} |{''.join(row).rstrip()}" for number, row in enumerate(rows)]
    return [*drawn, f"{'':>5} +{'-' * _WIDTH}", f"{'':>7}0 % of the time{'100 %':>{_WIDTH - 15}}"]


def _height(points: Points, time: float) -> float:
    reached = 0.0
    for at, height in points:
        if at > time + 1e-12:
            break
        reached = height
    return reached
