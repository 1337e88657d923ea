"""Texts made of others: joined, cut, changed. Known exactly, in parts, or not at all; and never very long."""

from collections.abc import Callable, Iterable
from itertools import islice, product

from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Instance,
    Items,
    PartialText,
    Scalar,
    Text,
    Value,
    either,
    options,
)
from unknot.web.readers.python.lowering import written
from unknot.web.readers.python.values import KeyboardKey, class_of, constant

_MOST_WAYS = 64
_LONGEST = 10_000
_MOST_PARTS = 20
MODIFIERS = ("CONTROL", "COMMAND", "META", "ALT", "SHIFT", "LEFT_CONTROL", "LEFT_SHIFT", "LEFT_ALT")

Piece = str | None
"""A known part of a text, or one that is not."""


def pieces(value: Value) -> tuple[Piece, ...]:
    """What the value looks like within a text."""
    match value:
        case Text(is_text=True, text=text):
            return (text,)
        case Text(scalar=scalar) if scalar is not None and not isinstance(scalar, bytes):
            return (written(scalar),)
        case PartialText(parts=parts):
            return (None, *(piece for part in parts for piece in (part, None)))
        case KeyboardKey(name=name):
            return (None,) if name in MODIFIERS else ("",)
        case Instance() if class_of(value).is_enumeration:
            known = value.fields.get("value")
            several = () if known is None else options(known)
            return pieces(several[0]) if len(several) == 1 else (None,)
        case _:
            return (None,)


def put_together(parts: Iterable[Value]) -> Value:
    """Every text that comes of writing one value of each part, one after another."""
    ways = islice(product(*([*map(pieces, options(part))] for part in parts)), _MOST_WAYS)
    return either(_text([piece for part in way for piece in part]) for way in ways)


def _text(known: list[Piece]) -> Value:
    if sum(len(piece) for piece in known if piece is not None) > _LONGEST:
        return UNKNOWN
    if None not in known:
        return Text("".join(piece for piece in known if piece is not None))
    parts, current = [], ""
    for piece in [*known, None]:
        if piece is not None:
            current += piece
        elif current:
            parts.append(current)
            current = ""
    return PartialText(tuple(parts[:_MOST_PARTS])) if parts else UNKNOWN


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
"""No test types what is padded further."""

KEEPING_METHODS = frozenset({"encode", "decode", "resolve", "absolute", "as_posix", "expanduser", "get_secret_value"})
"""Of texts and of paths, which count as texts: what comes out reads the same."""


def method(text: str, name: str, arguments: list[Scalar]) -> Value:
    """What a method of a known text gives, of those that cannot make it much longer."""
    if name in KEEPING_METHODS:
        return Text(text)
    if name in _PADDING_METHODS and not _is_width(arguments[:1]):
        return UNKNOWN
    call = _PLAIN_METHODS.get(name)
    if call is None or len(text) > _LONGEST or any(isinstance(each, str) and len(each) > 100 for each in arguments):
        return UNKNOWN
    try:
        result = call(text, *arguments)
    except (TypeError, ValueError, OverflowError):
        return UNKNOWN
    if isinstance(result, str):
        return Text(result)
    return Items([constant(each) for each in result]) if isinstance(result, list | tuple) else UNKNOWN


def _is_width(given: list[Scalar]) -> bool:
    return len(given) == 1 and isinstance(given[0], int) and given[0] <= _WIDEST


def cut(value: Value, bounds: list[Value]) -> Value:
    """`text[start:end:step]` of a text of which all is known, as are the bounds."""
    known = [each.value for each in bounds if isinstance(each, Text)]
    numbers = [each for each in known if each is None or isinstance(each, int)]
    if not isinstance(value, Text) or not value.is_text or len(numbers) != len(bounds):
        return UNKNOWN
    try:
        return Text(value.text[slice(*numbers)])
    except ValueError:
        return UNKNOWN  # a step of zero
