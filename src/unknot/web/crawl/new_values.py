"""A value that was not entered before, which fits its field: by its type and limits, and by the words beside it."""

import random
import re
from collections.abc import Callable

from unknot.web.crawl.view import FormField

_MOST = 60
_EDGES = 0.15
"""The share of numbers at a limit of the field."""

_BY_WORD: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("e-?mail", lambda number: f"reader{number}@example.org"),
    ("password|passphrase", lambda number: f"Secret-{number}-pass"),
    ("phone|mobile|fax", lambda number: f"+44 20 7946 {number % 10_000:04}"),
    ("website|homepage|url", lambda number: f"http://example.org/{number}"),
    ("year", lambda number: str(1950 + number % 70)),
    ("amount|price|cost|total|budget", lambda number: f"{5 + number % 90}.50"),
    ("quantity|count|number|size|age|weight", lambda number: str(1 + number % 9)),
    ("zip|post ?code", lambda number: f"{10_000 + number % 80_000}"),
    ("date|day|birth", lambda number: f"2026-{1 + number % 12:02}-{1 + number % 28:02}"),
    ("time|hour", lambda number: f"{8 + number % 12:02}:30"),
)
_BY_TYPE: dict[str, Callable[[int], str]] = {
    "email": lambda number: f"reader{number}@example.org",
    "password": lambda number: f"Secret-{number}-pass",
    "tel": lambda number: f"+44 20 7946 {number % 10_000:04}",
    "url": lambda number: f"http://example.org/{number}",
    "date": lambda number: f"2026-{1 + number % 12:02}-{1 + number % 28:02}",
    "month": lambda number: f"2026-{1 + number % 12:02}",
    "week": lambda number: f"2026-W{1 + number % 52:02}",
    "time": lambda number: f"{8 + number % 12:02}:30",
    "datetime-local": lambda number: f"2026-{1 + number % 12:02}-{1 + number % 28:02}T10:30",
    "color": lambda number: f"#{number * 2_654_435 % 0xFFFFFF:06x}",
    "file": lambda number: f"notes-{number}.txt",
}


def new_value(field: FormField, number: int, chance: random.Random) -> str:
    """`number` counts the values made, and makes each different."""
    kind = field.constraint("type").lower()
    if field.role in ("spinbutton", "slider") or kind in ("number", "range"):
        return _number(field, number, chance)
    if make := _BY_TYPE.get(kind):
        return make(number)
    label = f"{field.label} {field.constraint('placeholder')}".lower()
    for pattern, make in _BY_WORD:
        if re.search(pattern, label):
            return _within(field, make(number))
    word = re.sub(r"[^A-Za-z]+", " ", field.label).strip().split(" ")[-1].capitalize() or "Text"
    return _within(field, f"{word} {number}")


def _within(field: FormField, text: str) -> str:
    longest = field.constraint("maxlength")
    most = int(longest) if longest.isdecimal() else _MOST
    # The number at the end tells it from others.
    return text if len(text) <= most else text[-most:] if most else ""


def _number(field: FormField, number: int, chance: random.Random) -> str:
    least, most = (_as_number(field.constraint(name)) for name in ("min", "max"))
    low = least if least is not None else min(1.0, most if most is not None else 1.0)
    high = most if most is not None else low + 99
    if chance.random() < _EDGES:
        chosen = chance.choice((low, high))
    else:
        chosen = low + (number * 7) % (int(high - low) + 1) if high >= low else low
    return f"{chosen:g}"


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
