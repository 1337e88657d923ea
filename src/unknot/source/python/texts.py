"""Texts made of others: joined, formatted, changed. Known exactly, in parts, or not at all; and never very long."""

import re
from collections.abc import Callable, Iterable
from itertools import count, islice, product
from string import Formatter

from unknot.source.python.things import Constant, Foreign, Instance, Key, Known, Listed, Partly, Thing, Values, joined

_MOST_WAYS = 64
_LONGEST = 10_000
_MOST_PARTS = 20
MODIFIERS = ("CONTROL", "COMMAND", "META", "ALT", "SHIFT", "LEFT_CONTROL", "LEFT_SHIFT", "LEFT_ALT")
_PLACEHOLDER = re.compile(r"%(?:\((\w+)\))?(-?0?\d{0,2}(?:\.\d{1,2})?)([sdrif%])")
_HARMLESS_SPEC = re.compile(r"(?:[^\d]?[<>^=])?[-+ ]?0?\d{0,2},?(?:\.\d{1,2})?[sdfxXeg%]?")
"""No width of more than two digits: a format must not be able to ask for gigabytes."""

Piece = str | None
"""A known part of a text, or one that is not."""


def pieces(thing: Thing) -> tuple[Piece, ...]:
    """What the thing looks like within a text."""
    match thing:
        case Known(value=str() as text):
            return (text,)
        case Known(value=value) if value is not None and not isinstance(value, bytes):
            return (as_text(value),)
        case Partly(parts=parts):
            return (None, *(piece for part in parts for piece in (part, None)))
        case Key(name=name):
            return (None,) if name in MODIFIERS else ("",)
        case Instance() if thing.of.is_enumeration:
            values = thing.contents.get("value", ())
            return pieces(values[0]) if len(values) == 1 else (None,)
        case _:
            return (None,)


def put_together(several: Iterable[Values]) -> Values:
    """Every text that comes of writing one value of each, one after another."""
    ways = islice(product(*([*map(pieces, values)] or [(None,)] for values in several)), _MOST_WAYS)
    return joined(*((_text([piece for part in way for piece in part]),) for way in ways)) or (Known(""),)


def _text(known: list[Piece]) -> Thing:
    if sum(len(piece) for piece in known if piece is not None) > _LONGEST:
        return Foreign()
    if None not in known:
        return Known("".join(piece for piece in known if piece is not None))
    parts, current = [], ""
    for piece in [*known, None]:
        if piece is not None:
            current += piece
        elif current:
            parts.append(current)
            current = ""
    return Partly(tuple(parts[:_MOST_PARTS])) if parts else Foreign()


def formatted(values: Values, spec: str) -> Values:
    """As `format` would, if the spec is one that cannot do harm."""
    if not spec:
        return values
    return joined(*((_formatted(thing, spec),) for thing in values))


def _formatted(thing: Thing, spec: str) -> Thing:
    if isinstance(thing, Known) and _HARMLESS_SPEC.fullmatch(spec):
        try:
            return Known(format(thing.value, spec))
        except (ValueError, TypeError, OverflowError):
            return Foreign()
    return Foreign()


def percent(template: str, positional: list[Values], named: Callable[[str], Values]) -> Values:
    """`template % …`: placeholders take their values in turn, or by name."""
    several: list[Values] = []
    waiting = list(positional)
    end = 0
    for found in islice(_PLACEHOLDER.finditer(template), _MOST_WAYS):
        several.append((Known(template[end : found.start()]),))
        end = found.end()
        name, _, kind = found.groups()
        if kind == "%":
            several.append((Known("%"),))
        elif name:
            several.append(named(name))
        else:
            several.append(waiting.pop(0) if waiting else (Foreign(),))
    return put_together([*several, (Known(template[end:]),)])


def braces(template: str, positional: list[Values], named: Callable[[str], Values]) -> Values:
    """`template.format(…)`. `named` answers for keywords, with attributes and items of them unknown."""
    several: list[Values] = []
    try:
        parsed = list(islice(Formatter().parse(template), _MOST_WAYS))
    except ValueError:
        return (Foreign(),)
    numbers = count()
    for text, field, spec, _ in parsed:
        several.append((Known(text),))
        if field is None:
            continue
        place = field or str(next(numbers))
        if place.isdecimal() and len(place) < 4:
            values = positional[int(place)] if int(place) < len(positional) else (Foreign(),)
        else:
            values = named(place)
        several.append(formatted(values, spec or ""))
    return put_together(several)


_PLAIN_METHODS: dict[str, Callable[..., object]] = {
    name: getattr(str, name)
    for name in (
        "upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize", "casefold", "swapcase", "replace",
        "removeprefix", "removesuffix", "split", "rsplit", "splitlines", "partition", "rpartition",
    )
}  # fmt: skip
KEEPING_METHODS = frozenset({"encode", "decode", "resolve", "absolute", "as_posix", "expanduser", "get_secret_value"})
"""Of texts and of paths, which count as texts: what comes out reads the same."""


def method(text: str, name: str, arguments: list[Constant]) -> Values:
    """What a method of a known text gives, of those that cannot make it much longer."""
    if name in KEEPING_METHODS:
        return (Known(text),)
    call = _PLAIN_METHODS.get(name)
    if call is None or len(text) > _LONGEST or any(isinstance(each, str) and len(each) > 100 for each in arguments):
        return (Foreign(),)
    try:
        result = call(text, *arguments)
    except (TypeError, ValueError, OverflowError):
        return (Foreign(),)
    if isinstance(result, str):
        return (Known(result),)
    if isinstance(result, list | tuple):
        return (Listed([(Known(each),) for each in result]),)
    return (Foreign(),)


def as_text(value: Constant) -> str:
    """As `str` writes it."""
    try:
        return str(value)
    except ValueError:
        return ""  # an integer of thousands of digits
