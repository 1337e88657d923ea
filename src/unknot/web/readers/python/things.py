"""What an expression may stand for, as far as it can be known without running it.

An expression has `Values`: every thing that it may be, at least one. `UNKNOWN` says that nothing is known. Things that
can be changed have `contents`; what these are for one test is `heap`'s to say.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from unknot.web.readers.python.scope import Module, Scope

Constant = str | int | float | complex | bool | bytes | None


@dataclass(frozen=True, slots=True)
class Known:
    """A constant."""

    value: Constant


@dataclass(frozen=True, slots=True)
class Partly:
    """A text of which only these parts are known."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Foreign:
    """Something of another's: a page, an element, a library. `path` is what it is reached by, from the last call on:
    `selenium.webdriver.common.by.By`, or `.fill` for a method of something unknown. `maker` is the code of another
    package that has made it, or what it is a part of, of the browser."""

    path: str = ""
    maker: str = ""

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the keyboard, which is pressed and is no text."""

    name: str


@dataclass(slots=True, eq=False)
class Listed:
    """A list, tuple or set. `rest` is what else may be in it. A very long one is known by its beginning."""

    contents: "list[Values]"
    rest: "Values" = ()

    def __post_init__(self) -> None:
        if len(self.contents) > MOST_ITEMS:
            self.contents = self.contents[:MOST_ITEMS]
            self.rest = UNKNOWN


@dataclass(slots=True, eq=False)
class Keyed:
    """A dict. `rest` is what else may be in it."""

    contents: "dict[Constant, Values]"
    rest: "Values" = ()


FunctionKind = Literal["plain", "static", "class", "property"]


@dataclass(slots=True, eq=False)
class Function:
    """A function of the project, with the scope in which it was made. `owner` is the class whose body it stands in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    scope: Scope
    name: str
    kind: FunctionKind = "plain"
    owner: "ProjectClass | None" = None
    decorators: "tuple[Values, ...]" = ()
    defaults: "tuple[Values, ...]" = ()
    keyword_defaults: "tuple[Values, ...]" = ()
    setter: "Function | None" = None
    """Of a property."""

    @property
    def module(self) -> Module:
        return self.scope.module


@dataclass(slots=True, eq=False)
class ProjectClass:
    """A class of the project. `fields` are the annotated names of its body, in sequence."""

    name: str
    module: Module
    bases: "tuple[Thing, ...]" = ()
    contents: "dict[str, Values]" = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    decorators: "tuple[Values, ...]" = ()
    members: "dict[str, Instance]" = field(default_factory=dict)
    """Of an enumeration, those that were asked for."""
    _line: "list[ProjectClass]" = field(default_factory=list)

    @property
    def line_of_descent(self) -> "list[ProjectClass]":
        """The class, then its ancestors within the project, each after all that inherit from it."""
        self._line = self._line or self._found_line()
        return self._line

    def _found_line(self) -> "list[ProjectClass]":
        found: list[ProjectClass] = []
        waiting: list[Thing] = [self]
        while waiting and len(found) < _MOST_ANCESTORS:
            thing = waiting.pop(0)
            if isinstance(thing, ProjectClass):
                found.append(thing)
                waiting = [*thing.bases, *waiting]
        return list(reversed(dict.fromkeys(reversed(found))))

    @property
    def foreign_bases(self) -> tuple[str, ...]:
        return tuple(
            base.path for ancestor in self.line_of_descent for base in ancestor.bases if isinstance(base, Foreign)
        )

    @property
    def is_enumeration(self) -> bool:
        return any(path.rpartition(".")[2].endswith(("Enum", "Flag")) for path in self.foreign_bases)


@dataclass(slots=True, eq=False)
class Instance:
    """An object of a class of the project; `contents` are its own attributes."""

    of: ProjectClass
    contents: "dict[str, Values]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bound:
    """A function with what it gets as its first argument."""

    function: Function
    to: "Thing"


@dataclass(frozen=True, slots=True)
class Partial:
    """`functools.partial`: what it calls, with the first arguments and some of those by name."""

    callee: "Values"
    positional: "tuple[Values, ...]"
    keywords: "tuple[tuple[str, Values], ...]"


@dataclass(frozen=True, slots=True)
class Ancestors:
    """What `super()` gives: attributes of `to`, looked for behind `after`."""

    after: ProjectClass
    to: "Thing"


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of the project that the code has opened."""

    path: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a text, a list, a dict or an open file."""

    of: "Known | Partly | Listed | Keyed | DataFile"
    name: str


@dataclass(slots=True, eq=False)
class Mark:
    """A call that says something about tests, kept with its arguments: `pytest.mark.…`, `pytest.param`,
    `pytest.fixture`, `parameterized.expand`, `ddt.data`."""

    name: str
    positional: "list[Values]"
    keywords: "dict[str, Values]"
    line: int = 0


@dataclass(frozen=True, slots=True)
class FixtureRequest:
    """What a fixture called `request` gives."""

    param: "Values"


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import statement bound: all of a module if `name` is empty. It is looked up when it is used, so
    modules may import each other. `level` is the number of dots before the module."""

    importer: Module
    dotted: str
    name: str
    level: int
    line: int


Thing = (
    Known
    | Partly
    | Foreign
    | Key
    | Listed
    | Keyed
    | Function
    | ProjectClass
    | Instance
    | Bound
    | Partial
    | Ancestors
    | DataFile
    | Method
    | Mark
    | FixtureRequest
    | Import
    | Module
)

Values = tuple[Thing, ...]

UNKNOWN: Values = (Foreign(),)

BROWSER: Values = (Foreign("browser"),)
"""A page, a driver or a browser: whoever gets it can type."""

_MOST_VALUES = 64
_MOST_ANCESTORS = 100
MOST_ITEMS = 10_000


def joined(*several: Values) -> Values:
    """All of them, each once. Beyond a number that no honest expression has, the rest counts as unknown."""
    first = several[0] if several else ()
    if all(values == first for values in several):
        return first
    each = tuple(dict.fromkeys(thing for values in several for thing in values))
    return each if len(each) <= _MOST_VALUES else (*each[:_MOST_VALUES], *UNKNOWN)


def constants(*values: Constant) -> Values:
    return tuple(Known(value) for value in values)


def listed(items: Iterable[Values]) -> Values:
    return (Listed(list(items)),)


def as_dict(attributes: "Mapping[str, Values]") -> Keyed:
    return Keyed(dict(attributes.items()))


def texts_of(values: Values) -> list[str]:
    return [thing.value for thing in values if isinstance(thing, Known) and isinstance(thing.value, str)]
