"""Methods of texts, lists, dicts and open files."""

from itertools import islice, product
from typing import TYPE_CHECKING

from unknot.web.readers.python import data_files, formats, texts
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import elements, items_at, laid_out
from unknot.web.readers.python.things import (
    UNKNOWN,
    Constant,
    DataFile,
    Keyed,
    Known,
    Listed,
    Method,
    Partly,
    Values,
    constants,
    joined,
    listed,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_WAYS = 16


def called(reader: "Interpreter", method: Method, arguments: Arguments) -> Values:
    for values in arguments.all:
        for text in laid_out(reader, values):
            reader.speech.uses(text, arguments.place)
    match method.of:
        case Known(value=str() as text):
            return _of_text(reader, text, method.name, arguments)
        case Partly():
            return (method.of,) if method.name in texts.KEEPING_METHODS or method.name == "strip" else UNKNOWN
        case Listed():
            return _of_list(reader, method.of, method.name, arguments)
        case Keyed():
            return _of_dict(reader, method.of, method.name, arguments)
        case DataFile(path=path):
            return data_files.content(reader, path) if method.name in ("read", "readlines") else UNKNOWN
        case _:
            return UNKNOWN


def _of_text(reader: "Interpreter", text: str, name: str, arguments: Arguments) -> Values:
    if name == "format":
        return formats.braces(text, arguments.positional, lambda key: arguments.keywords.get(key, UNKNOWN))
    if name in ("substitute", "safe_substitute"):
        # Of a template, which counts as a text.
        return formats.dollars(text, lambda key: _substituted(reader, key, arguments))
    if name == "join" and arguments.positional:
        return _joined_by(reader, text, arguments.positional[0])
    if name == "joinpath":
        parts = [part for each in arguments.positional for part in (constants("/"), each)]
        return texts.put_together([constants(text), *parts])
    if name in ("read_text", "read_bytes"):
        return data_files.content(reader, text)
    if name == "open":
        return data_files.opened(reader, text)
    known = [[thing.value for thing in each if isinstance(thing, Known)] for each in arguments.all]
    if any(len(values) != len(each) for values, each in zip(known, arguments.all, strict=True)):
        return UNKNOWN
    ways = islice(product(*known), _MOST_WAYS)
    return joined(*(texts.method(text, name, list(way)) for way in ways)) or UNKNOWN


def _substituted(reader: "Interpreter", name: str, arguments: Arguments) -> Values:
    if name in arguments.keywords or not arguments.positional:
        return arguments.keywords.get(name, UNKNOWN)
    return items_at(reader, arguments.positional[0], constants(name), arguments.place)


def _joined_by(reader: "Interpreter", separator: str, values: Values) -> Values:
    found, is_whole = elements(reader, values)
    if not is_whole:
        found = [*found, UNKNOWN]
    return texts.put_together([each for item in found for each in (constants(separator), item)][1:])


def _of_list(reader: "Interpreter", held: Listed, name: str, arguments: Arguments) -> Values:
    match name, arguments.positional:
        case (("append" | "add" | "appendleft"), [values]):
            reader.heap.append(held, values)
            return constants(None)
        case "insert", [_, values]:
            reader.heap.append(held, values)
            return constants(None)
        case (("extend" | "update"), [values]):
            for each in elements(reader, values)[0]:
                reader.heap.append(held, each)
            return constants(None)
        case "copy", []:
            return (Listed(list(reader.heap.items(held)), held.rest),)
        case (("pop" | "popleft"), _):
            return joined(*reader.heap.items(held), held.rest) or UNKNOWN
        case _:
            return UNKNOWN


def _of_dict(reader: "Interpreter", held: Keyed, name: str, arguments: Arguments) -> Values:
    entries = reader.heap.entries(held)
    match name, arguments.positional:
        case (("get" | "pop"), [key]):
            return items_at(reader, (held,), key, arguments.place)
        case "read", [path]:
            for section, values in data_files.sections(reader, path).items():
                reader.heap.put(held, section, values)
            return UNKNOWN
        case "get", [key, option] if any(isinstance(thing, Keyed) for thing in _chosen(entries, key)):
            # Of a configuration, not of a dict.
            return items_at(reader, _chosen(entries, key), option, arguments.place)
        case (("get" | "pop" | "setdefault"), [key, default]):
            return _chosen(entries, key) or joined(held.rest, default)
        case "items", []:
            pairs = [listed([constants(key), values]) for key, values in entries.items()]
            return (Listed(pairs, _unknown_pairs(held)),)
        case "values", []:
            return (Listed(list(entries.values()), held.rest),)
        case "keys", []:
            return (Listed([constants(key) for key in entries], held.rest and UNKNOWN),)
        case "copy", []:
            return (Keyed(dict(entries), held.rest),)
        case "update", given:
            _update(reader, held, given, arguments)
            return constants(None)
        case _:
            return UNKNOWN


def _chosen(entries: dict[Constant, Values], keys: Values) -> Values:
    return joined(*(entries.get(key.value, ()) for key in keys if isinstance(key, Known)))


def _unknown_pairs(held: Keyed) -> Values:
    return listed([UNKNOWN, held.rest]) if held.rest else ()


def _update(reader: "Interpreter", held: Keyed, given: list[Values], arguments: Arguments) -> None:
    added: dict[Constant, Values] = {}
    for thing in (thing for values in given for thing in values):
        added |= reader.heap.entries(thing) if isinstance(thing, Keyed) else {}
    for key, values in (*added.items(), *arguments.keywords.items()):
        reader.heap.put(held, key, values)
