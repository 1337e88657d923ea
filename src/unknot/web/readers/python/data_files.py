"""Test data that the project keeps in files: JSON, CSV and INI, read as the code reads them."""

import csv
import json
from configparser import Error as ConfigParserError
from configparser import RawConfigParser
from itertools import islice
from posixpath import normpath
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.python.values import OpenFile, constant, first

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_LONGEST_FILE = 200_000
_MOST_VALUES = 20_000
_MOST_ROWS = 1_000
_DEEPEST = 30


def opened(language: "PythonLanguage", path: str) -> v.Value:
    """The file of the project that the path means: as it stands, from the project's root; or else the only one that
    ends like it, or like as much of its end as possible. The rest is where the project lay for its author."""
    parts = [part for part in normpath(path.replace("\\", "/")).split("/") if part not in ("", ".", "..")]
    for start in range(min(len(parts), _DEEPEST)):
        found = language.project.ending_in("/".join(parts[start:]))
        if found is not None:
            return OpenFile(found)
    return v.UNKNOWN


def content(language: "PythonLanguage", path: str) -> v.Value:
    return v.either(_content(language, option) for option in v.options(opened(language, path)))


def _content(language: "PythonLanguage", value: v.Value) -> v.Value:
    text = language.project.text(value.path) if isinstance(value, OpenFile) else None
    return v.Text(text) if text is not None and len(text) <= _LONGEST_FILE else v.UNKNOWN


def opened_by_name(language: "PythonLanguage", name: v.Value) -> v.Value:
    """`open(name)`, where the name may be known in parts: its last part is the one that counts."""
    several = v.options(name)
    paths = [option.text for option in several if isinstance(option, v.Text) and option.is_text]
    paths += [option.parts[-1] for option in several if isinstance(option, v.PartialText)]
    return v.either([opened(language, path) for path in paths])


def from_json(language: "PythonLanguage", value: v.Value) -> v.Value:
    """Of an open file or of a text."""
    if isinstance(value, v.Choice):
        return v.either(from_json(language, option) for option in value.options)
    known = _content(language, value) if isinstance(value, OpenFile) else value
    if not isinstance(known, v.Text) or not known.is_text:
        return v.UNKNOWN
    try:
        document = json.loads(known.text)
    except (ValueError, RecursionError):
        return v.UNKNOWN
    return _value(document, _DEEPEST)


def _value(document: object, depth: int) -> v.Value:
    if depth == 0:
        return v.UNKNOWN
    if isinstance(document, dict):
        pairs = islice(document.items(), _MOST_VALUES)
        return v.Entries({key: _value(each, depth - 1) for key, each in pairs})
    if isinstance(document, list):
        return v.Items([_value(each, depth - 1) for each in document[:_MOST_VALUES]])
    if document is None or isinstance(document, str | int | float | bool):
        return constant(document)
    return v.UNKNOWN


def sections(language: "PythonLanguage", name: v.Value) -> dict[str, v.Value]:
    """What `ConfigParser.read` finds in the file: options by section."""
    parser = RawConfigParser(strict=False)
    for file in v.options(opened_by_name(language, name)):
        known = first(_content(language, file))
        if isinstance(known, v.Text) and known.is_text:
            try:
                parser.read_string(known.text)
            except ConfigParserError:
                return {}
    found: dict[str, v.Value] = {}
    for section in parser.sections():
        found[section] = v.Entries({option: v.Text(text) for option, text in parser.items(section)})
    return found


def rows(language: "PythonLanguage", value: v.Value, *, by_name: bool) -> v.Value:
    """`csv.reader` and `csv.DictReader`."""
    found: list[v.Value] = []
    for option in v.options(value):
        held = _content(language, option)
        if not isinstance(held, v.Text):
            return v.UNKNOWN
        try:
            table = list(islice(csv.reader(held.text.splitlines()), _MOST_ROWS))
        except csv.Error:
            return v.UNKNOWN
        if by_name:
            found += [v.Entries(dict(zip(table[0], map(constant, row), strict=False))) for row in table[1:]]
        else:
            found += [v.Items([v.Text(cell) for cell in row]) for row in table]
    return v.Items(found)
