"""Functions of the standard library, and some others, of which it is known what they give."""

from posixpath import basename, dirname
from typing import TYPE_CHECKING

from unknot.web.readers.python import data_files, texts
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.builtin_functions import BUILTINS, Answer, any_of
from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.things import (
    UNKNOWN,
    Instance,
    Keyed,
    Partial,
    ProjectClass,
    Values,
    as_dict,
    constants,
    joined,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def _first(_reader: "Interpreter", given: Arguments) -> Values | None:
    """What comes out reads like the first argument."""
    return given.positional[0] if given.positional else None


def _default(_reader: "Interpreter", given: Arguments) -> Values | None:
    """`os.getenv(name, default)`: set or not, the default is what the suite's author had in mind."""
    default = given.get(1, "default")
    return joined(default, UNKNOWN) if default else None


def _path(_reader: "Interpreter", given: Arguments) -> Values | None:
    parts = [part for each in given.positional if each != constants("") for part in (constants("/"), each)][1:]
    return texts.put_together(parts) if parts else None


def _directory(_reader: "Interpreter", given: Arguments) -> Values | None:
    return constants(*map(dirname, texts_of(given.positional[0]))) or None if given.positional else None


def _last_name(_reader: "Interpreter", given: Arguments) -> Values | None:
    return constants(*map(basename, texts_of(given.positional[0]))) or None if given.positional else None


def _field(reader: "Interpreter", given: Arguments) -> Values | None:
    """The default of a field of a record."""
    factory = given.keywords.get("default_factory") or given.keywords.get("factory")
    if factory:
        return reader.call(factory, Arguments(given.place))
    return given.get(0, "default")


def _namespace(_reader: "Interpreter", given: Arguments) -> Values | None:
    record = ProjectClass("SimpleNamespace", given.place.scope.module, fields=tuple(given.keywords))
    return (Instance(record, dict(given.keywords)),)


def _named_tuple(reader: "Interpreter", given: Arguments) -> Values | None:
    if len(given.positional) < 2:
        return None
    names = [name for text in texts_of(given.positional[1]) for name in text.replace(",", " ").split()]
    for each in elements(reader, given.positional[1])[0] if not names else []:
        names.extend(texts_of(each))
    title = next(iter(texts_of(given.positional[0])), "namedtuple")
    return (ProjectClass(title, given.place.scope.module, fields=tuple(names)),)


def _replaced(reader: "Interpreter", given: Arguments) -> Values | None:
    """A copy of a record with other values in some fields."""
    records = [each for each in given.positional[0] if isinstance(each, Instance)] if given.positional else []
    return tuple(Instance(each.of, {**reader.heap.attributes(each), **given.keywords}) for each in records) or None


def _as_dict(reader: "Interpreter", given: Arguments) -> Values | None:
    records = [each for each in given.positional[0] if isinstance(each, Instance)] if given.positional else []
    return tuple(as_dict(reader.heap.attributes(each)) for each in records) or None


def _json(reader: "Interpreter", given: Arguments) -> Values | None:
    return data_files.from_json(reader, given.positional[0]) if given.positional else None


def _named_rows(reader: "Interpreter", given: Arguments) -> Values | None:
    return data_files.rows(reader, given.positional[0], by_name=True) if given.positional else None


def _rows(reader: "Interpreter", given: Arguments) -> Values | None:
    return data_files.rows(reader, given.positional[0], by_name=False) if given.positional else None


def _configuration(_reader: "Interpreter", _given: Arguments) -> Values | None:
    """A dict of sections, which its `read` fills."""
    return (Keyed({}),)


def _partial(_reader: "Interpreter", given: Arguments) -> Values | None:
    if not given.positional or given.is_open:
        return None
    return (Partial(given.positional[0], tuple(given.positional[1:]), tuple(given.keywords.items())),)


FUNCTIONS: dict[str, Answer] = BUILTINS | {
    "functools.partial": _partial,
    "random.choice": any_of,
    "os.getenv": _default,
    "os.environ.get": _default,
    "os.path.join": _path,
    "os.path.abspath": _first,
    "os.path.realpath": _first,
    "os.path.normpath": _first,
    "os.path.dirname": _directory,
    "os.path.basename": _last_name,
    "os.fspath": _first,
    "pathlib.Path": _path,
    "pathlib.PurePath": _path,
    "copy.copy": _first,
    "copy.deepcopy": _first,
    "json.dumps": _first,
    "urllib.parse.urlencode": _first,
    "json.load": _json,
    "json.loads": _json,
    "configparser.ConfigParser": _configuration,
    "configparser.RawConfigParser": _configuration,
    "csv.DictReader": _named_rows,
    "csv.reader": _rows,
    "re.compile": _first,
    "re.escape": _first,
    "string.Template": _first,
    "typing.cast": lambda reader, given: given.get(1),
    "dataclasses.field": _field,
    "dataclasses.replace": _replaced,
    "dataclasses.asdict": _as_dict,
    "attr.ib": _field,
    "attrs.field": _field,
    "pydantic.Field": _field,
    "types.SimpleNamespace": _namespace,
    "collections.namedtuple": _named_tuple,
}
