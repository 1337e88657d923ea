"""The access path of a location in memory: its module, then the steps to the object; and which names are modules."""

import ast
import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

_PACKAGE = "__init__"


@dataclass(frozen=True)
class ProjectModules:
    """Which dotted names are modules of the project. `files` are its Python files, relative to its root, with slashes.
    Nothing is imported to find out: that would run the project's code."""

    files: frozenset[str]

    @classmethod
    def of(cls, paths: Iterable[str]) -> "ProjectModules":
        return cls(frozenset(path for path in paths if path.endswith(".py")))

    def longest_in(self, dotted: str) -> str:
        """The longest prefix of the name that is a module, or an empty string."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            if (name := ".".join(parts[:end])) in self._by_name:
                return name
        return parts[0] if parts[0] in sys.stdlib_module_names else ""

    def file_of(self, module: str) -> str:
        """The project's file of a module, or an empty string. Of several that match, the one nearest to the root."""
        return self._by_name.get(module, "")

    def name_of(self, path: str) -> str:
        """The name by which pytest imports a file: from the first parent directory that is not a package."""
        directory, _, file = path.rpartition("/")
        parts = [file.removesuffix(".py")]
        while directory and f"{directory}/{_PACKAGE}.py" in self.files:
            directory, _, name = directory.rpartition("/")
            parts.insert(0, name)
        return ".".join(part for part in parts if part != _PACKAGE)

    @cached_property
    def _by_name(self) -> dict[str, str]:
        """A file may be imported by any suffix of its path: the directory from which it is imported is unknown."""
        found: dict[str, str] = {}
        for path in sorted(self.files, key=lambda path: (path.count("/"), path)):
            for name in _names(path.removesuffix(".py").split("/")):
                found.setdefault(name, path)
        return found


_IDENTIFIER = re.compile(r"\.?([^\W\d]\w*)")
_WITHOUT_SYNTAX = re.compile(r"\.<(\w+)(?: (\w+))?>$")
_SIMPLE = (str, bytes, int, float, bool, type(None))


@dataclass(frozen=True)
class Attribute:
    name: str


@dataclass(frozen=True)
class Item:
    value: object


@dataclass(frozen=True)
class SetMember:
    """Whether a set has this member."""

    value: object


@dataclass(frozen=True)
class Hidden:
    """State that Python has no syntax for: a cache, a closure's variable, an iterator's position."""

    what: str
    name: str = ""


Step = Attribute | Item | SetMember | Hidden


@dataclass(frozen=True)
class AccessPath:
    """Guarantee: names are identifiers and keys are simple values, so that code made of them cannot inject anything,
    whatever the name of the location was."""

    module: str
    steps: tuple[Step, ...]

    @property
    def parent(self) -> "AccessPath":
        return AccessPath(self.module, self.steps[:-1])

    @property
    def outermost(self) -> "AccessPath":
        return AccessPath(self.module, self.steps[:1])

    @property
    def last(self) -> Step:
        return self.steps[-1]

    def expression(self, module: str) -> str:
        """As Python code. `module` is the expression for the module there; empty for the module that contains the
        code."""
        text = module
        for step in self.steps:
            match step:
                case Attribute(name):
                    text = f"{text}.{name}" if text else name
                case Item(value):
                    text = f"{text}[{value!a}]"
                case SetMember() | Hidden():
                    break
        return text


def parse_access_path(name: str, modules: ProjectModules) -> AccessPath | None:
    """None for a name that does not start with a module, or that contains a key without a simple value."""
    dotted = re.match(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name)
    module = modules.longest_in(dotted[0]) if dotted else ""
    steps = _steps(name[len(module) :]) if module else None
    return AccessPath(module, tuple(steps)) if steps else None


LiteralValue = tuple[object] | None
"""A content that is a literal, in a tuple of one; None if it is unknown, or an object of a class."""


def simple_value(text: str) -> LiteralValue:
    """The value of a recorded text."""
    if not text or "…" in text or "..." in text:
        return None
    try:
        return (ast.literal_eval(text),)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def first_value(path: AccessPath, source: ast.Module) -> LiteralValue:
    """The value that the module's own code assigns to the location on import."""
    body = source.body
    value: LiteralValue = None
    for step in path.steps:
        match step:
            case Attribute(name) if value is None:
                node = _assigned(body, name)
                if isinstance(node, ast.ClassDef):
                    body = node.body
                    continue
                value = _literal(node)
            case Item(key) if value is not None and isinstance(value[0], dict) and key in value[0]:
                value = (value[0][key],)
            case _:
                return None
        if value is None:
            return None
    return value


def _assigned(body: list[ast.stmt], name: str) -> ast.expr | ast.ClassDef | None:
    found: ast.expr | ast.ClassDef | None = None
    for node in body:
        match node:
            case ast.ClassDef(name=given) if given == name:
                found = node
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    found = value
            case ast.AnnAssign(target=ast.Name(id=given), value=ast.expr() as value) if given == name:
                found = value
    return found


def _literal(node: ast.expr | None) -> LiteralValue:
    if node is None:
        return None
    try:
        return (ast.literal_eval(node),)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return (set(),) if isinstance(node, ast.Call) and ast.unparse(node) == "set()" else None


def _steps(rest: str) -> list[Step] | None:
    found: list[Step] = []
    while rest:
        if rest.startswith(("[", "{")):
            end, value = _key(rest)
            if not end:
                return None
            found.append(Item(value) if rest.startswith("[") else SetMember(value))
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
    """The end of the brackets, and the value in them. A string in them may contain brackets itself."""
    closing = "]" if rest.startswith("[") else "}"
    end = rest.find(closing)
    while end > 0:
        value = simple_value(rest[1:end])
        if value is not None and _is_simple(value[0]):
            return end + 1, value[0]
        end = rest.find(closing, end + 1)
    return 0, None


def _is_simple(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_simple(part) for part in value)
    return isinstance(value, _SIMPLE)


def _names(parts: Collection[str]) -> Iterable[str]:
    words = list(parts)
    if words[-1] == _PACKAGE:
        words.pop()
    for start in range(len(words)):
        if all(word.isidentifier() for word in words[start:]):
            yield ".".join(words[start:])
