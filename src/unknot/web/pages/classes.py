"""The page objects among the classes of some Python files."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from unknot.model.errors import UsageError
from unknot.model.sanitise import shown

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_HANDLES = frozenset({"page", "driver", "webdriver", "browser", "locator", "root"})
_HANDLE_TYPES = frozenset({"Page", "Locator", "FrameLocator", "WebDriver", "WebElement", "Remote"})
"""What a page object acts on: names of its constructor's parameter, and types in Playwright and Selenium."""


@dataclass(eq=False)
class PageClass:
    """A class of the project. `bases` are those of its base classes that are in the same files."""

    name: str
    file: str
    node: ast.ClassDef
    bases: "tuple[PageClass, ...]" = ()
    has_subclasses: bool = False
    """Then it is shared behaviour, unless methods return it."""

    @property
    def lineage(self) -> "list[PageClass]":
        """The class and its ancestors, nearest first, each once."""
        found: dict[int, PageClass] = {}
        waiting = [self]
        while waiting:
            each = waiting.pop(0)
            if id(each) not in found:
                found[id(each)] = each
                waiting.extend(each.bases)
        return list(found.values())

    def methods(self) -> dict[str, FunctionNode]:
        """Own and inherited, as an instance has them; in the order of the code, own ones first."""
        found: dict[str, FunctionNode] = {}
        for each in self.lineage:
            for statement in each.node.body:
                if isinstance(statement, FunctionNode):
                    found.setdefault(statement.name, statement)
        return found

    def is_page_object(self) -> bool:
        return any(_acts_on_page(each.node) for each in self.lineage)


@dataclass
class PageClasses:
    """All classes at the top of the files, and what names mean in each file."""

    classes: list[PageClass]
    _by_file: dict[str, dict[str, PageClass]] = field(default_factory=dict)
    _enumerations: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def meant(self, name: str, file: str) -> PageClass | None:
        """The class that this name means in this file: one defined or imported there, or the only one of that name."""
        here = self._by_file.get(file, {}).get(name)
        if here is not None:
            return here
        found = [each for each in self.classes if each.name == name]
        return found[0] if len(found) == 1 else None

    def members_of(self, name: str) -> tuple[str, ...]:
        """The values of an enumeration of the files; empty for other names."""
        return self._enumerations.get(name, ())


def read_classes(texts: Mapping[str, str]) -> PageClasses:
    """`texts` has the code of each file, by its path with slashes. Raises UsageError for a file that is no Python.
    Cost: one pass over the files."""
    trees = {file: _parsed(file, text) for file, text in texts.items()}
    own = {
        file: {node.name: PageClass(node.name, file, node) for node in tree.body if isinstance(node, ast.ClassDef)}
        for file, tree in trees.items()
    }
    known = PageClasses([each for classes in own.values() for each in classes.values()])
    for file, tree in trees.items():
        known._by_file[file] = {**_imported(tree, own), **own[file]}
    for each in known.classes:
        bases = [known.meant(name, each.file) for name in map(last_name, each.node.bases) if name]
        each.bases = tuple(base for base in bases if base is not None and base is not each)
        for base in each.bases:
            base.has_subclasses = True
        if any(last_name(base) in ("Enum", "StrEnum", "IntEnum") for base in each.node.bases):
            known._enumerations[each.name] = tuple(_members(each.node))
    return known


def last_name(node: ast.expr | None) -> str:
    """`Page` of `Page`, `sync_api.Page` and `Generic[Page]`; empty for other expressions."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _parsed(file: str, text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as problem:
        line = getattr(problem, "lineno", None)
        place = f"{shown(file)}:{line}" if line else shown(file)
        raise UsageError(
            f"{place} is no valid Python: {shown(str(getattr(problem, 'msg', problem)))}",
            hint="Correct the file, or leave it out.",
            slug="pages-not-python",
        ) from problem


def _imported(tree: ast.Module, own: Mapping[str, Mapping[str, PageClass]]) -> dict[str, PageClass]:
    """Classes of the other files that this one imports, also only for type checkers."""
    found: dict[str, PageClass] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        ending = (node.module or "").replace(".", "/")
        for alias in node.names:
            for file, classes in own.items():
                stem = file.removesuffix(".py").removesuffix("/__init__")
                if alias.name in classes and (not ending or stem == ending or stem.endswith(f"/{ending}")):
                    found.setdefault(alias.asname or alias.name, classes[alias.name])
    return found


def _members(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            yield str(statement.value.value)


def _acts_on_page(node: ast.ClassDef) -> bool:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            # A field of a dataclass.
            if statement.target.id in _HANDLES and annotated_name(statement.annotation) in _HANDLE_TYPES:
                return True
        elif isinstance(statement, FunctionNode) and statement.name == "__init__":
            arguments = [*statement.args.posonlyargs, *statement.args.args, *statement.args.kwonlyargs][1:]
            if any(each.arg in _HANDLES or annotated_name(each.annotation) in _HANDLE_TYPES for each in arguments):
                return True
    return False


def annotated_name(annotation: ast.expr | None) -> str:
    """The last name of an annotation, also of one in quotes."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.rpartition(".")[2].strip()
    return last_name(annotation)
