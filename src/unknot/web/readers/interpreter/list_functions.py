"""What the usual functions on lists and maps give, when their items are known: loops in another dress."""

from collections.abc import Sequence

from unknot.web.readers.interpreter.calls import invoked
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.text_functions import LONGEST
from unknot.web.readers.interpreter.values import (
    UNKNOWN,
    Closure,
    Entries,
    Items,
    Lazy,
    Native,
    Result,
    Steps,
    Text,
    Value,
    either,
    items,
    truth,
    words,
)

LARGEST = 2_000

_SAME = words(
    "stream iterator toArray toList collect parallelStream boxed sequential distinct sorted sort reverse",
    "values asList unmodifiableList slice limit skip flat concat orElseThrow filter peek takeWhile",
    "dropWhile toSorted toReversed fill copyOf keySet entrySet",
)
_ADDS = words("add addAll push unshift addLast addFirst offer append")
_EVERY = words("forEach map flatMap mapToObj some every find findIndex anyMatch allMatch noneMatch each")
_ONE = words("find findFirst findAny at get pop shift getFirst getLast remove poll peek next first last")


def list_method(
    machine: Machine, of: Items, name: str, arguments: Sequence[Value], at: Activation, line: int
) -> Result | None:
    """The result of `of.name(arguments)`; None if that is no function on lists that we know."""
    functions = [argument for argument in arguments if isinstance(argument, Closure | Native)]
    if name in _EVERY and functions:
        return _every(machine, of, name, functions[0], at, line)
    if name == "filter" and functions:
        return _filtered(machine, of, functions[0], at, line)
    if name in ("reduce",) and functions:
        return invoked(machine, functions[0], "", [UNKNOWN, either(of.items)], at, line)
    if name in _ADDS:
        machine.changes.save(of.items)
        for argument in arguments:
            more = argument.items if isinstance(argument, Items) and name == "addAll" else [argument]
            of.items.extend(more[: LARGEST - len(of.items)])
        return of
    if name == "concat":
        return Items([*of.items, *(item for more in arguments for item in _as_items(more))][:LARGEST])
    if name in _ONE:
        return _one(machine, of, name, arguments)
    if name == "join":
        return _joined(of, arguments, at, line)
    if name == "entries":
        return Items([Items([Text(str(place), None, False), item]) for place, item in enumerate(of.items)])
    return of if name in _SAME else None


def _as_items(value: Value) -> list[Value]:
    return value.items if isinstance(value, Items) else [value]


def _every(machine: Machine, of: Items, name: str, function: Value, at: Activation, line: int) -> Steps:
    results: list[Value] = []
    for place, item in enumerate(machine.rounds(of.items, at, line)):
        known = (yield machine.forced(item)) if isinstance(item, Lazy) else item
        given = [known, Text(str(place), None, is_text=False)]
        results.append((yield invoked(machine, function, "", given, at, line)))
    if name.startswith("flat"):
        return Items([item for result in results for item in _as_items(result)])
    return either(of.items) if name == "find" else Items(results) if name.startswith("map") else UNKNOWN


def _filtered(machine: Machine, of: Items, function: Value, at: Activation, line: int) -> Steps:
    """Without the items of which it is known that they do not pass."""
    answers = items((yield _every(machine, of, "map", function, at, line)))
    dropped = {place for place, answer in enumerate(answers) if truth(answer) is False}
    return Items([item for place, item in enumerate(of.items) if place not in dropped])


def _one(machine: Machine, of: Items, name: str, arguments: Sequence[Value]) -> Result:
    key = arguments[0] if arguments else None
    if name in ("at", "get") and isinstance(key, Text) and key.text.isdecimal() and len(key.text) < 9:
        place = int(key.text)
        return machine.seen(of.items[place]) if place < len(of.items) else UNKNOWN
    return machine.seen(either(of.items))


def _joined(of: Items, arguments: Sequence[Value], at: Activation, line: int) -> Value:
    separator = arguments[0].text if arguments and isinstance(arguments[0], Text) else ","
    texts = [item.text for item in of.items if isinstance(item, Text)]
    is_short = sum(map(len, texts)) + len(separator) * len(texts) <= LONGEST
    return Text(separator.join(texts), at.place(line)) if is_short and len(texts) == len(of.items) else UNKNOWN


def map_method(
    machine: Machine, of: Entries, name: str, arguments: Sequence[Value], at: Activation, line: int
) -> Result | None:
    """The same for maps."""
    key = arguments[0].text if arguments and isinstance(arguments[0], Text) else None
    if name in ("get", "getOrDefault", "remove"):
        return machine.seen(of.entries.get(key, UNKNOWN) if key is not None else either(of.entries.values()))
    if name in ("put", "set", "putIfAbsent") and len(arguments) > 1:
        if key is not None and len(of.entries) < LARGEST:
            machine.changes.save(of.entries)
            of.entries[key] = arguments[1]
        return of
    if name in ("keySet", "keys"):
        return Items([Text(key, at.place(line)) for key in of.entries])
    if name == "values":
        return Items(list(of.entries.values()))
    if name in ("entrySet", "entries"):
        return Items([Items([Text(key, at.place(line)), value]) for key, value in of.entries.items()])
    if name in ("forEach", "each") and arguments and isinstance(arguments[0], Closure):
        return _every_entry(machine, of, arguments[0], at, line)
    return None


def _every_entry(machine: Machine, of: Entries, function: Value, at: Activation, line: int) -> Steps:
    pairs = [Items([Text(key), value]) for key, value in of.entries.items()]
    for pair in machine.rounds(pairs, at, line):
        given = items(pair)[::-1] if of.origin == "map" else items(pair)
        yield invoked(machine, function, "", given, at, line)
    return UNKNOWN
