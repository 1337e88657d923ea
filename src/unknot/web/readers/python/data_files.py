"""Test data that the project keeps in files: JSON, CSV and INI, read as the code reads them."""

import csv
import json
from configparser import Error as ConfigParserError
from configparser import RawConfigParser
from itertools import islice
from posixpath import normpath
from typing import TYPE_CHECKING

from unknot.web.readers.python.things import (
    UNKNOWN,
    Constant,
    DataFile,
    Keyed,
    Known,
    Listed,
    Partly,
    Thing,
    Values,
    constants,
    joined,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_LONGEST_FILE = 200_000
_MOST_VALUES = 20_000
_MOST_ROWS = 1_000
_DEEPEST = 30


def opened(reader: "Interpreter", path: str) -> Values:
    """The file of the project that the path means: as it stands, from the project's root; or else the only one that
    ends like it, or like as much of its end as possible. The rest is where the project lay for its author."""
    parts = [part for part in normpath(path.replace("\\", "/")).split("/") if part not in ("", ".", "..")]
    for start in range(min(len(parts), _DEEPEST)):
        found = reader.project.ending_in("/".join(parts[start:]))
        if found is not None:
            return (DataFile(found),)
    return UNKNOWN


def content(reader: "Interpreter", path: str) -> Values:
    return joined(*(_content(reader, thing) for thing in opened(reader, path)))


def _content(reader: "Interpreter", thing: Thing) -> Values:
    text = reader.project.text(thing.path) if isinstance(thing, DataFile) else None
    return constants(text) if text is not None and len(text) <= _LONGEST_FILE else UNKNOWN


def opened_by_name(reader: "Interpreter", name: Values) -> Values:
    """`open(name)`, where the name may be known in parts: its last part is the one that counts."""
    paths = [
        thing.value if isinstance(thing, Known) else thing.parts[-1]
        for thing in name
        if isinstance(thing, Partly) or (isinstance(thing, Known) and isinstance(thing.value, str))
    ]
    return joined(*(opened(reader, str(path)) for path in paths)) or UNKNOWN


def from_json(reader: "Interpreter", values: Values) -> Values:
    """Of an open file or of a text."""
    return joined(*(_from_json(reader, thing) for thing in values))


def _from_json(reader: "Interpreter", thing: Thing) -> Values:
    values = _content(reader, thing) if isinstance(thing, DataFile) else (thing,)
    if not isinstance(values[0], Known) or not isinstance(values[0].value, str):
        return UNKNOWN
    try:
        document = json.loads(values[0].value)
    except (ValueError, RecursionError):
        return UNKNOWN
    return _value(document, _DEEPEST)


def _value(document: object, depth: int) -> Values:
    if depth == 0:
        return UNKNOWN
    if isinstance(document, dict):
        pairs = islice(document.items(), _MOST_VALUES)
        return (Keyed({key: _value(each, depth - 1) for key, each in pairs}),)
    if isinstance(document, list):
        return (Listed([_value(each, depth - 1) for each in document[:_MOST_VALUES]]),)
    if document is None or isinstance(document, str | int | float | bool):
        return constants(document)
    return UNKNOWN


def sections(reader: "Interpreter", name: Values) -> dict[Constant, Values]:
    """What `ConfigParser.read` finds in the file: options by section."""
    parser = RawConfigParser(strict=False)
    for thing in (thing for opened_file in opened_by_name(reader, name) for thing in _content(reader, opened_file)):
        if isinstance(thing, Known) and isinstance(thing.value, str):
            try:
                parser.read_string(thing.value)
            except ConfigParserError:
                return {}
    found: dict[Constant, Values] = {}
    for section in parser.sections():
        found[section] = (Keyed({option: constants(text) for option, text in parser.items(section)}),)
    return found


def rows(reader: "Interpreter", values: Values, *, by_name: bool) -> Values:
    """`csv.reader` and `csv.DictReader`."""
    found: list[Values] = []
    for thing in values:
        held = _content(reader, thing)
        if not isinstance(held[0], Known) or not isinstance(held[0].value, str):
            return UNKNOWN
        try:
            table = list(islice(csv.reader(held[0].value.splitlines()), _MOST_ROWS))
        except csv.Error:
            return UNKNOWN
        if by_name:
            found += [(Keyed(dict(zip(table[0], map(constants, row), strict=False))),) for row in table[1:]]
        else:
            found += [(Listed([constants(cell) for cell in row]),) for row in table]
    return (Listed(found),)
