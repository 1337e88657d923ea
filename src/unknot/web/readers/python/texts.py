"""Texts made of others: joined, cut, changed. Known exactly, in parts, or not at all; and never very long."""

from collections.abc import Callable, Iterable
from itertools import islice, product

from unknot.web.readers.python.things import (
    Constant,
    Foreign,
    Instance,
    Key,
    Known,
    Listed,
    Partly,
    Thing,
    Values,
    joined,
)

_MOST_WAYS = 64
_LONGEST = 10_000
_MOST_PARTS = 20
MODIFIERS = ("CONTROL", "COMMAND", "META", "ALT", "SHIFT", "LEFT_CONTROL", "LEFT_SHIFT", "LEFT_ALT")

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


_PLAIN_METHODS: dict[str, Callable[..., object]] = {
    name: getattr(str, name)
    for name in (
        "upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize", "casefold", "swapcase", "replace",
        "removeprefix", "removesuffix", "split", "rsplit", "splitlines", "partition", "rpartition", "zfill", "center",
        "ljust", "rjust",
    )
}  # fmt: skip
_PADDING_METHODS = frozenset({"zfill", "center", "ljust", "rjust"})
_WIDEST = 200
"""Nobody types what is padded further."""

KEEPING_METHODS = frozenset({"encode", "decode", "resolve", "absolute", "as_posix", "expanduser", "get_secret_value"})
"""Of texts and of paths, which count as texts: what comes out reads the same."""


def method(text: str, name: str, arguments: list[Constant]) -> Values:
    """What a method of a known text gives, of those that cannot make it much longer."""
    if name in KEEPING_METHODS:
        return (Known(text),)
    if name in _PADDING_METHODS and not _is_width(arguments[:1]):
        return (Foreign(),)
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


def _is_width(given: list[Constant]) -> bool:
    return len(given) == 1 and isinstance(given[0], int) and given[0] <= _WIDEST


def cut(thing: Thing, bounds: list[Values]) -> Thing:
    """`text[start:end:step]` of a text of which all is known, as are the bounds."""
    known = [each[0].value for each in bounds if len(each) == 1 and isinstance(each[0], Known)]
    numbers = [each for each in known if each is None or isinstance(each, int)]
    if not isinstance(thing, Known) or not isinstance(thing.value, str) or len(numbers) != len(bounds):
        return Foreign()
    try:
        return Known(thing.value[slice(*numbers)])
    except ValueError:
        return Foreign()  # a step of zero


def as_text(value: Constant) -> str:
    """As `str` writes it."""
    try:
        return str(value)
    except ValueError:
        return ""  # an integer of thousands of digits
