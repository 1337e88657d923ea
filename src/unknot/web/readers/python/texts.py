"""Texts made of others: joined, cut, changed, formatted. Known exactly, in parts or not at all, and never very long.
Also what operators and comparisons make of values, and whether conditions hold, as far as that is known."""

import operator as operators
import re
from collections.abc import Callable, Iterable
from itertools import count, islice, product
from string import Formatter, Template

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.python.lowering import written
from unknot.web.readers.python.values import (
    NONE,
    FixtureRequest,
    ImportedName,
    KeyboardKey,
    Mark,
    class_of,
    constant,
    one_of,
)

_MOST_WAYS = 64
_LONGEST = 10_000
_MOST_PARTS = 20
MODIFIERS = ("CONTROL", "COMMAND", "META", "ALT", "SHIFT", "LEFT_CONTROL", "LEFT_SHIFT", "LEFT_ALT")

Piece = str | None
"""A known part of a text, or one that is not."""


def pieces(value: v.Value) -> tuple[Piece, ...]:
    """The value as part of a text."""
    match value:
        case v.Text(is_text=True, text=text):
            return (text,)
        case v.Text(scalar=scalar) if scalar is not None and not isinstance(scalar, bytes):
            return (written(scalar),)
        case v.PartialText(parts=parts):
            return (None, *(piece for part in parts for piece in (part, None)))
        case KeyboardKey(name=name):
            return (None,) if name in MODIFIERS else ("",)
        case v.ProjectObject() if class_of(value).is_enumeration:
            known = value.fields.get("value")
            several = () if known is None else v.options(known)
            return pieces(several[0]) if len(several) == 1 else (None,)
        case _:
            return (None,)


def put_together(parts: Iterable[v.Value]) -> v.Value:
    """Every text that comes of writing one value of each part, one after another."""
    ways = islice(product(*([*map(pieces, v.options(part))] for part in parts)), _MOST_WAYS)
    return v.either(_text([piece for part in way for piece in part]) for way in ways)


def _text(known: list[Piece]) -> v.Value:
    if sum(len(piece) for piece in known if piece is not None) > _LONGEST:
        return v.UNKNOWN
    if None not in known:
        return v.Text("".join(piece for piece in known if piece is not None))
    parts, current = [], ""
    for piece in [*known, None]:
        if piece is not None:
            current += piece
        elif current:
            parts.append(current)
            current = ""
    return v.PartialText(tuple(parts[:_MOST_PARTS])) if parts else v.UNKNOWN


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


def method(text: str, name: str, arguments: list[v.Scalar]) -> v.Value:
    """What a method of a known text gives, of those that cannot make it much longer."""
    if name in KEEPING_METHODS:
        return v.Text(text)
    if name in _PADDING_METHODS and not (arguments and isinstance(arguments[0], int) and arguments[0] <= _WIDEST):
        return v.UNKNOWN
    call = _PLAIN_METHODS.get(name)
    if call is None or len(text) > _LONGEST or any(isinstance(each, str) and len(each) > 100 for each in arguments):
        return v.UNKNOWN
    try:
        result = call(text, *arguments)
    except (TypeError, ValueError, OverflowError):
        return v.UNKNOWN
    if isinstance(result, str):
        return v.Text(result)
    return v.Items([constant(each) for each in result]) if isinstance(result, list | tuple) else v.UNKNOWN


def cut(value: v.Value, bounds: list[v.Value]) -> v.Value:
    """`text[start:end:step]` of a text of which all is known, as are the bounds."""
    known = [each.value for each in bounds if isinstance(each, v.Text)]
    numbers = [each for each in known if each is None or isinstance(each, int)]
    if not isinstance(value, v.Text) or not value.is_text or len(numbers) != len(bounds):
        return v.UNKNOWN
    try:
        return v.Text(value.text[slice(*numbers)])
    except ValueError:
        return v.UNKNOWN  # a step of zero


_MOST_FIELDS = 64
_PERCENT = re.compile(r"%(?:\((\w+)\))?([-+ #0]{0,5}\d{0,2}(?:\.\d{0,2})?)([sradiouxXeEfFgGc%])|%")
"""The last alternative is a sign that begins no format known here."""

_HARMLESS_SPEC = re.compile(r"(?:[^\d]?[<>^=])?[-+ ]?0?\d{0,2},?(?:\.\d{1,2})?[sdfxXeg%]?")
"""No width of more than two digits: a format must not make gigabytes."""

_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}

Named = Callable[[str], v.Value]
"""What a format gets by name."""


def formatted(value: v.Value, conversion: str = "", spec: str = "") -> v.Value:
    """As `format` would, after a conversion such as `!r`."""
    converted = v.either(_converted(option, conversion) for option in v.options(value)) if conversion else value
    return v.either(_formatted(option, spec) for option in v.options(converted)) if spec else converted


def _converted(value: v.Value, conversion: str) -> v.Value:
    """What is not known exactly may be written as it is, but not quoted."""
    if not isinstance(value, v.Text) or value.value is None:
        return value if conversion == "s" else v.UNKNOWN
    return _written(lambda: _CONVERSIONS[conversion](value.value)) if conversion in _CONVERSIONS else v.UNKNOWN


def _formatted(value: v.Value, spec: str) -> v.Value:
    if isinstance(value, v.Text) and _HARMLESS_SPEC.fullmatch(spec):
        return _written(lambda: format(value.value, spec))
    return v.UNKNOWN


def _written(write: Callable[[], str]) -> v.Value:
    try:
        return v.Text(write())
    except (ValueError, TypeError, OverflowError):
        return v.UNKNOWN  # Python would not do it either


def percent(template: str, positional: list[v.Value], named: Named) -> v.Value:
    """`template % …`: placeholders take their values in turn, or by name."""
    several: list[v.Value] = []
    waiting = list(positional)
    end = 0
    for number, found in enumerate(_PERCENT.finditer(template)):
        name, how, kind = found.groups()
        if kind is None or number >= _MOST_FIELDS:
            return v.UNKNOWN
        several.append(v.Text(template[end : found.start()]))
        end = found.end()
        if kind == "%":
            several.append(v.Text("%"))
            continue
        value = named(name) if name else waiting.pop(0) if waiting else v.UNKNOWN
        if kind != "s" or how:
            value = v.either(_by_percent(option, f"%{how}{kind}") for option in v.options(value))
        several.append(value)
    return put_together([*several, v.Text(template[end:])])


def _by_percent(value: v.Value, how: str) -> v.Value:
    return _written(lambda: how % (value.value,)) if isinstance(value, v.Text) else v.UNKNOWN


def braces(template: str, positional: list[v.Value], named: Named) -> v.Value:
    """`template.format(…)`. `named` answers for keywords, with attributes and items of them unknown."""
    several: list[v.Value] = []
    try:
        parsed = list(islice(Formatter().parse(template), _MOST_FIELDS + 1))
    except ValueError:
        return v.UNKNOWN
    if len(parsed) > _MOST_FIELDS:
        return v.UNKNOWN
    numbers = count()
    for text, field, spec, conversion in parsed:
        several.append(v.Text(text))
        if field is None:
            continue
        place = field or str(next(numbers))
        if place.isdecimal() and len(place) < 4:
            value = positional[int(place)] if int(place) < len(positional) else v.UNKNOWN
        else:
            value = named(place)
        several.append(formatted(value, conversion or "", spec or ""))
    return put_together(several)


def dollars(template: str, named: Named) -> v.Value:
    """`string.Template(template).substitute(…)`."""
    several: list[v.Value] = []
    end = 0
    for number, found in enumerate(Template.pattern.finditer(template)):
        name = found["named"] or found["braced"]
        if number >= _MOST_FIELDS or (name is None and found["escaped"] is None):
            return v.UNKNOWN
        several.append(v.Text(template[end : found.start()]))
        several.append(named(name) if name else v.Text("$"))
        end = found.end()
    return put_together([*several, v.Text(template[end:])])


_LARGEST = 10**12
_LONGEST_REPEATED = 1_000
_MOST_PAIRS = 64


def truth(value: v.Value) -> bool | None:
    """None where it may be either."""
    return _agreed(_truth(option) for option in v.options(value))


def _agreed(answers: Iterable[bool | None]) -> bool | None:
    several = set(answers)
    return several.pop() if len(several) == 1 else None


def _truth(value: v.Value) -> bool | None:
    match value:
        case v.Text():
            return bool(value.value)
        case v.Items(items=known, rest=rest) | v.Entries(entries=known, rest=rest):
            return True if known else (False if rest is None else None)
        case v.Unknown() | Mark() | FixtureRequest() | ImportedName():
            return None
        case _:
            return True


def compare(left: v.Value, operator: str, right: v.Value) -> bool | None:
    """`==` and `!=` of constants, `<` and its like of numbers; None where it may be either."""
    pairs = [(one, other) for one in v.options(left) for other in v.options(right)]
    if (holds := _OF_NUMBERS.get(operator)) is not None:
        return _agreed(_of_numbers(one, other, holds) for one, other in pairs)
    if operator not in ("==", "!="):
        return None
    same = _agreed(_same(one, other) for one, other in pairs)
    return same if same is None or operator == "==" else not same


_OF_NUMBERS: dict[str, Callable[[float, float], bool]] = {
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}


def _of_numbers(one: v.Value, other: v.Value, holds: Callable[[float, float], bool]) -> bool | None:
    match one, other:
        case v.Text(scalar=int() | float() as first), v.Text(scalar=int() | float() as second):
            return holds(first, second)
        case _:
            return None


def _same(one: v.Value, other: v.Value) -> bool | None:
    if isinstance(one, v.Text) and isinstance(other, v.Text):
        return bool(one.value == other.value)
    if NONE in (one, other):
        return None if isinstance(one, v.Unknown) or isinstance(other, v.Unknown) else False
    return None


def combined(left: v.Value, operator: str, right: v.Value) -> v.Value:
    pairs = [(one, other) for one in v.options(left) for other in v.options(right)][:_MOST_PAIRS]
    return v.either(_pair(one, operator, other) for one, other in pairs)


def _pair(left: v.Value, operator: str, right: v.Value) -> v.Value:
    match operator, left, right:
        case "%", v.Text(is_text=True, text=template), _:
            return _percent(template, right)
        case "+", v.Items(items=one, rest=rest), v.Items(items=other, rest=other_rest):
            return v.Items(_with_rest(one, rest) + _with_rest(other, other_rest), one_of(rest, other_rest))
        case "|", v.Entries(entries=first, rest=rest), v.Entries(entries=second, rest=other_rest):
            return v.Entries(first | second, "", one_of(rest, other_rest))
        case "*", v.Text(is_text=True, text=text), v.Text(scalar=int() as times):
            return v.Text(text * times) if max(1, len(text)) * abs(times) <= _LONGEST_REPEATED else v.UNKNOWN
        case _, v.Text(scalar=int() | float() as number), v.Text(scalar=int() | float() as second_number):
            return _number(number, operator, second_number)
        case "+", _, _:
            return put_together([left, right])
        case "/", _, v.Text(is_text=True, text=name):
            # A path: the name of a file is known even where its directory is not.
            is_path = isinstance(left, v.Text | v.PartialText)
            return put_together([left, v.Text("/"), right]) if is_path else v.PartialText((name,))
        case _:
            return v.UNKNOWN


def _with_rest(items: list[v.Value], rest: v.Value | None) -> list[v.Value]:
    return items if rest is None else [*items, rest]


def _percent(template: str, right: v.Value) -> v.Value:
    if isinstance(right, v.Items):
        return percent(template, right.items, lambda name: v.UNKNOWN)
    if isinstance(right, v.Entries):
        return percent(template, [], lambda name: right.entries.get(name, v.UNKNOWN))
    return percent(template, [right], lambda name: v.UNKNOWN)


def _number(one: float, operator: str, other: float) -> v.Value:
    if abs(one) > _LARGEST or abs(other) > _LARGEST:
        return v.UNKNOWN
    match operator:
        case "+":
            return constant(one + other)
        case "-":
            return constant(one - other)
        case "*":
            return constant(one * other)
        case "//" if other:
            return constant(one // other)
        case "%" if other:
            return constant(one % other)
        case _:
            return v.UNKNOWN
