"""Texts that are written by a format: f-strings, `format`, `%`, templates. A format that could ask for gigabytes, or of
which it is not known what it does, gives nothing known."""

import re
from collections.abc import Callable
from itertools import count, islice
from string import Formatter, Template

from unknot.web.readers.interpreter.values import UNKNOWN, Text, Value, either, options
from unknot.web.readers.python.texts import put_together

_MOST_FIELDS = 64
_PERCENT = re.compile(r"%(?:\((\w+)\))?([-+ #0]{0,5}\d{0,2}(?:\.\d{0,2})?)([sradiouxXeEfFgGc%])|%")
"""The last alternative is a sign that begins no format known here."""

_HARMLESS_SPEC = re.compile(r"(?:[^\d]?[<>^=])?[-+ ]?0?\d{0,2},?(?:\.\d{1,2})?[sdfxXeg%]?")
"""No width of more than two digits: a format must not be able to ask for gigabytes."""

_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}

Named = Callable[[str], Value]
"""What a format gets by name."""


def formatted(value: Value, conversion: str = "", spec: str = "") -> Value:
    """As `format` would, after the conversion that `!r` and its like ask for."""
    converted = either(_converted(option, conversion) for option in options(value)) if conversion else value
    return either(_formatted(option, spec) for option in options(converted)) if spec else converted


def _converted(value: Value, conversion: str) -> Value:
    """What is not known exactly may be written as it is, but not quoted."""
    if not isinstance(value, Text) or value.value is None:
        return value if conversion == "s" else UNKNOWN
    return _written(lambda: _CONVERSIONS[conversion](value.value)) if conversion in _CONVERSIONS else UNKNOWN


def _formatted(value: Value, spec: str) -> Value:
    if isinstance(value, Text) and _HARMLESS_SPEC.fullmatch(spec):
        return _written(lambda: format(value.value, spec))
    return UNKNOWN


def _written(write: Callable[[], str]) -> Value:
    try:
        return Text(write())
    except (ValueError, TypeError, OverflowError):
        return UNKNOWN  # Python would not do it either


def percent(template: str, positional: list[Value], named: Named) -> Value:
    """`template % …`: placeholders take their values in turn, or by name."""
    several: list[Value] = []
    waiting = list(positional)
    end = 0
    for number, found in enumerate(_PERCENT.finditer(template)):
        name, how, kind = found.groups()
        if kind is None or number >= _MOST_FIELDS:
            return UNKNOWN
        several.append(Text(template[end : found.start()]))
        end = found.end()
        if kind == "%":
            several.append(Text("%"))
            continue
        value = named(name) if name else waiting.pop(0) if waiting else UNKNOWN
        several.append(value if kind == "s" and not how else _by_percent(value, f"%{how}{kind}"))
    return put_together([*several, Text(template[end:])])


def _by_percent(value: Value, how: str) -> Value:
    return either(_one_by_percent(option, how) for option in options(value))


def _one_by_percent(value: Value, how: str) -> Value:
    return _written(lambda: how % (value.value,)) if isinstance(value, Text) else UNKNOWN


def braces(template: str, positional: list[Value], named: Named) -> Value:
    """`template.format(…)`. `named` answers for keywords, with attributes and items of them unknown."""
    several: list[Value] = []
    try:
        parsed = list(islice(Formatter().parse(template), _MOST_FIELDS + 1))
    except ValueError:
        return UNKNOWN
    if len(parsed) > _MOST_FIELDS:
        return UNKNOWN
    numbers = count()
    for text, field, spec, conversion in parsed:
        several.append(Text(text))
        if field is None:
            continue
        place = field or str(next(numbers))
        if place.isdecimal() and len(place) < 4:
            value = positional[int(place)] if int(place) < len(positional) else UNKNOWN
        else:
            value = named(place)
        several.append(formatted(value, conversion or "", spec or ""))
    return put_together(several)


def dollars(template: str, named: Named) -> Value:
    """`string.Template(template).substitute(…)`."""
    several: list[Value] = []
    end = 0
    for number, found in enumerate(Template.pattern.finditer(template)):
        name = found["named"] or found["braced"]
        if number >= _MOST_FIELDS or (name is None and found["escaped"] is None):
            return UNKNOWN
        several.append(Text(template[end : found.start()]))
        several.append(named(name) if name else Text("$"))
        end = found.end()
    return put_together([*several, Text(template[end:])])
