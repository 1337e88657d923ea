"""Which files of a project import which others, according to their sources; an over-approximation."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_MAKES_MODULES = frozenset(
    {
        "import_module",
        "__import__",
        "exec_module",
        "iter_modules",
        "run_module",
        "run_path",
        "spec_from_file_location",
        "walk_packages",
    }
)
"""A call of one of these with a computed argument may import anything."""


class ImportGraph:
    """The imports in a project; files are paths relative to its root.

    `sources` are the texts of its Python files. `modules`, if known, has the names under which files were really
    imported; without it a name matches every file whose path ends with it. An import anywhere in a file counts, even in
    a function that may never run, and so does a string that is the name of a module, as in plugins, settings and
    patches. A file that imports computed names is assumed to import every other file.
    """

    def __init__(self, sources: Mapping[str, str], modules: Mapping[str, str] | None = None) -> None:
        self._sources = sources
        self._modules = modules or {}
        self._by_last_name: dict[str, list[str]] = {}
        for file in sources:
            self._by_last_name.setdefault(_module_path(file)[-1], []).append(file)
        self._imported: dict[str, frozenset[str]] = {}

    def imported_by(self, file: str) -> frozenset[str]:
        """The files that this one imports directly."""
        if file not in self._imported:
            self._imported[file] = frozenset(self._find_imported(file)) - {file}
        return self._imported[file]

    def reach(self, files: Iterable[str]) -> frozenset[str]:
        """These files and all that they import, directly or not. Cost: linear in the imports."""
        found = set(files)
        waiting = list(found)
        while waiting:
            new = self.imported_by(waiting.pop()) - found
            found |= new
            waiting.extend(new)
        return frozenset(found)

    def could_import(self, path: str) -> frozenset[str]:
        """The files with an import, or a string, that would find a new file at this path."""
        place = _module_path(path)
        found = set()
        for file, source in self._sources.items():
            names = _names(source, file)
            is_led_to = any(led[: len(place)] == place for led in names.paths)
            if is_led_to or any(_ends_like(path, parts) for name in names.named for parts in _beginnings(name)):
                found.add(file)
        return frozenset(found)

    def _find_imported(self, file: str) -> Iterator[str]:
        if file not in self._sources:
            return
        names = _names(self._sources[file], file)
        if names.anything:
            yield from self._sources
            return
        for name in names.named:
            yield from self._files_of(name)
        for path in names.paths:
            for length in range(1, len(path) + 1):
                place = "/".join(path[:length])
                yield from (found for found in (f"{place}.py", f"{place}/__init__.py") if found in self._sources)

    def _files_of(self, name: str) -> Iterator[str]:
        """The files of the module and of its packages. The last part may name an object in a module, which has no
        file."""
        for parts in _beginnings(name):
            known = self._modules.get(".".join(parts))
            if known is not None:
                yield known
            elif not self._modules:
                yield from self._files_ending_like(parts)

    def _files_ending_like(self, parts: list[str]) -> Iterator[str]:
        for file in self._by_last_name.get(parts[-1], ()):
            if _ends_like(file, parts):
                yield file


@dataclass(frozen=True)
class _Names:
    """The possible module names in a source: dotted names, and paths from the root for relative imports; `anything` if
    it computes names."""

    named: frozenset[str]
    paths: frozenset[tuple[str, ...]]
    anything: bool


@lru_cache(maxsize=4096)
def _names(source: str, file: str) -> _Names:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _Names(frozenset(), frozenset(), anything=True)
    directory = PurePosixPath(file).parent.parts
    named: set[str] = set()
    paths: set[tuple[str, ...]] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            named.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module.split(".") if node.module else []
            targets = [(*module, alias.name) for alias in node.names]
            if node.level:
                above = directory[: max(0, len(directory) - node.level + 1)]
                paths.update((*above, *target) for target in targets)
            else:
                named.update(".".join(target) for target in targets)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _DOTTED.fullmatch(node.value):
            named.add(node.value)
    return _Names(frozenset(named), frozenset(paths), anything=any(map(_computes_a_module, nodes)))


def _computes_a_module(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in _MAKES_MODULES and not (node.args and isinstance(node.args[0], ast.Constant))


def _beginnings(name: str) -> list[list[str]]:
    """The packages of a dotted name, and the name itself."""
    parts = name.split(".")
    return [parts[:length] for length in range(1, len(parts) + 1)]


def _module_path(file: str) -> tuple[str, ...]:
    path = PurePosixPath(file)
    return path.parent.parts if path.stem == "__init__" and path.parent.parts else (*path.parent.parts, path.stem)


def _ends_like(file: str, parts: list[str]) -> bool:
    path = _module_path(file)
    return path[-len(parts) :] == tuple(parts)
