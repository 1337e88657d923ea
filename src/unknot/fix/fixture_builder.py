"""Recipes for fixtures, and what they are built with: the names in a file, and expressions for objects and files."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from unknot.fix.access_path import AccessPath, Attribute, Hidden, Item
from unknot.fix.names import Names
from unknot.model.recording import Location

YIELD = "yield"


INDENT = "    "


@dataclass(frozen=True)
class Recipe:
    """A fixture that is not written yet. `lines` are the body, indented by four spaces per level; a line `yield` is
    where the test runs. `takes` are the fixtures that it requests, `docstring` is its docstring, and `summary` says
    what it does, as an instruction."""

    name: str
    docstring: str
    lines: tuple[str, ...]
    takes: tuple[str, ...] = ()
    summary: str = ""

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
class FixtureBuilder:
    """`path` is the file to write, relative to the project's root; `root` is the project's root itself."""

    names: Names
    path: str
    root: str

    def fixture(self, what: str, location: Location) -> str:
        """A name for a new fixture: `restored_cart`."""
        return self.names.free(f"{what}_{label(location)}")

    def thing(self, path: AccessPath) -> str:
        """An expression for the object at the end of the path."""
        return path.expression(self.names.module(path.module))

    def set_to(self, path: AccessPath, value: str) -> str:
        """The statement with which monkeypatch sets this value for the duration of a test."""
        match path.last:
            case Item(key):
                return f"monkeypatch.setitem({self.thing(path.parent)}, {key!a}, {value})"
            case Attribute(name) if len(path.steps) == 1 and self.names.is_own(path.module):
                return f'monkeypatch.setitem(globals(), "{name}", {value})'
            case Attribute(name):
                return f'monkeypatch.setattr({self.thing(path.parent)}, "{name}", {value})'
            case Hidden():
                raise ValueError("it cannot be set by name")

    def file(self, path: str) -> str:
        """An expression for a file, which does not depend on the current directory."""
        pathlib = self.names.member("pathlib", "Path")
        inside = self.in_project(path)
        if inside is None:
            return f"{pathlib}({path!a})"
        up = f"{pathlib}(__file__).resolve().parents[{self.path.count('/')}]"
        return f"{up} / {inside!a}" if inside else up

    def in_project(self, path: str) -> str | None:
        """The path relative to the project's root; None for one outside of it."""
        if not path.startswith("/"):
            return path
        return path.removeprefix(self.root).lstrip("/") if f"{path}/".startswith(f"{self.root}/") else None


RecipeMaker = Callable[[FixtureBuilder], Recipe]
"""Makes a recipe for one file. Makers are called one by one, when a recipe is needed: each adds its own imports."""


def label(location: Location) -> str:
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
    bare = re.sub(r"\[.*\]", "", name)
    words = [word for word in re.split(r"[.<> ]+", bare) if word and word not in ("cache", "position", "closure")]
    return words[-1] if words else ""


def describe_location(location: Location) -> str:
    """The location as it appears in a docstring. One with special characters in its name is only described."""
    name = location.name
    if name.isascii() and name.isprintable() and not {"\\", '"', "`"} & set(name):
        return f"`{name}`"
    return f"the {location.kind} in question"


_BY_UPDATE = ("{", "set(", "defaultdict(", "OrderedDict(", "Counter(")
_BY_SLICE = ("[", "bytearray(")
_BY_EXTEND = ("deque(",)


def restore_statements(shown: str, thing: str) -> tuple[str, ...]:
    """The statements that restore the content of a container from `before`; none if it is not a container. It stays the
    same object, because other code may refer to it."""
    if shown.startswith(_BY_UPDATE):
        return (f"{thing}.clear()", f"{thing}.update(before)")
    if shown.startswith(_BY_SLICE):
        return (f"{thing}[:] = before",)
    if shown.startswith(_BY_EXTEND):
        return (f"{thing}.clear()", f"{thing}.extend(before)")
    return ()


def is_dict(shown: str) -> bool:
    """Whether the content is certainly a dict: empty braces, or braces with a colon after the first key."""
    return shown.startswith(("{}", "defaultdict(", "OrderedDict(", "Counter(")) or (
        shown.startswith("{") and ": " in shown
    )
