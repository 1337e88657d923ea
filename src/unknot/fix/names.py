"""The names of modules in a file, and the imports that a change has to add."""

import ast
import re

_NO_WORD = re.compile(r"\W+")


class Names:
    """The names bound at the top of a file, and new names for modules. A module that the file imports keeps its name;
    `imports` lists the others in the order of their first use. `own` are the names of the file's own module."""

    def __init__(self, tree: ast.Module, own: frozenset[str]) -> None:
        self._own = own
        self._modules = dict(_imported(tree))
        self._bound = _bound_at_top(tree)
        self._mentioned = _mentioned(tree)
        self.imports: dict[str, None] = {}

    def is_own(self, module: str) -> bool:
        return module in self._own

    def module(self, dotted: str) -> str:
        """An expression for the module; empty for the file's own."""
        if self.is_own(dotted):
            return ""
        if dotted in self._modules:
            return self._modules[dotted]
        top = dotted.partition(".")[0]
        if top in self._bound and self._modules.get(top) != top:
            name = self.free(_NO_WORD.sub("_", dotted))
            self._add(dotted, name, f"import {dotted} as {name}")
        else:
            self._bound.add(top)
            self._modules.setdefault(top, top)
            self._add(dotted, dotted, f"import {dotted}")
        return self._modules[dotted]

    def member(self, module: str, name: str) -> str:
        """An expression for a member of a module, such as `mock` of `unittest` or `Path` of `pathlib`."""
        if f"{module}.{name}" in self._modules:
            return self._modules[f"{module}.{name}"]
        if name in self._bound:
            return f"{self.module(module)}.{name}"
        self._bound.add(name)
        self._add(f"{module}.{name}", name, f"from {module} import {name}")
        return name

    def free(self, wanted: str) -> str:
        """The name, with a number if the file already uses it."""
        name, number = wanted, 2
        while name in self._bound or name in self._mentioned:
            name, number = f"{wanted}_{number}", number + 1
        self._bound.add(name)
        return name

    def _add(self, dotted: str, name: str, statement: str) -> None:
        self._modules[dotted] = name
        self.imports[statement] = None


def _imported(tree: ast.Module) -> list[tuple[str, str]]:
    """Dotted names and their names in this file. `from shop import cart` may import a module or another object; the
    expression is the same in either case."""
    found: list[tuple[str, str]] = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.append((alias.name, alias.asname or alias.name))
                if not alias.asname:
                    top = alias.name.partition(".")[0]
                    found.append((top, top))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [
                (f"{node.module}.{alias.name}", alias.asname or alias.name) for alias in node.names if alias.name != "*"
            ]
    return found


def _bound_at_top(tree: ast.Module) -> set[str]:
    """The global names of the file."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
                continue
            case ast.Lambda():
                continue
            case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.alias(name=name, asname=asname):
                found.add(asname or name.partition(".")[0])
        waiting.extend(ast.iter_child_nodes(node))
    return found


def _mentioned(tree: ast.Module) -> set[str]:
    """Every name that occurs anywhere in the file, including fixture names in strings. A new fixture uses none of them,
    so that it replaces nothing."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Constant(value=str(name)):
                found.add(name)
    return found
