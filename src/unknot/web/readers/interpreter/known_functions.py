"""What the usual functions of Java and JavaScript give on texts, lists and maps, when these are known."""

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import invoked

LARGEST = 2_000

_SAME_LIST = v.words(
    "stream iterator toArray toList collect parallelStream boxed sequential distinct sorted sort reverse",
    "values asList unmodifiableList slice limit skip flat concat orElseThrow filter peek takeWhile",
    "dropWhile toSorted toReversed fill copyOf keySet entrySet",
)
_ADDS = v.words("add addAll push unshift addLast addFirst offer append")
_EVERY = v.words("forEach map flatMap mapToObj some every find findIndex anyMatch allMatch noneMatch each")
_ONE = v.words("find findFirst findAny at get pop shift getFirst getLast remove poll peek next first last")


def list_method(
    machine: Machine, of: v.Items, name: str, arguments: Sequence[v.Value], at: Activation, line: int
) -> v.Value | None:
    """The result of `of.name(arguments)`; None if that is no function on lists that we know."""
    functions = [argument for argument in arguments if isinstance(argument, v.Closure | v.LibraryValue)]
    if name in _EVERY and functions:
        return _every(machine, of, name, functions[0], at, line)
    if name == "filter" and functions:
        return _filtered(machine, of, functions[0], at, line)
    if name in ("reduce",) and functions:
        return invoked(machine, functions[0], "", [v.UNKNOWN, v.either(of.items)], at, line)
    if name in _ADDS:
        machine.changes.save(of.items)
        for argument in arguments:
            more = argument.items if isinstance(argument, v.Items) and name == "addAll" else [argument]
            of.items.extend(more[: LARGEST - len(of.items)])
        return of
    if name == "concat":
        return v.Items([*of.items, *(item for more in arguments for item in _as_items(more))][:LARGEST])
    if name in _ONE:
        return _one(machine, of, name, arguments)
    if name == "join":
        return _joined(of, arguments, at, line)
    if name == "entries":
        return v.Items([v.Items([v.Text(str(place), None, False), item]) for place, item in enumerate(of.items)])
    return of if name in _SAME_LIST else None


def _as_items(value: v.Value) -> list[v.Value]:
    return value.items if isinstance(value, v.Items) else [value]


def _every(machine: Machine, of: v.Items, name: str, function: v.Value, at: Activation, line: int) -> v.Value:
    results: list[v.Value] = []
    for place, item in enumerate(machine.rounds(of.items, at, line)):
        known = machine.force(item) if isinstance(item, v.LazyValue) else item
        given = [known, v.Text(str(place), None, is_text=False)]
        results.append(invoked(machine, function, "", given, at, line))
    if name.startswith("flat"):
        return v.Items([item for result in results for item in _as_items(result)])
    return v.either(of.items) if name == "find" else v.Items(results) if name.startswith("map") else v.UNKNOWN


def _filtered(machine: Machine, of: v.Items, function: v.Value, at: Activation, line: int) -> v.Value:
    """Without the items of which it is known that they do not pass."""
    answers = v.items(_every(machine, of, "map", function, at, line))
    dropped = {place for place, answer in enumerate(answers) if v.truth(answer) is False}
    return v.Items([item for place, item in enumerate(of.items) if place not in dropped])


def _one(machine: Machine, of: v.Items, name: str, arguments: Sequence[v.Value]) -> v.Value:
    key = arguments[0] if arguments else None
    if name in ("at", "get") and isinstance(key, v.Text) and key.text.isdecimal() and len(key.text) < 9:
        place = int(key.text)
        return machine.read(of.items[place]) if place < len(of.items) else v.UNKNOWN
    return machine.read(v.either(of.items))


def _joined(of: v.Items, arguments: Sequence[v.Value], at: Activation, line: int) -> v.Value:
    separator = arguments[0].text if arguments and isinstance(arguments[0], v.Text) else ","
    texts = [item.text for item in of.items if isinstance(item, v.Text)]
    is_short = sum(map(len, texts)) + len(separator) * len(texts) <= LONGEST
    return v.Text(separator.join(texts), at.place(line)) if is_short and len(texts) == len(of.items) else v.UNKNOWN


def map_method(
    machine: Machine, of: v.Entries, name: str, arguments: Sequence[v.Value], at: Activation, line: int
) -> v.Value | None:
    """The same for maps."""
    key = arguments[0].text if arguments and isinstance(arguments[0], v.Text) else None
    if name in ("get", "getOrDefault", "remove"):
        return machine.read(of.entries.get(key, v.UNKNOWN) if key is not None else v.either(of.entries.values()))
    if name in ("put", "set", "putIfAbsent") and len(arguments) > 1:
        if key is not None and len(of.entries) < LARGEST:
            machine.changes.save(of.entries)
            of.entries[key] = arguments[1]
        return of
    if name in ("keySet", "keys"):
        return v.Items([v.Text(key, at.place(line)) for key in of.entries])
    if name == "values":
        return v.Items(list(of.entries.values()))
    if name in ("entrySet", "entries"):
        return v.Items([v.Items([v.Text(key, at.place(line)), value]) for key, value in of.entries.items()])
    if name in ("forEach", "each") and arguments and isinstance(arguments[0], v.Closure):
        return _every_entry(machine, of, arguments[0], at, line)
    return None


def _every_entry(machine: Machine, of: v.Entries, function: v.Value, at: Activation, line: int) -> v.Value:
    pairs = [v.Items([v.Text(key), value]) for key, value in of.entries.items()]
    for pair in machine.rounds(pairs, at, line):
        given = v.items(pair)[::-1] if of.origin == "map" else v.items(pair)
        invoked(machine, function, "", given, at, line)
    return v.UNKNOWN


# `String.format` as Java has it, for the formats that tests use. Numbers are written as an English machine does.
_PLACEHOLDER = re.compile(r"%(?:(\d{1,4})\$)?([-+ #0,(]{0,8})(\d{0,4})(?:\.(\d{1,4}))?([a-zA-Z%])|%")
"""The last alternative is a sign that begins no format known here."""

_WIDEST = 200
_MOST_DIGITS = 40
_KNOWN_FLAGS = frozenset("-0,")
_WHOLE = re.compile(r"[-+]?\d{1,18}")


def formatted(pattern: str, arguments: Sequence[str]) -> str | None:
    """None where a value is missing, a width is beyond what a test types, or a format is not one of `sdfxcn%`."""
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
"""No test types a longer text; its value is unknown."""

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

_SAME = v.words(
    "toString intern valueOf normalize stripIndent getAbsolutePath getPath getName toAbsolutePath",
    "getAbsoluteFile toFile toPath getCanonicalPath name describeConstable orElse orElseThrow get then",
)


def text_method(text: v.Text, name: str, arguments: Sequence[v.Value], place: Frame) -> v.Value | None:
    """The result of `text.name(arguments)`; None if that is no function on texts that we know."""
    if name in _SAME:
        return text
    if name in _CHANGED:
        return v.Text(_CHANGED[name](text.text), text.place, text.is_text)
    given = [argument.text if isinstance(argument, v.Text) else None for argument in arguments]
    made = _with_arguments(text.text, name, given)
    if made is None:
        return v.UNKNOWN if name in ("replaceAll", "substring", "slice", "charAt", "format") else None
    if isinstance(made, list):
        return v.Items([v.Text(part, place) for part in made])
    return v.Text(made[:LONGEST], place)


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
