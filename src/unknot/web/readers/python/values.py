"""What Python's values have beyond those of the interpreter: functions with decorators, classes with several bases,
bound methods, marks, modules."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import ClassCode, CodeBlock
from unknot.web.readers.python.lowering import PythonFunctionCode, written

FunctionKind = Literal["plain", "static", "class", "property"]

_MOST_ANCESTORS = 100


@dataclass(eq=False)
class PythonFunction(v.Closure):
    """A function of the project, with the scope in which it was made. `owner` is the class whose body it stands in;
    `setter` is that of a property."""

    code: PythonFunctionCode
    name: str = ""
    kind: FunctionKind = "plain"
    decorators: tuple[v.Value, ...] = ()
    defaults: tuple[v.Value, ...] = ()
    keyword_defaults: tuple[v.Value | None, ...] = ()
    setter: "PythonFunction | None" = None


@dataclass(eq=False)
class PythonClass(v.ProjectClass):
    """A class of the project; `statics` are the names of its body, `fields` those that are annotated, in sequence.
    `members` are those of an enumeration, made when they are first read."""

    bases: tuple[v.Value, ...] = ()
    fields: tuple[str, ...] = ()
    decorators: tuple[v.Value, ...] = ()
    members: dict[str, v.ProjectObject] = field(default_factory=dict)
    _ancestors: list["PythonClass"] = field(default_factory=list)

    @property
    def ancestors(self) -> list["PythonClass"]:
        """The class, then those of the project that it inherits from, each after all that inherit from it."""
        self._ancestors = self._ancestors or self._found_ancestors()
        return self._ancestors

    def _found_ancestors(self) -> list["PythonClass"]:
        found: list[PythonClass] = []
        waiting: list[v.Value] = [self]
        while waiting and len(found) < _MOST_ANCESTORS:
            value = waiting.pop(0)
            if isinstance(value, PythonClass):
                found.append(value)
                waiting = [*value.bases, *waiting]
        return list(reversed(dict.fromkeys(reversed(found))))

    def chain(self) -> Iterator[v.ProjectClass]:
        return iter(self.ancestors)

    @property
    def is_enumeration(self) -> bool:
        bases = (base for ancestor in self.ancestors for base in ancestor.bases)
        return any(isinstance(base, v.Unknown) and base.last.endswith(("Enum", "Flag")) for base in bases)

    @property
    def field_names(self) -> list[str]:
        """Of a record: its own and inherited ones, the farthest first."""
        return list(dict.fromkeys(name for ancestor in reversed(self.ancestors) for name in ancestor.fields))


def record_class(name: str, file: str, fields: tuple[str, ...]) -> PythonClass:
    """A class that no `class` statement has made: of a namedtuple, of a namespace."""
    return PythonClass(ClassCode(0, name, file), v.NameScope(), fields=fields)


def class_of(instance: v.ProjectObject) -> PythonClass:
    assert isinstance(instance.type, PythonClass)
    return instance.type


@dataclass(frozen=True)
class KeyboardKey(v.Value):
    """A key, which is pressed and is no text."""

    name: str


@dataclass(frozen=True)
class PartialCall(v.Value):
    """What is called, with the first arguments and some of those by name: a method with its object, and what
    `functools.partial` gives."""

    callee: v.Value
    positional: tuple[v.Value, ...]
    keywords: tuple[tuple[str, v.Value], ...] = ()


@dataclass(frozen=True)
class SuperObject(v.Value):
    """What `super()` gives: attributes of `to`, looked for behind `after`."""

    after: PythonClass
    to: v.Value


@dataclass(frozen=True)
class OpenFile(v.Value):
    """A file of the project that the code has opened."""

    path: str


@dataclass(frozen=True)
class BuiltinMethod(v.Value):
    """A method of a text, a list, a dict or an open file."""

    of: v.Value
    name: str


@dataclass(eq=False)
class Mark(v.Value):
    """A call that declares something about tests, kept with its arguments: `pytest.mark.…`, `pytest.param`,
    `pytest.fixture`, `parameterized.expand`, `ddt.data`."""

    name: str
    positional: list[v.Value]
    keywords: dict[str, v.Value]
    line: int = 0


@dataclass(frozen=True)
class FixtureRequest(v.Value):
    """What a fixture called `request` gives."""

    param: v.Value


@dataclass(eq=False)
class PythonModule(v.Value):
    """A file of the project, or a directory of it without code. `gaps` describe what could not be read; `is_open`:
    it may have names that were not found."""

    path: str
    code: CodeBlock | None = None
    gaps: list[str] = field(default_factory=list)
    is_open: bool = False
    is_read: bool = False
    is_being_read: bool = False
    scope: v.NameScope = field(default_factory=v.NameScope)

    @property
    def directory(self) -> str:
        """Where relative imports start, and where the modules of a package lie."""
        return self.path.rpartition("/")[0]

    @property
    def is_package(self) -> bool:
        return self.path.endswith("/") or self.path.rpartition("/")[2] == "__init__.py"


@dataclass(frozen=True)
class ImportedName(v.Value):
    """A name that an import statement bound: all of a module if `name` is empty. It is looked up when it is used, so
    modules may import each other. `level` is the number of dots before the module."""

    importer: PythonModule
    module: str
    name: str
    level: int
    line: int


def constant(value: v.Scalar) -> v.Text:
    return v.Text(value) if isinstance(value, str) else v.Text(written(value), None, False, value)


NONE = constant(None)


def texts_of(value: v.Value | None) -> list[str]:
    several = () if value is None else v.options(value)
    return [option.text for option in several if isinstance(option, v.Text) and option.is_text]


def scalars_of(value: v.Value | None) -> list[v.Scalar]:
    return [option.value for option in (() if value is None else v.options(value)) if isinstance(option, v.Text)]


def one_of(*values: v.Value | None) -> v.Value | None:
    """Any one of those that there are; None if there are none."""
    known = [value for value in values if value is not None]
    return v.either(known) if known else None


def first(value: v.Value) -> v.Value:
    return value.options[0] if isinstance(value, v.Choice) else value
