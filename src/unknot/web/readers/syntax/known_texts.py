"""What the usual functions on texts give, when the text is known: the same in Java and JavaScript but for names."""

from collections.abc import Callable, Sequence

from unknot.model.recording import Frame
from unknot.web.readers.syntax.printf import formatted
from unknot.web.readers.syntax.values import UNKNOWN, Items, Text, Value
from unknot.web.readers.syntax.words import words

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
