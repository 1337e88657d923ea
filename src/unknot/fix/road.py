"""The name of a location in memory, taken apart: a module, then steps to the thing itself."""

import ast
import re
from dataclasses import dataclass

from unknot.fix.modules import Modules

_IDENTIFIER = re.compile(r"\.?([^\W\d]\w*)")
_WITHOUT_SYNTAX = re.compile(r"\.<(\w+)(?: (\w+))?>$")
_SIMPLE = (str, bytes, int, float, bool, type(None))


@dataclass(frozen=True)
class Attribute:
    name: str


@dataclass(frozen=True)
class Key:
    value: object


@dataclass(frozen=True)
class Hidden:
    """Something that Python has no syntax for: a cache, a closure's variable, an iterator's position."""

    what: str
    name: str = ""


Step = Attribute | Key | Hidden


@dataclass(frozen=True)
class Road:
    """Guarantee: names are identifiers and keys are simple values, so that code made of them says no more than they
    do, whatever the name was."""

    module: str
    steps: tuple[Step, ...]

    @property
    def parent(self) -> "Road":
        return Road(self.module, self.steps[:-1])

    @property
    def outermost(self) -> "Road":
        return Road(self.module, self.steps[:1])

    @property
    def last(self) -> Step:
        return self.steps[-1]

    def expression(self, module: str) -> str:
        """As Python code. `module` is what the module is called there; nothing for the module that the code is in."""
        text = module
        for step in self.steps:
            match step:
                case Attribute(name):
                    text = f"{text}.{name}" if text else name
                case Key(value):
                    text = f"{text}[{value!a}]"
                case Hidden():
                    break
        return text


def read_road(name: str, modules: Modules) -> Road | None:
    """None for a name that does not begin with a module, or leads through a key that has no simple value."""
    dotted = re.match(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name)
    module = modules.longest_in(dotted[0]) if dotted else ""
    steps = _steps(name[len(module) :]) if module else None
    return Road(module, tuple(steps)) if steps else None


def simple_value(text: str) -> tuple[object] | None:
    """The value that a shown content is, in a tuple of one, if it is one that code can say: no object of a class."""
    if not text or "…" in text or "..." in text:
        return None
    try:
        return (ast.literal_eval(text),)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _steps(rest: str) -> list[Step] | None:
    found: list[Step] = []
    while rest:
        if rest.startswith("["):
            end, value = _key(rest)
            if not end:
                return None
            found.append(Key(value))
            rest = rest[end:]
        elif hidden := _WITHOUT_SYNTAX.match(rest):
            found.append(Hidden(hidden[1], hidden[2] or ""))
            rest = rest[hidden.end() :]
        elif (named := _IDENTIFIER.match(rest)) and rest.startswith("."):
            found.append(Attribute(named[1]))
            rest = rest[named.end() :]
        else:
            return None
    return found


def _key(rest: str) -> tuple[int, object]:
    """Where the brackets end, and what is in them. A string in them may hold brackets itself."""
    end = rest.find("]")
    while end > 0:
        value = simple_value(rest[1:end])
        if value is not None and _is_simple(value[0]):
            return end + 1, value[0]
        end = rest.find("]", end + 1)
    return 0, None


def _is_simple(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_simple(part) for part in value)
    return isinstance(value, _SIMPLE)
