"""`String.format` as Java has it, for the formats that tests use. Numbers are written as an English machine does."""

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

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
