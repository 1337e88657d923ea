"""Round moments for a time axis."""

import math

_STEPS = (1, 2, 5)
_MOST = 12
_LEAST = 1e-9
"""Seconds. What ends before has no axis worth drawing."""


def ticks(until: float) -> list[tuple[float, str]]:
    """At most a dozen moments from 0 to `until`, at round distances, each with its label.

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
    """The smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is not too small."""
    power = 10.0 ** math.floor(math.log10(until / _MOST))
    steps = [factor * power for factor in (*_STEPS, 10)]
    return next(step for step in steps if until / step <= _MOST)
