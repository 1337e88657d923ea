"""Texts made of others: joined, cut, changed, formatted. Known exactly, in parts or not at all, and never very long.
Also what operators and comparisons make of values, and whether conditions hold, as far as that is known."""

import operator as operators
import re
from collections.abc import Callable, Iterable
from itertools import count, islice, product
from string import Formatter, Template

from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Entries,
    Items,
    PartialText,
    ProjectObject,
    Scalar,
    Text,
    Unknown,
    Value,
    either,
    options,
)
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


def pieces(value: Value) -> tuple[Piece, ...]:
    """The value as part of a text."""
    match value:
        case Text(is_text=True, text=text):
            return (text,)
        case Text(scalar=scalar) if scalar is not None and not isinstance(scalar, bytes):
            return (written(scalar),)
        case PartialText(parts=parts):
            return (None, *(piece for part in parts for piece in (part, None)))
        case KeyboardKey(name=name):
            return (None,) if name in MODIFIERS else ("",)
        case ProjectObject() if class_of(value).is_enumeration:
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
    if name in _PADDING_METHODS and not (arguments and isinstance(arguments[0], int) and arguments[0] <= _WIDEST):
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


_MOST_FIELDS = 64
_PERCENT = re.compile(r"%(?:\((\w+)\))?([-+ #0]{0,5}\d{0,2}(?:\.\d{0,2})?)([sradiouxXeEfFgGc%])|%")
"""The last alternative is a sign that begins no format known here."""

_HARMLESS_SPEC = re.compile(r"(?:[^\d]?[<>^=])?[-+ ]?0?\d{0,2},?(?:\.\d{1,2})?[sdfxXeg%]?")
"""No width of more than two digits: a format must not make gigabytes."""

_CONVERSIONS: dict[str, Callable[[object], str]] = {"r": repr, "s": str, "a": ascii}

Named = Callable[[str], Value]
"""What a format gets by name."""


def formatted(value: Value, conversion: str = "", spec: str = "") -> Value:
    """As `format` would, after a conversion such as `!r`."""
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
        if kind != "s" or how:
            value = either(_by_percent(option, f"%{how}{kind}") for option in options(value))
        several.append(value)
    return put_together([*several, Text(template[end:])])


def _by_percent(value: Value, how: str) -> Value:
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


_LARGEST = 10**12
_LONGEST_REPEATED = 1_000
_MOST_PAIRS = 64


def truth(value: Value) -> bool | None:
    """None where it may be either."""
    return _agreed(_truth(option) for option in options(value))


def _agreed(answers: Iterable[bool | None]) -> bool | None:
    several = set(answers)
    return several.pop() if len(several) == 1 else None


def _truth(value: Value) -> bool | None:
    match value:
        case Text():
            return bool(value.value)
        case Items(items=known, rest=rest) | Entries(entries=known, rest=rest):
            return True if known else (False if rest is None else None)
        case Unknown() | Mark() | FixtureRequest() | ImportedName():
            return None
        case _:
            return True


def compare(left: Value, operator: str, right: Value) -> bool | None:
    """`==` and `!=` of constants, `<` and its like of numbers; None where it may be either."""
    pairs = [(one, other) for one in options(left) for other in options(right)]
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


def _of_numbers(one: Value, other: Value, holds: Callable[[float, float], bool]) -> bool | None:
    match one, other:
        case Text(scalar=int() | float() as first), Text(scalar=int() | float() as second):
            return holds(first, second)
        case _:
            return None


def _same(one: Value, other: Value) -> bool | None:
    if isinstance(one, Text) and isinstance(other, Text):
        return bool(one.value == other.value)
    if NONE in (one, other):
        return None if isinstance(one, Unknown) or isinstance(other, Unknown) else False
    return None


def combined(left: Value, operator: str, right: Value) -> Value:
    pairs = [(one, other) for one in options(left) for other in options(right)][:_MOST_PAIRS]
    return either(_pair(one, operator, other) for one, other in pairs)


def _pair(left: Value, operator: str, right: Value) -> Value:
    match operator, left, right:
        case "%", Text(is_text=True, text=template), _:
            return _percent(template, right)
        case "+", Items(items=one, rest=rest), Items(items=other, rest=other_rest):
            return Items(_with_rest(one, rest) + _with_rest(other, other_rest), one_of(rest, other_rest))
        case "|", Entries(entries=first, rest=rest), Entries(entries=second, rest=other_rest):
            return Entries(first | second, "", one_of(rest, other_rest))
        case "*", Text(is_text=True, text=text), Text(scalar=int() as times):
            return Text(text * times) if max(1, len(text)) * abs(times) <= _LONGEST_REPEATED else UNKNOWN
        case _, Text(scalar=int() | float() as number), Text(scalar=int() | float() as second_number):
            return _number(number, operator, second_number)
        case "+", _, _:
            return put_together([left, right])
        case "/", _, Text(is_text=True, text=name):
            # A path: the name of a file is known even where its directory is not.
            is_path = isinstance(left, Text | PartialText)
            return put_together([left, Text("/"), right]) if is_path else PartialText((name,))
        case _:
            return UNKNOWN


def _with_rest(items: list[Value], rest: Value | None) -> list[Value]:
    return items if rest is None else [*items, rest]


def _percent(template: str, right: Value) -> Value:
    if isinstance(right, Items):
        return percent(template, right.items, lambda name: UNKNOWN)
    if isinstance(right, Entries):
        return percent(template, [], lambda name: right.entries.get(name, UNKNOWN))
    return percent(template, [right], lambda name: UNKNOWN)


def _number(one: float, operator: str, other: float) -> Value:
    if abs(one) > _LARGEST or abs(other) > _LARGEST:
        return UNKNOWN
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
            return UNKNOWN
