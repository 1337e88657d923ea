"""Texts that are written by a format: f-strings, `format`, `%`, templates. A format that could ask for gigabytes, or of
which it is not known what it does, gives nothing known."""

import re
from collections.abc import Callable
from itertools import count, islice
from string import Formatter, Template

from unknot.web.readers.python.texts import put_together
from unknot.web.readers.python.things import UNKNOWN, Foreign, Known, Thing, Values, joined

_MOST_FIELDS = 64
_PERCENT = re.compile(r"%(?:\((\w+)\))?([-+ #0]{0,5}\d{0,2}(?:\.\d{0,2})?)([sradiouxXeEfFgGc%])|%")
"""The last alternative is a sign that begins no format known here."""

_HARMLESS_SPEC = re.compile(r"(?:[^\d]?[<>^=])?[-+ ]?0?\d{0,2},?(?:\.\d{1,2})?[sdfxXeg%]?")
"""No width of more than two digits: a format must not be able to ask for gigabytes."""

_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}

Named = Callable[[str], Values]
"""What a format gets by name."""


def formatted(values: Values, conversion: str = "", spec: str = "") -> Values:
    """As `format` would, after the conversion that `!r` and its like ask for."""
    converted = joined(*((_converted(thing, conversion),) for thing in values)) if conversion else values
    return joined(*((_formatted(thing, spec),) for thing in converted)) if spec else converted


def _converted(thing: Thing, conversion: str) -> Thing:
    """What is not known exactly may be written as it is, but not quoted."""
    if not isinstance(thing, Known) or thing.value is None:
        return thing if conversion == "s" else Foreign()
    return _written(lambda: _CONVERSIONS[conversion](thing.value)) if conversion in _CONVERSIONS else Foreign()


def _formatted(thing: Thing, spec: str) -> Thing:
    if isinstance(thing, Known) and _HARMLESS_SPEC.fullmatch(spec):
        return _written(lambda: format(thing.value, spec))
    return Foreign()


def _written(write: Callable[[], str]) -> Thing:
    try:
        return Known(write())
    except (ValueError, TypeError, OverflowError):
        return Foreign()  # Python would not do it either


def percent(template: str, positional: list[Values], named: Named) -> Values:
    """`template % …`: placeholders take their values in turn, or by name."""
    several: list[Values] = []
    waiting = list(positional)
    end = 0
    for number, found in enumerate(_PERCENT.finditer(template)):
        name, how, kind = found.groups()
        if kind is None or number >= _MOST_FIELDS:
            return UNKNOWN
        several.append((Known(template[end : found.start()]),))
        end = found.end()
        if kind == "%":
            several.append((Known("%"),))
            continue
        values = named(name) if name else waiting.pop(0) if waiting else UNKNOWN
        several.append(values if kind == "s" and not how else _by_percent(values, f"%{how}{kind}"))
    return put_together([*several, (Known(template[end:]),)])


def _by_percent(values: Values, how: str) -> Values:
    return joined(*((_one_by_percent(thing, how),) for thing in values))


def _one_by_percent(thing: Thing, how: str) -> Thing:
    return _written(lambda: how % (thing.value,)) if isinstance(thing, Known) else Foreign()


def braces(template: str, positional: list[Values], named: Named) -> Values:
    """`template.format(…)`. `named` answers for keywords, with attributes and items of them unknown."""
    several: list[Values] = []
    try:
        parsed = list(islice(Formatter().parse(template), _MOST_FIELDS + 1))
    except ValueError:
        return UNKNOWN
    if len(parsed) > _MOST_FIELDS:
        return UNKNOWN
    numbers = count()
    for text, field, spec, conversion in parsed:
        several.append((Known(text),))
        if field is None:
            continue
        place = field or str(next(numbers))
        if place.isdecimal() and len(place) < 4:
            values = positional[int(place)] if int(place) < len(positional) else UNKNOWN
        else:
            values = named(place)
        several.append(formatted(values, conversion or "", spec or ""))
    return put_together(several)


def dollars(template: str, named: Named) -> Values:
    """`string.Template(template).substitute(…)`."""
    several: list[Values] = []
    end = 0
    for number, found in enumerate(Template.pattern.finditer(template)):
        name = found["named"] or found["braced"]
        if number >= _MOST_FIELDS or (name is None and found["escaped"] is None):
            return UNKNOWN
        several.append((Known(template[end : found.start()]),))
        several.append(named(name) if name else (Known("$"),))
        end = found.end()
    return put_together([*several, (Known(template[end:]),)])
