"""Functions of Python, of its standard library and of some others, as far as it is known what they give. Each answers
None where it does not know."""

from collections.abc import Callable
from itertools import islice
from posixpath import basename, dirname
from typing import TYPE_CHECKING, Any

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.python import data_files, texts
from unknot.web.readers.python.members import set_attribute
from unknot.web.readers.python.values import (
    NONE,
    PartialCall,
    PythonClass,
    class_of,
    constant,
    one_of,
    record_class,
    scalars_of,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

Answer = Callable[["PythonLanguage", v.CallArguments], v.Value | None]

_MOST_NUMBERS = 1_000


def _text(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    return texts.put_together([given.positional[0]]) if given.positional else v.Text("")


def _number(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    value = given.get(0)
    known = scalars_of(value)
    if len(known) == 1 and isinstance(known[0], int):
        return value
    if len(known) == 1 and isinstance(known[0], str) and known[0].isdecimal() and len(known[0]) < 15:
        return constant(int(known[0]))
    return None


def _list(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if not given.positional:
        return v.Items([])
    found, is_whole = language.elements(given.positional[0])
    return v.Items(found, None if is_whole else v.UNKNOWN)


def _numbered(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if not given.positional:
        return None
    start = scalars_of(given.get(1, "start")) or [0]
    first = start[0] if isinstance(start[0], int) else 0
    found, is_whole = language.elements(given.positional[0])
    pairs: list[v.Value] = [v.Items([constant(number), each]) for number, each in enumerate(found, first)]
    return v.Items(pairs, None if is_whole else v.Items([v.UNKNOWN, v.UNKNOWN]))


def _paired(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    columns = [language.elements(each) for each in given.positional]
    is_whole = all(whole for _, whole in columns)
    rows: list[v.Value] = [v.Items(list(row)) for row in zip(*(found for found, _ in columns), strict=False)]
    return v.Items(rows, None if is_whole else v.Items([v.UNKNOWN for _ in columns]))


def _range(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    bounds = [scalar for value in given.positional for scalar in scalars_of(value)]
    numbers = [each for each in bounds if isinstance(each, int)]
    is_known = 0 < len(numbers) == len(given.positional) <= 3
    if not is_known or (len(numbers) == 3 and not numbers[2]):
        return None
    return v.Items([constant(each) for each in islice(range(*numbers), _MOST_NUMBERS)])


def _dict(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    entries: dict[Any, v.Value] = {}
    for option in v.options(given.positional[0]) if given.positional else ():
        if not isinstance(option, v.Entries):
            return None
        entries |= option.entries
    return v.Entries({**entries, **given.keywords}, "", v.UNKNOWN if given.is_open else None)


def _attribute(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    names = texts_of(given.get(1))
    return language.attribute(given.positional[0], names[0], given.place) if len(names) == 1 else None


def _set_attribute(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if len(given.positional) == 3:
        owner, names, value = given.positional
        for option in v.options(owner):
            for name in texts_of(names):
                if isinstance(option, v.ProjectObject | PythonClass):
                    set_attribute(language, option, name, value, given.place, given.uncertain)
    return NONE


def _type(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if len(given.positional) != 1:
        return None
    return one_of(*(each.type for each in v.options(given.positional[0]) if isinstance(each, v.ProjectObject)))


def _any(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    """`random.choice`, `next`: any of the elements."""
    found, is_whole = language.elements(given.positional[0]) if given.positional else ([], False)
    return one_of(*found, None if is_whole else v.UNKNOWN)


def _mapped(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if len(given.positional) != 2:
        return None
    found, is_whole = language.elements(given.positional[1])
    calls = [v.CallArguments([each], place=given.place, uncertain=given.uncertain) for each in found]
    return v.Items([language.call(given.positional[0], each) for each in calls], None if is_whole else v.UNKNOWN)


def _first(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    """What comes out reads like the first argument."""
    return given.get(0)


def _default(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    """`os.getenv(name, default)`: set or not, the default is what the suite's author had in mind."""
    default = given.get(1, "default")
    return None if default is None else v.either((default, v.UNKNOWN))


def _path(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    parts = [part for each in given.positional if each != v.Text("") for part in (v.Text("/"), each)][1:]
    return texts.put_together(parts) if parts else None


def _field(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    """The default of a field of a record."""
    factory = given.keywords.get("default_factory") or given.keywords.get("factory")
    return language.call(factory, v.CallArguments(place=given.place)) if factory else given.get(0, "default")


def _namespace(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    record = record_class("SimpleNamespace", given.place.file, tuple(given.keywords))
    return v.ProjectObject(record, dict(given.keywords))


def _named_tuple(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if len(given.positional) < 2:
        return None
    names = [name for text in texts_of(given.positional[1]) for name in text.replace(",", " ").split()]
    for each in language.elements(given.positional[1])[0] if not names else []:
        names.extend(texts_of(each))
    title = next(iter(texts_of(given.positional[0])), "namedtuple")
    return record_class(title, given.place.file, tuple(names))


def _records(given: v.CallArguments) -> list[v.ProjectObject]:
    return (
        [each for each in v.options(given.positional[0]) if isinstance(each, v.ProjectObject)]
        if given.positional
        else []
    )


def _json(language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    return data_files.from_json(language, given.positional[0]) if given.positional else None


def _partial(_language: "PythonLanguage", given: v.CallArguments) -> v.Value | None:
    if not given.positional or given.is_open:
        return None
    return PartialCall(given.positional[0], tuple(given.positional[1:]), tuple(given.keywords.items()))


FUNCTIONS: dict[str, Answer] = {
    "builtins.str": _text,
    "builtins.int": _number,
    **dict.fromkeys(
        [f"builtins.{name}" for name in ("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter")], _list
    ),
    "builtins.enumerate": _numbered,
    "builtins.zip": _paired,
    "builtins.range": _range,
    "builtins.dict": _dict,
    "builtins.getattr": _attribute,
    "builtins.setattr": _set_attribute,
    "builtins.type": _type,
    "builtins.map": _mapped,
    "builtins.next": _any,
    "builtins.open": lambda language, given: data_files.opened_by_name(language, given.get(0, "file") or v.UNKNOWN),
    "functools.partial": _partial,
    "random.choice": _any,
    "os.getenv": _default,
    "os.environ.get": _default,
    "os.path.join": _path,
    "os.path.abspath": _first,
    "os.path.realpath": _first,
    "os.path.normpath": _first,
    "os.path.dirname": lambda _, given: one_of(*(constant(dirname(text)) for text in texts_of(given.get(0)))),
    "os.path.basename": lambda _, given: one_of(*(constant(basename(text)) for text in texts_of(given.get(0)))),
    "os.fspath": _first,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "copy.copy": _first,
    "copy.deepcopy": _first,
    "json.dumps": _first,
    "urllib.parse.urlencode": _first,
    "json.load": _json,
    "json.loads": _json,
    # A dict of sections, which its `read` fills.
    "configparser.ConfigParser": lambda language, given: v.Entries({}),
    "configparser.RawConfigParser": lambda language, given: v.Entries({}),
    "csv.DictReader": lambda language, given: data_files.rows(language, given.get(0) or v.UNKNOWN, by_name=True),
    "csv.reader": lambda language, given: data_files.rows(language, given.get(0) or v.UNKNOWN, by_name=False),
    "re.compile": _first,
    "re.escape": _first,
    "string.Template": _first,
    "typing.cast": lambda _language, given: given.get(1),
    "dataclasses.field": _field,
    "dataclasses.replace": lambda _, given: one_of(
        *(v.ProjectObject(class_of(each), {**each.fields, **given.keywords}) for each in _records(given))
    ),
    "dataclasses.asdict": lambda _, given: one_of(*(v.Entries(dict(each.fields)) for each in _records(given))),
    "attr.ib": _field,
    "attrs.field": _field,
    "pydantic.Field": _field,
    "types.SimpleNamespace": _namespace,
    "collections.namedtuple": _named_tuple,
}
