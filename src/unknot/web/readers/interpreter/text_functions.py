"""What the usual functions on texts give, when the text is known: the same in Java and JavaScript but for names."""

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.values import UNKNOWN, Items, Text, Value, words

# `String.format` as Java has it, for the formats that tests use. Numbers are written as an English machine does.
_PLACEHOLDER = re.compile(r"%(?:(\d{1,4})\$)?([-+ #0,(]{0,8})(\d{0,4})(?:\.(\d{1,4}))?([a-zA-Z%])|%")
"""The last alternative is a sign that begins no format known here."""

_WIDEST = 200
_MOST_DIGITS = 40
_KNOWN_FLAGS = frozenset("-0,")
_WHOLE = re.compile(r"[-+]?\d{1,18}")


def formatted(pattern: str, arguments: Sequence[str]) -> str | None:
    """None where a value is missing, a width is beyond what somebody types, or a format is not one of `sdfxcn%`."""
    result: list[str] = []
    end, turn = 0, 0
    for found in _PLACEHOLDER.finditer(pattern):
        result.append(pattern[end : found.start()])
        end = found.end()
        number, flags, width, precision, kind = found.groups()
        if kind in ("%", "n") and not (number or flags or width or precision):
            result.append("%" if kind == "%" else "\n")
            continue
        place = int(number) - 1 if number else turn
        turn += not number
        if kind is None or not 0 <= place < len(arguments) or int(width or 0) > _WIDEST or {*flags} - _KNOWN_FLAGS:
            return None
        written = _written(arguments[place], kind, flags, None if precision is None else int(precision))
        if written is None:
            return None
        result.append(_padded(written, flags, int(width or 0), is_number=kind in "dfxX"))
    return "".join([*result, pattern[end:]])


def _written(value: str, kind: str, flags: str, precision: int | None) -> str | None:
    grouping = "," if "," in flags else ""
    match kind:
        case "s" | "S":
            text = value[:precision]
            return text.upper() if kind.isupper() else text
        case "c" if len(value) == 1:
            return value
        case "d" if precision is None and _WHOLE.fullmatch(value):
            return format(int(value), grouping + "d")
        case "x" | "X" if precision is None and _WHOLE.fullmatch(value) and int(value) >= 0:
            return format(int(value), kind)
        case "f":
            return _fraction(value, 6 if precision is None else precision, grouping)
    return None


def _fraction(value: str, digits: int, grouping: str) -> str | None:
    try:
        number = Decimal(value)
        if digits > _MOST_DIGITS or not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
            return None
        return format(number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP), f"{grouping}.{digits}f")
    except InvalidOperation:
        return None


def _padded(text: str, flags: str, width: int, *, is_number: bool) -> str:
    if "-" in flags:
        return text.ljust(width)
    return text.zfill(width) if "0" in flags and is_number else text.rjust(width)


LONGEST = 10_000
"""A text that grows beyond this is none that somebody types: what it becomes is not known."""

_CHANGED: dict[str, Callable[[str], str]] = {
    "trim": str.strip,
    "strip": str.strip,
    "trimStart": str.lstrip,
    "trimEnd": str.rstrip,
    "stripLeading": str.lstrip,
    "stripTrailing": str.rstrip,
    "toLowerCase": str.lower,
    "toLocaleLowerCase": str.lower,
    "toUpperCase": str.upper,
    "toLocaleUpperCase": str.upper,
}

_SAME = words(
    "toString intern valueOf normalize stripIndent getAbsolutePath getPath getName toAbsolutePath",
    "getAbsoluteFile toFile toPath getCanonicalPath name describeConstable orElse orElseThrow get then",
)


def text_method(text: Text, name: str, arguments: Sequence[Value], place: Frame) -> Value | None:
    """The result of `text.name(arguments)`; None if that is no function on texts that we know."""
    if name in _SAME:
        return text
    if name in _CHANGED:
        return Text(_CHANGED[name](text.text), text.place, text.is_text)
    given = [argument.text if isinstance(argument, Text) else None for argument in arguments]
    made = _with_arguments(text.text, name, given)
    if made is None:
        return UNKNOWN if name in ("replaceAll", "substring", "slice", "charAt", "format") else None
    if isinstance(made, list):
        return Items([Text(part, place) for part in made])
    return Text(made[:LONGEST], place)


def _with_arguments(text: str, name: str, given: Sequence[str | None]) -> str | list[str] | None:
    known = [part for part in given if part is not None]
    if len(known) != len(given):
        return None
    match name, known:
        case "concat", _:
            return text + "".join(known)
        case (("replace" | "replaceAll" | "replaceFirst"), [old, new]) if old and len(new) * text.count(old) < LONGEST:
            return text.replace(old, new)
        case "split", [separator] if separator:
            return text.split(separator)
        case "repeat", [times] if _number(times) is not None:
            return text * min(_number(times) or 0, LONGEST // max(1, len(text)))
        case (("substring" | "slice"), [start]) if _number(start) is not None:
            return text[_number(start) :]
        case (("substring" | "slice"), [start, end]) if _number(start) is not None and _number(end) is not None:
            return text[_number(start) : _number(end)]
        case (("padStart" | "padEnd"), [width, fill]) if fill and (_number(width) or 0) < LONGEST:
            missing = max(0, (_number(width) or 0) - len(text))
            padding = (fill * missing)[:missing]
            return padding + text if name == "padStart" else text + padding
        case (("formatted" | "format"), _):
            return formatted(text, known)
    return None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None
