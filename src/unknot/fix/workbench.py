"""What a recipe is made with: the names in the file it is for, and the way from there to things."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from unknot.fix.names import Names
from unknot.fix.recipe import Recipe
from unknot.fix.road import Attribute, Hidden, Key, Road
from unknot.model.recording import Location

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
class Workbench:
    """`path` is the file that is written, from the project's root; `root` is the project's root itself."""

    names: Names
    path: str
    root: str

    def fixture(self, what: str, location: Location) -> str:
        """A name for a new fixture: `restored_cart`."""
        return self.names.free(f"{what}_{label(location)}")

    def thing(self, road: Road) -> str:
        """An expression for what the road leads to."""
        return road.expression(self.names.module(road.module))

    def set_to(self, road: Road, value: str) -> str:
        """The statement by which monkeypatch puts this value in place for the time of a test."""
        match road.last:
            case Key(key):
                return f"monkeypatch.setitem({self.thing(road.parent)}, {key!a}, {value})"
            case Attribute(name) if len(road.steps) == 1 and self.names.is_own(road.module):
                return f'monkeypatch.setitem(globals(), "{name}", {value})'
            case Attribute(name):
                return f'monkeypatch.setattr({self.thing(road.parent)}, "{name}", {value})'
            case Hidden():
                raise ValueError("nothing can be put there by name")

    def file(self, path: str) -> str:
        """An expression for a file, which does not depend on the current directory."""
        pathlib = self.names.member("pathlib", "Path")
        inside = self.in_project(path)
        if inside is None:
            return f"{pathlib}({path!a})"
        up = f"{pathlib}(__file__).resolve().parents[{self.path.count('/')}]"
        return f"{up} / {inside!a}" if inside else up

    def in_project(self, path: str) -> str | None:
        """The path from the project's root; None for what is elsewhere."""
        if not path.startswith("/"):
            return path
        return path.removeprefix(self.root).lstrip("/") if f"{path}/".startswith(f"{self.root}/") else None


Builder = Callable[[Workbench], Recipe]
"""Makes a recipe for one file. Several are kept until one is wanted: each adds its own imports."""


def label(location: Location) -> str:
    """A word for the location, as a part of a name."""
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
    """The last name of a road; not a key, which is data."""
    if logger := re.match(r"logging\.getLogger\(.*\)\.(\w+)$", name):
        return f"log_{logger[1]}"
    bare = re.sub(r"\[.*\]", "", name)
    words = [word for word in re.split(r"[.<> ]+", bare) if word and word not in ("cache", "position", "closure")]
    return words[-1] if words else ""


def called(location: Location) -> str:
    """The location in a docstring. One with odd characters in its name is only described."""
    name = location.name
    if name.isascii() and name.isprintable() and not {"\\", '"', "`"} & set(name):
        return f"`{name}`"
    return f"the {location.kind} that this is about"
