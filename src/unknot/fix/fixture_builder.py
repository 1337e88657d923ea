"""Recipes for fixtures, and what they are built with: the names in a file, and expressions for objects and files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from unknot.fix.access_path import AccessPath, Attribute, Item
from unknot.fix.names import Names
from unknot.model.recording import Location

YIELD = "yield"
INDENT = "    "
OWN_DIRECTORY = "monkeypatch.chdir(tmp_path)"


@dataclass(frozen=True)
class Recipe:
    """A fixture that is not written yet. `lines` are the body, indented by four spaces per level; a line `yield` is
    where the test runs. `summary` says what it does, as an instruction."""

    name: str
    docstring: str
    lines: tuple[str, ...]
    summary: str = ""

    @property
    def takes(self) -> tuple[str, ...]:
        """The fixtures that it requests."""
        patches = any(line.lstrip().startswith("monkeypatch.") for line in self.lines)
        return (*(["monkeypatch"] if patches else []), *(["tmp_path"] if OWN_DIRECTORY in self.lines else []))

    def with_calls(self, calls: tuple[str, ...]) -> "Recipe":
        """The same recipe with these calls before the test runs."""
        found: list[str] = []
        for line in self.lines:
            if line.strip() == YIELD:
                space = line[: len(line) - len(line.lstrip())]
                found += [space + call for call in calls]
            found.append(line)
        if YIELD not in (line.strip() for line in self.lines):
            found += calls
        return replace(self, lines=tuple(found))


_TEXTS = {
    "restored": ("Restores {} after the test.", "restore {} after the test that changes it"),
    "clean": ("Starts with {} in its initial state.", "start with {} in its initial state"),
    "without": ("Removes {} during the test.", "remove {} during the test"),
    "given": ("Sets {} to the value that the test needs.", "set {} to {} for the test"),
    "made": ("Creates {} as the test needs it.", "create {} before the test with {}"),
}
"""For each kind of fixture, its docstring and its summary, with the location and a detail."""

_MEMBERS = {"mock": "unittest", "Path": "pathlib"}

_NO_WORD = re.compile(r"\W+", re.ASCII)
_LABELS = {
    "os.getcwd()": "directory",
    "os.umask()": "umask",
    "locale.setlocale()": "locale",
    "time.tzname": "time_zone",
    "random.getstate()": "random",
    "numpy.random.get_state()": "random",
    "decimal.getcontext()": "decimal_context",
    "warnings.filters": "warning_filters",
    "logging.root.manager.disable": "logging",
}


@dataclass(frozen=True)
class Setting:
    """The statement with which monkeypatch sets a value for the duration of a test. The value is a template."""

    path: AccessPath
    value: str


@dataclass(frozen=True)
class FilePath:
    """An expression for a file, which does not depend on the current directory."""

    path: str


Value = str | AccessPath | Setting | FilePath


@dataclass(frozen=True)
class FixtureBuilder:
    """`path` is the file to write, relative to the project's root; `root` is the project's root itself."""

    names: Names
    path: str
    root: str

    def recipe(
        self, what: str, location: Location, lines: tuple[str, ...], values: Mapping[str, Value], detail: str = ""
    ) -> Recipe:
        """`lines` are templates: a name in braces stands for one of the `values`, or for a module."""
        docstring, summary = _TEXTS[what]
        described = describe_location(location)
        filled = tuple(self.fill(line, values) for line in lines)
        name = self.names.free(f"{what}_{_label(location)}")
        return Recipe(name, docstring.format(described), filled, summary.format(described, detail))

    def fill(self, template: str, values: Mapping[str, Value]) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: self._expression(found[1], values), template)

    def _expression(self, name: str, values: Mapping[str, Value]) -> str:
        match values.get(name):
            case None if name in _MEMBERS:
                return self.names.member(_MEMBERS[name], name)
            case None:
                return self.names.module(name)
            case AccessPath() as path:
                return self._thing(path)
            case Setting(path, value):
                return self._set_to(path, self.fill(value, values))
            case FilePath(path):
                return self._file(path)
            case str(text):
                return text

    def _thing(self, path: AccessPath) -> str:
        """An expression for the object at the end of the path; for a path without steps, the names of the module."""
        module = self.names.module(path.module)
        if path.steps:
            return path.expression(module)
        return f"vars({module})" if module else "globals()"

    def _set_to(self, path: AccessPath, value: str) -> str:
        owner = path.parent.expression(self.names.module(path.module))
        match path.last:
            case Item(key):
                return f"monkeypatch.setitem({owner}, {key!a}, {value})"
            case Attribute(name) if owner:
                return f'monkeypatch.setattr({owner}, "{name}", {value})'
            case Attribute(name):
                return f'monkeypatch.setitem(globals(), "{name}", {value})'
            case _:
                raise ValueError("it cannot be set by name")

    def _file(self, path: str) -> str:
        pathlib = self.names.member("pathlib", "Path")
        if not f"{path}/".startswith(f"{self.root}/") and path.startswith("/"):
            return f"{pathlib}({path!a})"
        inside = path.removeprefix(self.root).lstrip("/")
        up = f"{pathlib}(__file__).resolve().parents[{self.path.count('/')}]"
        return f"{up} / {inside!a}" if inside else up


RecipeMaker = Callable[[FixtureBuilder], Recipe]
"""Makes a recipe for one file. Makers are called one by one, when a recipe is needed: each adds its own imports."""


def _label(location: Location) -> str:
    """A word for the location, to be part of a name."""
    if location.name in _LABELS:
        return _LABELS[location.name]
    name = location.name
    if location.kind == "memory":
        name = _last_word(name)
    elif location.kind == "environment":
        name = name.partition("[")[2]
    elif location.kind == "table":
        name = name.rpartition(" ")[2]
    elif location.kind in ("file", "directory"):
        name = name.rpartition("/")[2].partition(".")[0] or name.rpartition("/")[2]
    words = _NO_WORD.sub("_", name).strip("_").lower()
    return words or "state"


def _last_word(name: str) -> str:
    """The last name of a path, not a key, which is data."""
    if logger := re.match(r"logging\.getLogger\(.*\)\.(\w+)$", name):
        return f"log_{logger[1]}"
    bare = re.sub(r"\[.*\]|\{.*\}", "", name)
    words = [word for word in re.split(r"[.<> ]+", bare) if word and word not in ("cache", "position", "closure")]
    return words[-1] if words else ""


def describe_location(location: Location) -> str:
    """The location as it appears in a docstring. One with special characters in its name is only described."""
    name = location.name
    if name.isascii() and name.isprintable() and not {"\\", '"', "`"} & set(name):
        return f"`{name}`"
    return f"the {location.kind} in question"
