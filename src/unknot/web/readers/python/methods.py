"""Methods of texts, lists, dicts and open files."""

from itertools import islice, product
from typing import TYPE_CHECKING, Any

from unknot.web.readers.interpreter.binding import put
from unknot.web.readers.interpreter.values import (
    MOST_ITEMS,
    UNKNOWN,
    CallArguments,
    Entries,
    Items,
    PartialText,
    Text,
    Value,
    either,
    options,
)
from unknot.web.readers.python import data_files, texts
from unknot.web.readers.python.containers import elements, items_at
from unknot.web.readers.python.values import (
    NONE,
    BuiltinMethod,
    OpenFile,
    constant,
    one_of,
    same_or_unknown,
    scalars_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_WAYS = 16


def called(language: "PythonLanguage", method: BuiltinMethod, given: CallArguments) -> Value:
    language.mention_all(given)
    match method.of:
        case Text(is_text=True, text=text):
            return _of_text(language, text, method.name, given)
        case PartialText():
            return method.of if method.name in texts.KEEPING_METHODS or method.name == "strip" else UNKNOWN
        case Items():
            return _of_list(language, method.of, method.name, given)
        case Entries():
            return _of_dict(language, method.of, method.name, given)
        case OpenFile(path=path):
            return data_files.content(language, path) if method.name in ("read", "readlines") else UNKNOWN
        case _:
            return UNKNOWN


def _of_text(language: "PythonLanguage", text: str, name: str, given: CallArguments) -> Value:
    if name == "format":
        return texts.braces(text, given.positional, lambda key: given.keywords.get(key, UNKNOWN))
    if name in ("substitute", "safe_substitute"):
        # Of a template, which counts as a text.
        return texts.dollars(text, lambda key: _substituted(language, key, given))
    if name == "join" and given.positional:
        return _joined_by(language, text, given.positional[0])
    if name == "joinpath":
        parts = [part for each in given.positional for part in (Text("/"), each)]
        return texts.put_together([Text(text), *parts])
    if name in ("read_text", "read_bytes"):
        return data_files.content(language, text)
    if name == "open":
        return data_files.opened(language, text)
    known = [scalars_of(each) for each in given.all]
    if any(len(scalars) != len(options(each)) for scalars, each in zip(known, given.all, strict=True)):
        return UNKNOWN
    return same_or_unknown([texts.method(text, name, list(way)) for way in islice(product(*known), _MOST_WAYS)])


def _substituted(language: "PythonLanguage", name: str, given: CallArguments) -> Value:
    if name in given.keywords or not given.positional:
        return given.keywords.get(name, UNKNOWN)
    return items_at(language, given.positional[0], constant(name), given.place)


def _joined_by(language: "PythonLanguage", separator: str, value: Value) -> Value:
    found, is_whole = elements(language, value)
    if not is_whole:
        found = [*found, UNKNOWN]
    return texts.put_together([each for item in found for each in (Text(separator), item)][1:])


def _of_list(language: "PythonLanguage", held: Items, name: str, given: CallArguments) -> Value:
    match name, given.positional:
        case (("append" | "add" | "appendleft"), [value]) | ("insert", [_, value]):
            append(language, held, [value])
            return NONE
        case (("extend" | "update"), [value]):
            append(language, held, elements(language, value)[0])
            return NONE
        case "copy", []:
            return Items(list(held.items), held.rest)
        case (("pop" | "popleft"), _):
            return one_of(*held.items, held.rest) or UNKNOWN
        case _:
            return UNKNOWN


def append(language: "PythonLanguage", held: Items, added: list[Value]) -> None:
    language.machine.changes.save(held.items)
    held.items.extend(added[: max(0, MOST_ITEMS - len(held.items))])


def _of_dict(language: "PythonLanguage", held: Entries, name: str, given: CallArguments) -> Value:
    entries = held.entries
    match name, given.positional:
        case (("get" | "pop"), [key]):
            return items_at(language, held, key, given.place)
        case "read", [path]:
            for section, value in data_files.sections(language, path).items():
                put(language.machine, entries, section, value, given.uncertain)
            return UNKNOWN
        case "get", [key, option] if any(isinstance(each, Entries) for each in _chosen(entries, key)):
            # Of a configuration, not of a dict.
            return items_at(language, either(_chosen(entries, key)), option, given.place)
        case (("get" | "pop" | "setdefault"), [key, default]):
            chosen = _chosen(entries, key)
            return either(chosen) if chosen else one_of(held.rest, default) or UNKNOWN
        case "items", []:
            pairs: list[Value] = [Items([constant(key), value]) for key, value in entries.items()]
            return Items(pairs, None if held.rest is None else Items([UNKNOWN, held.rest]))
        case "values", []:
            return Items(list(entries.values()), held.rest)
        case "keys", []:
            return Items([constant(key) for key in entries], None if held.rest is None else UNKNOWN)
        case "copy", []:
            return Entries(dict(entries), "", held.rest)
        case "update", several:
            added: dict[Any, Value] = {}
            for option in (option for value in several for option in options(value)):
                added |= option.entries if isinstance(option, Entries) else {}
            for key, value in {**added, **given.keywords}.items():
                put(language.machine, entries, key, value, given.uncertain)
            return NONE
        case _:
            return UNKNOWN


def _chosen(entries: dict[Any, Value], keys: Value) -> list[Value]:
    found = [entries.get(key) for key in scalars_of(keys)]
    return [option for value in found if value is not None for option in options(value)]
